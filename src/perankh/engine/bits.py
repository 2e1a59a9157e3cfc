"""Observations as machine code without branches: the bits of a number spread over a row, 32 at a time in a few instructions."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

LANES = 32
helpers: Any = cgutils  # not typed


@intrinsic
def put_word(typingctx: Any, out: Any, i: Any, word: Any, size: Any) -> Any:
    """Write the lowest `size` bits of a word, at most 32, from place i on; returns the place after the last."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if one_by_one(context, signature.args[0]):
            for_each_bit(context, builder, signature, args, lambda bit, old: builder.zext(bit, old.type))
        else:
            row, place, buffer, flags = in_a_row(context, builder, signature, args)
            builder.store(builder.zext(flags, row), buffer)
            helpers.raw_memcpy(builder, place, buffer, args[3], row.element.width // 8)
        return builder.add(args[1], args[3])

    return types.int64(out, types.int64, types.int64, types.int64), generate


@intrinsic
def add_bits(typingctx: Any, out: Any, i: Any, word: Any, size: Any, value: Any) -> Any:
    """Add a value to the numbers whose bit is 1, in the same way."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = context.cast(builder, args[4], types.int64, signature.args[0].dtype)
        if one_by_one(context, signature.args[0]):
            for_each_bit(context, builder, signature, args, lambda bit, old: builder.select(bit, builder.add(old, value), old))
        else:
            row, place, buffer, flags = in_a_row(context, builder, signature, args)
            helpers.raw_memcpy(builder, buffer, place, args[3], row.element.width // 8)
            nothing, first = ir.Constant(row, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            values = builder.shuffle_vector(builder.insert_element(nothing, value, ir.IntType(32)(0)), nothing, first)
            builder.store(builder.add(builder.load(buffer), builder.and_(builder.sext(flags, row), values)), buffer)
            helpers.raw_memcpy(builder, place, buffer, args[3], row.element.width // 8)
        return builder.add(args[1], args[3])

    return types.int64(out, types.int64, types.int64, types.int64, types.int64), generate


@intrinsic
def put_one_hot(typingctx: Any, out: Any, i: Any, value: Any, size: Any) -> Any:
    """Write `size` numbers from place i on, of which number `value` is 1 and the others 0; returns the place after the last."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, (array, i, value, size) = signature.args[0], args
        data = context.make_array(kind)(context, builder, array)
        with helpers.for_range(builder, size) as loop:
            place = helpers.get_item_pointer(context, builder, kind, data, [builder.add(i, loop.index)])
            builder.store(context.get_constant(kind.dtype, 0), place)
        there = builder.icmp_unsigned("<", value, size)
        with builder.if_then(there):
            place = helpers.get_item_pointer(context, builder, kind, data, [builder.add(i, value)])
            builder.store(context.get_constant(kind.dtype, 1), place)
        return builder.add(i, size)

    return types.int64(out, types.int64, types.int64, types.int64), generate


def one_by_one(context: Any, kind: Any) -> bool:
    """Must the numbers be written one by one? So it is on a GPU, and where they do not lie side by side."""
    return not isinstance(context, CPUContext) or kind.layout != "C"


def for_each_bit(context: Any, builder: Any, signature: Any, args: Any, new: Any) -> None:
    """Replace each number by what `new` makes of its bit and the old number."""
    kind, (array, i, word, size) = signature.args[0], args[:4]
    data = context.make_array(kind)(context, builder, array)
    with helpers.for_range(builder, size) as loop:
        place = helpers.get_item_pointer(context, builder, kind, data, [builder.add(i, loop.index)])
        bit = builder.trunc(builder.lshr(word, loop.index), ir.IntType(1))
        builder.store(new(bit, builder.load(place)), place)


def in_a_row(context: Any, builder: Any, signature: Any, args: Any) -> tuple[Any, Any, Any, Any]:
    """The type of 32 numbers, where the first is written, room for them, and the bits as a vector."""
    kind, (array, i, word) = signature.args[0], args[:3]
    row = ir.VectorType(ir.IntType(kind.dtype.bitwidth), LANES)
    data = context.make_array(kind)(context, builder, array)
    place = helpers.get_item_pointer(context, builder, kind, data, [i])
    flags = builder.bitcast(builder.trunc(word, ir.IntType(LANES)), ir.VectorType(ir.IntType(1), LANES))
    return row, place, helpers.alloca_once(builder, row), flags
