"""3×3 convolutions by tiles while a network learns on a processor: Winograd's F(4×4, 3×3), forwards and backwards.

A convolution of a 4×4 tile takes 36 multiplications a pair of channels instead of 144, and 36 products of matrices do
them for all tiles at once; what stands around is additions (`tile_kernels`). Slopes go back in the same way: those of
the boards by the turned weights, those of the weights by one product a place. Results differ from the plain ones by
float rounding (1e-5 of the largest). Boards that tiles do not fit are left to the plain convolution, and so are
validation and export. `benchmarks/bench_training.py` has the ratio.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (torch's own custom)

from hitonami.models.tile_kernels import gather_outputs, spread_inputs, spread_outputs

_FEWEST_CHANNELS: Final = 48
"""Below, products of matrices are too thin to pay for what stands around them."""
_MOST_WASTE: Final = 1.25
"""Points that tiles compute for each point of the board: 1 on 8×8, 1.11 on 19×19, 1.78 on 9×9, where nothing is won."""
_TILES_AT_ONCE: Final = 256
"""So that all of a portion stays in the processor's cache."""
_WEIGHTS: Final = torch.tensor(
    [[6, 0, 0], [-4, -4, -4], [-4, 4, -4], [1, 2, 4], [1, -2, 4], [0, 0, 24]], dtype=torch.float32
) / 24  # fmt: skip
"""[6, 3] G: a row of a kernel -> a row of a tile."""


def convolve(x: Tensor, weight: Tensor, bias: Tensor | None, padding: int, groups: int = 1) -> Tensor:
    """A convolution of stride 1, by tiles where that is quicker and slopes are wanted."""
    if groups == 1 and _pays(x, weight, padding):
        made: Tensor = _Tiled.apply(x, weight, bias)  # type: ignore[no-untyped-call]
        return made
    return F.conv2d(x, weight, bias, padding=padding, groups=groups)


class Convolution(nn.Conv2d):
    """The same as a layer, of stride 1."""

    def forward(self, x: Tensor) -> Tensor:
        return convolve(x, self.weight, self.bias, int(self.padding[0]), self.groups)


def _pays(x: Tensor, weight: Tensor, padding: int) -> bool:
    return (
        weight.requires_grad
        and torch.is_grad_enabled()
        and not torch.is_autocast_enabled("cpu")  # in 16 bits the processor's own matrices are faster
        and weight.shape[2:] == (3, 3)
        and padding == 1
        and min(weight.shape[:2]) >= _FEWEST_CHANNELS
        and 16 * math.prod(_tiles_of(x.shape[2:])) <= _MOST_WASTE * math.prod(x.shape[2:])
        and x.device.type == "cpu"
        and x.dtype == weight.dtype == torch.float32
        and len(x) > 0
    )


class _Tiled(torch.autograd.Function):
    """x [N, C, H, W], weight [K, C, 3, 3], bias [K] or None -> [N, K, H, W], channels last in memory."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(x, weight)
        added = np.zeros(len(weight), np.float32) if bias is None else bias.detach().numpy()
        return _convolve(_channels_last(x), _spread_weights(weight), added)

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, weight = ctx.saved_tensors
        boards = _channels_last(slopes[0])
        into_x = into_weight = into_bias = None
        if ctx.needs_input_grad[0]:
            turned = _spread_weights(weight.flip(2, 3).transpose(0, 1))
            into_x = _convolve(boards, turned, np.zeros(weight.shape[1], np.float32))
        if ctx.needs_input_grad[1]:
            into_weight = _slopes_of_weights(_channels_last(x), boards)
        if ctx.needs_input_grad[2]:
            into_bias = torch.from_numpy(boards.reshape(-1, boards.shape[3]).sum(0))
        return into_x, into_weight, into_bias


def _channels_last(x: Tensor) -> NDArray[np.float32]:
    """[N, H, W, C], copied only where the memory lies otherwise."""
    boards: NDArray[np.float32] = x.detach().permute(0, 2, 3, 1).contiguous().numpy()
    return boards


def _spread_weights(weight: Tensor) -> Tensor:
    """G g Gᵀ of each kernel: [K, C, 3, 3] -> [36, C, K]."""
    spread = torch.einsum("ia,kcab,jb->ijck", _WEIGHTS, weight.detach(), _WEIGHTS)
    return spread.reshape(36, *spread.shape[2:]).contiguous()


def _tiles_of(board: Sequence[int]) -> tuple[int, int]:
    """How many tiles a board is high and wide."""
    return -(-board[0] // 4), -(-board[1] // 4)


def _portions(count: int, tiles: int) -> Iterator[slice]:
    size = max(1, _TILES_AT_ONCE // tiles)
    return (slice(begin, begin + size) for begin in range(0, count, size))


def _convolve(boards: NDArray[np.float32], weights: Tensor, bias: NDArray[np.float32]) -> Tensor:
    high, wide = _tiles_of(boards.shape[1:3])
    out = np.empty((*boards.shape[:3], weights.shape[2]), np.float32)
    for part in _portions(len(boards), high * wide):
        tiles = torch.empty(36, len(boards[part]) * high * wide, weights.shape[1])
        spread_inputs(boards[part], tiles.numpy(), high, wide)
        gather_outputs(torch.bmm(tiles, weights).numpy(), bias, out[part], high, wide)
    return torch.from_numpy(out).permute(0, 3, 1, 2)


def _slopes_of_weights(boards: NDArray[np.float32], slopes: NDArray[np.float32]) -> Tensor:
    """[K, C, 3, 3]: one product for each of the 36 places, and the way back through G."""
    high, wide = _tiles_of(boards.shape[1:3])
    inputs, outputs = boards.shape[3], slopes.shape[3]
    total = torch.zeros(36, inputs, outputs)
    for part in _portions(len(boards), high * wide):
        count = len(boards[part]) * high * wide
        tiles, told = torch.empty(36, count, inputs), torch.empty(36, count, outputs)
        spread_inputs(boards[part], tiles.numpy(), high, wide)
        spread_outputs(slopes[part], told.numpy(), high, wide)
        total.baddbmm_(tiles.transpose(1, 2), told)
    return torch.einsum("ia,ijck,jb->kcab", _WEIGHTS, total.view(6, 6, inputs, outputs), _WEIGHTS)
