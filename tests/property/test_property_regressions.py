"""Every model on which pyref once differed from TFLM."""

from __future__ import annotations

import pytest

from tests.property import regressions
from tests.property.check import Checker
from tests.property.compare import Outcome
from tests.property.instance import Stored
from tests.tflm import needs_tflm


@pytest.fixture(scope="module")
def checker():
    it = Checker()
    yield it
    it.close()


@needs_tflm
@pytest.mark.parametrize("name", regressions.names())
def test_still_like_tflm(name, checker):
    data, invocations = regressions.read(regressions.FOLDER / name)
    operator = regressions.operator_of(name)
    verdict = checker.check(Stored(operator, data, invocations))
    assert verdict.outcome is not Outcome.DIFFERENT, verdict.why
