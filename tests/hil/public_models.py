"""Where the public models are: the environment variable HIL_MODELS, default ../shared/models."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"


def public_model(name: str) -> Path:
    """A public model's path; skips the test without it."""
    folder = Path(os.environ.get("HIL_MODELS", ROOT.parent / "shared" / "models"))
    path = folder / name
    if not path.is_file():
        pytest.skip(f"no {path}: HIL_MODELS names no folder with the public models")
    return path
