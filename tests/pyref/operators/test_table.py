"""The operator table against the files beside it and TFLM's resolver."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from pyref import operators
from pyref.operators import OPERATORS


def modules():
    for info in pkgutil.walk_packages(operators.__path__, "pyref.operators."):
        if not info.ispkg:
            yield info.name


@pytest.mark.parametrize("name", OPERATORS)
def test_entry_is_a_function(name):
    assert callable(operators.find(name))


def test_no_operator_file_is_missing_from_the_table():
    """An operator file is one with a `prepare` that takes the node alone."""
    listed = {f"pyref.operators.{target.partition(':')[0]}" for target in OPERATORS.values()}
    missing = []
    for name in modules():
        prepare = getattr(importlib.import_module(name), "prepare", None)
        if prepare and prepare.__code__.co_argcount == 1 and name not in listed:
            missing.append(name)
    assert missing == []


def test_no_operator_of_another_name():
    assert operators.find("TILE") is None


def test_submodules_do_not_shadow_what_find_uses():
    """Importing pyref.operators.cast binds `cast` in the package."""
    for name in ("CAST", "ROUND", "SLICE", "SHAPE"):
        operators.find(name)
    assert callable(operators.find("ABS"))
