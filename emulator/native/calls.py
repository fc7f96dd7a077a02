# mypy: disable-error-code="misc, call-overload, call-arg, no-untyped-call, attr-defined"
"""What numba code needs beyond numba: calls and byte accesses by host address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import cfunc, int64, uint8
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable


def callback(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function to machine code with C's calling convention; `address` is where it is.

    The code is cached on disk, unless no place for that can be written.
    """

    def compile_(function: Callable[..., Any]) -> Any:
        try:
            return cfunc(signature, cache=True)(function)
        except RuntimeError:  # numba: "cannot cache function ...: no locator available"
            return cfunc(signature)(function)

    return compile_


def _void_call(count: int) -> Callable[..., Any]:
    """An intrinsic that calls a C function by its address with `count` 64-bit arguments."""

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        i64 = ir.IntType(64)
        function = ir.FunctionType(ir.VoidType(), [i64] * count)
        pointer = builder.inttoptr(arguments[0], function.as_pointer())
        builder.call(pointer, list(arguments[1:]))
        return ir.Constant(i64, 0)

    if count == 1:

        def one(_context: Any, _address: Any, _a: Any) -> Any:
            return int64(int64, int64), codegen

        return intrinsic(one)

    def three(_context: Any, _address: Any, _a: Any, _b: Any, _c: Any) -> Any:
        return int64(int64, int64, int64, int64), codegen

    return intrinsic(three)


call_1 = _void_call(1)
call_3 = _void_call(3)


@intrinsic
def load_byte(_context: Any, _address: Any) -> Any:
    """The byte at a host address."""

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))

    return uint8(int64), codegen


@intrinsic
def store_byte(_context: Any, _address: Any, _value: Any) -> Any:
    """Store the low byte of a value at a host address."""

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(
            builder.trunc(arguments[1], ir.IntType(8)),
            builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()),
        )
        return ir.Constant(ir.IntType(64), 0)

    return int64(int64, int64), codegen
