"""A public model for a test of `hil`, which skips without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.public_models import MODELS, ROOT

if TYPE_CHECKING:
    from pathlib import Path

FIXTURES = ROOT / "fixtures"


def public_model(name: str) -> Path:
    """A public model's path; skips the test without it."""
    path = MODELS / name
    if not path.is_file():
        pytest.skip(f"no {path}: HIL_MODELS names no folder with the public models")
    return path
