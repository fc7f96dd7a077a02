"""Random models in CI: a fixed budget, the same examples each time, failures shrink to a file.

Hypothesis draws and shrinks. A failure writes the smallest model it found to
fixtures/regressions, where `test_property_regressions.py` finds it from then on: commit it
with the fix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.property import regressions
from tests.property.check import Checker
from tests.property.compare import Outcome
from tests.property.draw import HypothesisDraw
from tests.property.table import STRATEGIES
from tests.tflm import needs_tflm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.property.instance import Instance

#: Models per operator; more of those with many parameters.
EXAMPLES = 120
MORE = dict.fromkeys(
    ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "ADD", "MUL", "QUANTIZE", "graph"), 300
)


@st.composite
def models(draw: Any, operator: str) -> Instance:
    """Instances of one operator."""
    return STRATEGIES[operator](HypothesisDraw(draw))


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    """One pair of TFLM workers for the whole file."""
    it = Checker()
    yield it
    it.close()


@needs_tflm
@pytest.mark.parametrize("operator", STRATEGIES)
def test_random_models_like_tflm(operator: str, checker: Checker) -> None:
    failed: list[Instance] = []

    @settings(
        max_examples=MORE.get(operator, EXAMPLES),
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
    @given(models(operator))
    def compare(instance: Instance) -> None:
        verdict = checker.check(instance)
        if verdict.outcome is Outcome.DIFFERENT:
            failed.append(instance)
            pytest.fail(f"{verdict.why} (broken on purpose: {instance.broken})", pytrace=False)

    try:
        compare()
    except BaseException as error:
        if failed:  # hypothesis runs the smallest example last
            path = regressions.write(failed[-1])
            error.add_note(f"the model was written to {path.name}, its inputs beside it")
        raise
