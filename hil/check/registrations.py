"""Which of a model's operators a firmware registers, as far as its symbols tell.

TFLM's registrations are functions `tflite::Register_<OP>()`, or of one type only, such as
`Register_CONV_2D_INT8()`. An op resolver calls those that it adds, so that one whose symbol is
absent is not registered. One that is present may still not be: a library's object file brings
its neighbours in. Link-time optimisation inlines them all; only the parsers, whose addresses are
stored, then remain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyref.resolver import METHODS, resolver

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyref
    from pyref.model import Operator, Subgraph

#: Mangled `tflite::Register_X()` and `tflite::tflm_signal::Register_X()`: a length, then the name.
_REGISTRATION = re.compile(r"^_ZN6tflite(?:11tflm_signal)?\d+Register_(\w+)Ev$")
_PARSER = re.compile(r"^_ZN6tflite\d+Parse(\w+)EPKNS_8Operator")
_RESOLVER = re.compile(r"22MicroMutableOpResolverILj(\d+)EE")
#: Suffix of a registration of one type to the types of input 0 that it takes, None for any.
_TYPES = {
    "INT8": {"INT8"},
    "INT8REF": {"INT8"},
    "INT4": {"INT8"},
    "INT8_INT16": {"INT8"},
    "INT16": {"INT16"},
    "INT32": {"INT32"},
    "FLOAT": {"FLOAT32"},
}
_RENAMED = {
    "TFLite_Detection_PostProcess": "DETECTION_POSTPROCESS",
    "TFLM_DECODE": "DECODE",
    "ethos-u": "ETHOSU",
}
#: Methods of MicroMutableOpResolver whose parser is not called after them.
_SHARED_PARSERS = {
    "AveragePool2D": "Pool",
    "L2Pool2D": "Pool",
    "MaxPool2D": "Pool",
    "Mean": "Reducer",
    "ReduceAll": "Reducer",
    "ReduceMax": "Reducer",
    "ReduceMin": "Reducer",
    "Sum": "Reducer",
}


@dataclass(frozen=True, slots=True)
class Registrations:
    """What symbols tell of a firmware's op resolver.

    Attributes:
        registered: names after `Register_`; empty where symbols tell nothing.
        missing: the model's operators that are certainly not registered.
        unclear: operators without a registration's symbol in an image whose symbols do not tell,
            since it was optimised at link time.
        resolver_sizes: N of each MicroMutableOpResolver<N>.
        resolver_message: TFLM's words where the only resolver is too small for the model.
    """

    registered: tuple[str, ...]
    missing: tuple[str, ...]
    unclear: tuple[str, ...]
    resolver_sizes: tuple[int, ...]
    resolver_message: str | None


def examine(names: Iterable[str], model: pyref.Model, *, link_time: bool) -> Registrations:
    """Reads symbol names.

    Args:
        names: every symbol's name, mangled.
        model: the model that the firmware is to run.
        link_time: whether the image was optimised at link time.
    """
    names = list(names)
    registered = sorted({m[1] for n in names if (m := _REGISTRATION.match(n))})
    parsers = {m[1] for n in names if (m := _PARSER.match(n))}
    sizes = sorted({int(m[1]) for n in names if (m := _RESOLVER.search(n))})
    lacking = [] if not (registered or parsers) else _lacking(model, registered)
    if link_time:
        lacking = [op for op in lacking if _parser(op) not in parsers]
    elif not registered:
        lacking = []
    return Registrations(
        registered=tuple(registered),
        missing=() if link_time else tuple(lacking),
        unclear=tuple(lacking) if link_time else (),
        resolver_sizes=tuple(sizes),
        resolver_message=_too_small(model, sizes[0]) if len(sizes) == 1 else None,
    )


def registration(op: str) -> str:
    """What stands after `Register_` for an operator (micro_ops.h and its signal library)."""
    if op in _RENAMED:
        return _RENAMED[op]
    if op.startswith("Signal") and op != "SignalPCAN":
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", op.removeprefix("Signal")).upper()
    return op.removeprefix("Signal")


def _parser(op: str) -> str:
    """What stands after `Parse` for an operator."""
    method = METHODS[op].removeprefix("Add")
    return _SHARED_PARSERS.get(method, method)


def _lacking(model: pyref.Model, registered: Sequence[str]) -> list[str]:
    """Operators of the model that none of the registrations takes, with what there is instead.

    Custom operators that TFLM does not have are the firmware's own: symbols do not tell.
    """
    found: dict[str, None] = {}
    for subgraph in model.subgraphs:
        for op in subgraph.operators:
            if op.op not in METHODS:
                continue
            name = registration(op.op)
            suffixes = _suffixes(name, registered)
            if not suffixes:
                found.setdefault(op.op)
            elif "" not in suffixes and not any(_takes(s, subgraph, op) for s in suffixes):
                only = " and ".join(f"Register_{name}_{s}" for s in suffixes)
                found.setdefault(f"{op.op} for {_input_type(subgraph, op)} (only {only})")
    return list(found)


def _suffixes(name: str, registered: Sequence[str]) -> list[str]:
    """Type suffixes of the registrations of one operator; "" for the general one."""
    found = []
    for have in registered:
        if have == name:
            found.append("")
        elif have.startswith(f"{name}_") and have.removeprefix(f"{name}_") in _TYPES:
            found.append(have.removeprefix(f"{name}_"))
    return found


def _takes(suffix: str, subgraph: Subgraph, op: Operator) -> bool:
    return _input_type(subgraph, op) in _TYPES[suffix]


def _input_type(subgraph: Subgraph, op: Operator) -> str:
    return next((subgraph.tensors[i].type for i in op.inputs if i >= 0), "")


def _too_small(model: pyref.Model, size: int) -> str | None:
    """TFLM's message for the first registration that a resolver of `size` has no room for.

    Registrations are taken to come in the order in which the model uses the operators.
    """
    wanted = resolver(model)
    if len(wanted.calls) <= size:
        return None
    codes: dict[str, pyref.model.OperatorCode] = {}
    for subgraph in model.subgraphs:
        for op in subgraph.operators:
            codes.setdefault(op.op, op.code)
    first_out = [c for name, c in codes.items() if name in METHODS or c.custom][size]
    if first_out.custom:
        # TFLM's text has no blank there.
        return (
            f"Couldn't register custom op '{first_out.custom}', resolver size is toosmall ({size})"
        )
    return (
        f"Couldn't register builtin op #{first_out.builtin}, resolver size is too small ({size})."
    )
