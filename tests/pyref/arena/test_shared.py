"""Several models on one allocator, and one model in two arenas."""

from __future__ import annotations

import pytest

import pyref
from pyref.arena import shared_plan, split_plan
from pyref.errors import PlanError
from tests.pyref.arena.cases import CASES


def load(name):
    return pyref.Model.from_bytes(CASES[name]())


def test_heads_are_shared_and_tails_add_up():
    models = [load("chain"), load("CONV_2D-3x3-int8")]
    plans = [pyref.plan(m) for m in models]
    both = shared_plan(models)
    assert both.heads == tuple(p.head_bytes for p in plans)
    assert both.head_bytes == max(both.heads)
    objects = sum(
        c.used
        for c in plans[0].consumers
        if c.detail in {"SingleArenaBufferAllocator", "GreedyMemoryPlanner", "MicroAllocator"}
    )
    together = sum(p.tail_bytes for p in plans) - objects
    assert abs(both.tail_bytes - together) < 16  # alignment
    assert both.arena_used_bytes == both.head_bytes + both.tail_bytes
    assert both.smallest_arena_bytes >= both.arena_used_bytes


def test_one_model_alone_is_as_usual():
    plan = pyref.plan(load("chain-branches"))
    alone = shared_plan([load("chain-branches")])
    assert alone.arena_used_bytes == plan.arena_used_bytes
    assert alone.smallest_arena_bytes == plan.smallest_arena_bytes


def test_order_matters_for_the_smallest_arena_only():
    a, b = load("chain"), load("chain-branches")
    one, other = shared_plan([a, b]), shared_plan([b, a])
    assert one.head_bytes == other.head_bytes


def test_a_failed_model_blocks_the_next():
    with pytest.raises(PlanError) as caught:
        shared_plan([load("chain"), load("chain")], arena_size=400)
    assert str(caught.value).startswith("model 0: Failed to ")
    assert "started before finishing previously allocated model" in str(caught.value)


def test_split():
    plan = pyref.plan(load("chain-branches"))
    split = split_plan(load("chain-branches"))
    assert split.non_persistent_bytes == plan.head_bytes
    # Two allocator objects (16 + 32 bytes) instead of one (36), and an aligned end.
    assert abs(split.persistent_bytes - plan.tail_bytes - 12) < 32
    assert split.smallest_persistent_bytes >= split.persistent_bytes
    assert split.smallest_non_persistent_bytes >= split.non_persistent_bytes
