"""What the nodes of a network's graph do, in numpy: as many kinds as board networks are made of.

Arrays have the axes that ONNX says ([boards, channels, rows, columns]), but what a convolution makes lies in memory
with its channels side by side, and numpy keeps it so. A kind, or a way to use it, that is not here raises `NotServed`:
the network is then left to ONNX Runtime, whose results these are but for rounding.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel

Array = NDArray[Any]
Attributes = Mapping[str, Any]
Operator = Callable[..., Array]
_TYPES: Final[dict[int, type[Any]]] = {
    1: np.float32,
    2: np.uint8,
    3: np.int8,
    6: np.int32,
    7: np.int64,
    9: np.bool_,
    10: np.float16,
}


class NotServed(BadModel):
    """A graph that is not understood here."""


def element_type(number: int) -> type[Any]:
    """Of ONNX's numbers for types."""
    if number not in _TYPES:
        raise NotServed(f"elements of type {number}")
    return _TYPES[number]


def _cast(x: Array, *, to: int) -> Array:
    return x.astype(element_type(to), copy=False)


def _sigmoid(x: Array) -> Array:
    with np.errstate(over="ignore"):
        made: Array = np.float32(1) / (np.float32(1) + np.exp(-x))
    return made


def _softplus(x: Array) -> Array:
    return np.logaddexp(x, np.float32(0))


def _softmax(x: Array, *, axis: int = -1) -> Array:
    made = np.exp(x - x.max(axis=axis, keepdims=True))
    total: Array = made / made.sum(axis=axis, keepdims=True)
    return total


def _gather(x: Array, places: Array, *, axis: int = 0) -> Array:
    if axis == 0 and places.ndim == 1 and len(places) == len(x) and (places == np.arange(len(x))).all():
        return x  # each player looks at a board of its own
    return x.take(places, axis=axis)


def _slice(x: Array, starts: Array, ends: Array, axes: Array | None = None, steps: Array | None = None) -> Array:
    along = range(len(starts)) if axes is None else axes.tolist()
    strides = [1] * len(starts) if steps is None else steps.tolist()
    parts = [slice(None)] * x.ndim
    for axis, begin, end, stride in zip(along, starts.tolist(), ends.tolist(), strides, strict=True):
        if stride < 1:
            raise NotServed("a slice backwards")
        parts[axis] = slice(begin, end, stride)
    return x[tuple(parts)]


def _reshape(x: Array, shape: Array, *, allowzero: int = 0) -> Array:
    if allowzero:
        raise NotServed("a shape of nothing")
    return x.reshape([x.shape[at] if size == 0 else size for at, size in enumerate(shape.tolist())])


def _flatten(x: Array, *, axis: int = 1) -> Array:
    return x.reshape(int(np.prod(x.shape[:axis])), -1)


def _gemm(a: Array, b: Array, c: Array | None = None, **wish: Any) -> Array:
    if wish.get("alpha", 1.0) != 1.0 or wish.get("beta", 1.0) != 1.0:
        raise NotServed("a scaled product")
    made: Array = (a.T if wish.get("transA") else a) @ (b.T if wish.get("transB") else b)
    return made if c is None else made + c


def _squares(x: Array) -> Array:
    """[N, squares, C] of boards whose channels lie side by side; a copy of others."""
    return x.transpose(0, 2, 3, 1).reshape(len(x), -1, x.shape[1])


def _mean(x: Array) -> Array:
    return (np.add.reduce(_squares(x), axis=1) / np.float32(x.shape[2] * x.shape[3]))[:, :, None, None]


def _max(x: Array) -> Array:
    return np.maximum.reduce(_squares(x), axis=1)[:, :, None, None]


def _pool(whole: Operator) -> Operator:
    def pool(x: Array, **wish: Any) -> Array:
        if list(wish["kernel_shape"]) != list(x.shape[2:]) or any(wish.get("pads", ())) or wish.get("ceil_mode"):
            raise NotServed("a pool of less than the board")
        return whole(x)

    return pool


def _reduce_sum(x: Array, axes: Array | None = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Array:
    if axes is None or noop_with_empty_axes:
        raise NotServed("a sum over everything")
    made: Array = x.sum(axis=tuple(axes.tolist()), keepdims=bool(keepdims))
    return made


OPERATORS: Final[Mapping[str, Operator]] = {
    "Add": np.add,
    "AveragePool": _pool(_mean),
    "Cast": _cast,
    "Concat": lambda *parts, axis: np.concatenate(parts, axis=axis),
    "Div": np.divide,
    "Exp": np.exp,
    "Flatten": _flatten,
    "Gather": _gather,
    "Gemm": _gemm,
    "GlobalAveragePool": _mean,
    "GlobalMaxPool": _max,
    "Identity": lambda x: x,
    "MatMul": np.matmul,
    "MaxPool": _pool(_max),
    "Mul": np.multiply,
    "Neg": np.negative,
    "ReduceSum": _reduce_sum,
    "Relu": lambda x: np.maximum(x, np.float32(0)),
    "Reshape": _reshape,
    "Sigmoid": _sigmoid,
    "Slice": _slice,
    "Softmax": _softmax,
    "Softplus": _softplus,
    "Sqrt": np.sqrt,
    "Squeeze": lambda x, axes: x.squeeze(tuple(axes.tolist())),
    "Sub": np.subtract,
    "Tanh": np.tanh,
    "Unsqueeze": lambda x, axes: np.expand_dims(x, tuple(axes.tolist())),
}
"""By ONNX's names, as they are from opset 13 on."""
