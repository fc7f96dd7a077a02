"""Where the public models and TFLM's own figures for them are.

HIL_MODELS and HIL_FACTS name the two folders; by default ../shared/models and ../shared/facts
beside the repository.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
MODELS = Path(os.environ.get("HIL_MODELS", ROOT.parent / "shared" / "models"))
#: Every public model at hand.
FILES = sorted(MODELS.rglob("*.tflite"))
_FACTS = Path(os.environ.get("HIL_FACTS", ROOT.parent / "shared" / "facts"))
#: HIL_FACTS may name the file itself, too.
FACTS = _FACTS if _FACTS.suffix == ".json" else _FACTS / "tflm_cortex_m7.json"

#: Why a test that needs them is skipped.
ABSENT = f"{MODELS} or {FACTS} is absent: HIL_MODELS and HIL_FACTS name the folders"

needs_models = pytest.mark.skipif(not FILES, reason=ABSENT)
needs_facts = pytest.mark.skipif(not (FILES and FACTS.is_file()), reason=ABSENT)


@cache
def facts() -> dict[str, Any]:
    """The facts file, with only those models that are at hand; both parts empty without it."""
    found: dict[str, Any] = {"models": {}, "rejected": {}}
    if FACTS.is_file():
        stored = json.loads(FACTS.read_text(encoding="utf-8"))
        for part in found:
            found[part] = {n: m for n, m in stored[part].items() if (MODELS / n).is_file()}
    return found
