"""Protobuf's wire format, as much of it as networks on disk need: read any message, write our own.

Lc0's networks and ONNX are both protobuf. Reading them here needs no generated code, reads nothing that was not
asked for, and refuses what is cut off with the place. It knows no schema: callers name fields by number.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Self

from hitonami.errors import BadModel

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED = {_FIXED64: struct.Struct("<Q"), _FIXED32: struct.Struct("<I")}
Value = int | memoryview


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """The number at `at`, and where the next thing begins."""
    number = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number & 0xFFFF_FFFF_FFFF_FFFF, at
    raise BadModel(f"a number is cut off at byte {at}")


def _walk(data: memoryview) -> Iterator[tuple[int, Value]]:
    at = 0
    while at < len(data):
        begin = at
        tag, at = _read_varint(data, at)
        field, kind = tag >> 3, tag & 7
        if kind == _VARINT:
            number, at = _read_varint(data, at)
            yield field, number
        elif kind in _FIXED:
            size = _FIXED[kind].size
            if at + size > len(data):
                raise BadModel(f"field {field} is cut off at byte {at}")
            yield field, _FIXED[kind].unpack_from(data, at)[0]
            at += size
        elif kind == _BYTES:
            size, at = _read_varint(data, at)
            if at + size > len(data):
                raise BadModel(f"field {field} at byte {begin} promises {size} bytes, {len(data) - at} are left")
            yield field, data[at : at + size]
            at += size
        else:
            raise BadModel(f"byte {begin} begins no field")


class Message:
    """The fields of one message, by number. A field of the wrong wire type raises BadModel when it is asked for."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._fields: dict[int, list[Value]] = {}
        for field, value in _walk(memoryview(data)):
            self._fields.setdefault(field, []).append(value)

    def __contains__(self, field: int) -> bool:
        return field in self._fields

    def pairs(self) -> Iterator[tuple[int, Value]]:
        """Every field's number and value, by number."""
        for field, values in self._fields.items():
            for value in values:
                yield field, value

    def number(self, field: int, default: int = 0) -> int:
        value = self._fields.get(field, [default])[-1]
        if not isinstance(value, int):
            raise BadModel(f"field {field} is not a number")
        return value

    def real(self, field: int) -> float:
        """A 32-bit float; 0 where there is none."""
        return float(struct.unpack("<f", struct.pack("<I", self.number(field) & 0xFFFF_FFFF))[0])

    def data(self, field: int) -> memoryview:
        return ([memoryview(b""), *self.all_data(field)])[-1]

    def text(self, field: int) -> str:
        return bytes(self.data(field)).decode("utf-8", "replace")

    def all_data(self, field: int) -> list[memoryview]:
        values = self._fields.get(field, [])
        found = [value for value in values if isinstance(value, memoryview)]
        if len(found) != len(values):
            raise BadModel(f"field {field} is a number where bytes belong")
        return found

    def messages(self, field: int) -> list[Self]:
        return [type(self)(data) for data in self.all_data(field)]

    def message(self, field: int) -> Self:
        """The one message in this field; an empty one where there is none."""
        return type(self)(self.data(field))


def _varint(number: int) -> bytes:
    number &= 0xFFFF_FFFF_FFFF_FFFF  # negative numbers are written as 64-bit two's complement
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def write_number(field: int, number: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(number)


def write_bytes(field: int, data: bytes | str) -> bytes:
    raw = data.encode() if isinstance(data, str) else data
    return _varint(field << 3 | _BYTES) + _varint(len(raw)) + raw


def write_numbers(field: int, numbers: Iterable[int]) -> bytes:
    """A repeated number, unpacked."""
    return b"".join(write_number(field, number) for number in numbers)
