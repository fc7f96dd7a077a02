"""No operator is missing from the table, and every strategy keeps its promises."""

from __future__ import annotations

import pytest

import pyref
from pyref.errors import ModelError
from pyref.operators import OPERATORS
from tests.property.draw import ReplayDraw, SeededDraw
from tests.property.table import STRATEGIES


def test_every_operator_has_a_strategy():
    assert set(STRATEGIES) == {*OPERATORS, "graph"}


@pytest.mark.parametrize("operator", STRATEGIES)
def test_models_hold_the_operator_they_are_drawn_for(operator):
    for number in range(5):
        instance = STRATEGIES[operator](SeededDraw(f"table/{operator}/{number}"))
        codes = {o.custom_code or o.code for g in instance.model.subgraphs for o in g.operators}
        assert operator in {*codes, "graph"}
        if instance.broken is None:
            model = pyref.Model.from_bytes(instance.data)
            fed = [[a.shape for a in inputs] for inputs in instance.invocations]
            assert all(shapes == [t.shape for t in model.inputs] for shapes in fed)


@pytest.mark.parametrize("operator", STRATEGIES)
def test_the_simplest_model_is_sound(operator):
    """What shrinking ends at: every choice the lowest."""
    instance = STRATEGIES[operator](ReplayDraw([]))
    assert instance.broken is None
    try:
        pyref.Model.from_bytes(instance.data)
    except ModelError as error:
        pytest.fail(str(error))


def test_the_same_seed_draws_the_same_model():
    draws = [SeededDraw("7/CONV_2D/3") for _ in range(2)]
    first, second = (STRATEGIES["CONV_2D"](d) for d in draws)
    assert first.data == second.data
    again = STRATEGIES["CONV_2D"](ReplayDraw(draws[0].choices))
    assert again.data == first.data
