"""The operator table against the files beside it and TFLM's resolver."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

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


def prepares(name):
    """Functions of a file that prepare an operator: `prepare...`, which take the node alone."""
    module = importlib.import_module(name)
    short = name.removeprefix("pyref.operators.")
    for attribute, value in vars(module).items():
        if attribute.startswith("prepare") and getattr(value, "__module__", "") == name:
            code = value.__code__
            if code.co_argcount == 1 and code.co_kwonlyargcount == 0:
                yield f"{short}:{attribute}"


def test_no_operator_file_is_missing_from_the_table():
    """Nor any function of one that serves several operators."""
    defined = {function for name in modules() for function in prepares(name)}
    listed = {t if ":" in t else f"{t}:prepare" for t in OPERATORS.values()}
    assert defined == listed


def test_every_other_file_is_used_by_an_operator():
    """What several operators share, imported by one of them."""
    shared = {name.rpartition(".")[2] for name in modules() if not list(prepares(name))}
    texts = [Path(importlib.import_module(n).__file__).read_text("utf-8") for n in modules()]
    unused = {
        n
        for n in shared
        if not any(re.search(rf"import\b.*\b{n}\b|\.{n} import", t) for t in texts)
    }
    assert unused == set()


def test_no_operator_of_another_name():
    assert operators.find("TILE") is None


def test_submodules_do_not_shadow_what_find_uses():
    """Importing pyref.operators.cast binds `cast` in the package."""
    for name in ("CAST", "ROUND", "SLICE", "SHAPE"):
        operators.find(name)
    assert callable(operators.find("ABS"))
