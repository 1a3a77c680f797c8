"""Convolutions by tiles, and their slopes, are those of torch; where they would gain nothing torch's own are used."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional as F  # noqa: N812  (torch's own custom)

from hitonami.models import tiled_convolution
from hitonami.models.tile_kernels import gather_outputs, spread_inputs, spread_outputs
from hitonami.models.tiled_convolution import convolve

_CHANNELS = (48, 48)


def _parts(count: int, channels: tuple[int, int], board: tuple[int, int], seed: int) -> tuple[Tensor, Tensor, Tensor]:
    chance = torch.Generator().manual_seed(seed)
    inputs, outputs = channels
    x = torch.randn(count, inputs, *board, generator=chance).contiguous(memory_format=torch.channels_last)
    weight = torch.randn(outputs, inputs, 3, 3, generator=chance) / (9 * inputs) ** 0.5
    return x.requires_grad_(), weight.requires_grad_(), torch.randn(outputs, generator=chance).requires_grad_()


def _there_and_back(made: Tensor, *leaves: Tensor) -> list[Tensor]:
    """What came out, and the slopes that go into each leaf, for slopes that are not alike.

    They do not cancel: a bias' slope is the sum of thousands, and beside a sum of nearly nothing rounding is much.
    """
    slopes = (1.5 + torch.cos(torch.arange(made.numel(), dtype=torch.float32))).reshape(made.shape)
    return [made.detach(), *torch.autograd.grad(made, leaves, slopes)]


def _used(made: Tensor) -> bool:
    return type(made.grad_fn).__name__ == "_TiledBackward"


@given(
    st.integers(1, 70),
    st.sampled_from([(4, 4), (8, 8), (7, 8), (8, 4), (12, 11), (19, 19)]),
    st.sampled_from([(48, 48), (48, 65), (70, 51)]),
    st.booleans(),
    st.integers(0, 9),
)
@settings(max_examples=25, deadline=None)
def test_boards_and_slopes_are_those_of_torch(
    count: int, board: tuple[int, int], channels: tuple[int, int], biased: bool, seed: int
) -> None:
    x, weight, bias = _parts(min(count, 6) if board[0] > 12 else count, channels, board, seed)
    leaves = (x, weight, bias) if biased else (x, weight)
    tiled = convolve(x, weight, bias if biased else None, 1)
    assert _used(tiled)
    plain = F.conv2d(x, weight, bias if biased else None, padding=1)
    for ours, theirs in zip(_there_and_back(tiled, *leaves), _there_and_back(plain, *leaves), strict=True):
        assert ours.shape == theirs.shape
        assert float((ours - theirs).abs().max()) <= 5e-5 * float(theirs.abs().max())


def test_boards_that_lie_otherwise_in_memory_give_the_same() -> None:
    x, weight, bias = _parts(3, _CHANNELS, (8, 8), 1)
    turned = x.detach().contiguous(memory_format=torch.contiguous_format).requires_grad_()
    ours = _there_and_back(convolve(turned, weight, bias, 1), turned, weight)
    for one, other in zip(ours, _there_and_back(convolve(x, weight, bias, 1), x, weight), strict=True):
        assert torch.equal(one, other)


def test_the_first_layer_asks_for_no_slopes_of_its_planes() -> None:
    x, weight, bias = _parts(2, _CHANNELS, (8, 8), 2)
    made = convolve(x.detach(), weight, bias, 1)
    assert _used(made)
    [slopes] = torch.autograd.grad(made.sum(), (weight,))
    [right] = torch.autograd.grad(F.conv2d(x.detach(), weight, bias, padding=1).sum(), (weight,))
    assert torch.allclose(slopes, right, atol=1e-3)


@pytest.mark.parametrize(
    ("channels", "board", "groups"), [((47, 64), (8, 8), 1), ((96, 96), (8, 8), 2), ((64, 64), (9, 9), 1)]
)
def test_torch_does_what_tiles_would_not_speed_up(
    channels: tuple[int, int], board: tuple[int, int], groups: int
) -> None:
    x, weight, bias = _parts(2, channels, board, 3)
    weight = weight[:, : channels[0] // groups]
    assert not _used(convolve(x, weight, bias, 1, groups))


def test_who_only_looks_has_the_plain_convolution() -> None:
    x, weight, bias = _parts(2, (64, 64), (8, 8), 4)
    with torch.no_grad():
        assert torch.equal(convolve(x, weight, bias, 1), F.conv2d(x, weight, bias, padding=1))
    frozen = weight.detach()
    assert not _used(convolve(x, frozen, bias, 1))


def test_portions_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    x, weight, bias = _parts(7, (64, 64), (8, 8), 5)
    whole = _there_and_back(convolve(x, weight, bias, 1), x, weight, bias)
    monkeypatch.setattr(tiled_convolution, "_TILES_AT_ONCE", 8)
    for one, other in zip(whole, _there_and_back(convolve(x, weight, bias, 1), x, weight, bias), strict=True):
        assert float((one - other).abs().max()) <= 5e-5 * float(one.abs().max())


def test_the_way_back_is_the_adjoint_of_the_way_there() -> None:
    rng = np.random.default_rng(6)
    tiles, board = rng.normal(size=(36, 4, 3)).astype(np.float32), rng.normal(size=(1, 7, 8, 3)).astype(np.float32)
    there, back = np.zeros_like(board), np.zeros_like(tiles)
    gather_outputs(tiles, np.zeros(3, np.float32), there, 2, 2)
    spread_outputs(board, back, 2, 2)
    assert np.vdot(there, board) == pytest.approx(np.vdot(tiles, back), rel=1e-4)


def test_a_tile_of_ones_spreads_as_the_published_matrix_says() -> None:
    board, tiles = np.ones((1, 4, 4, 1), np.float32), np.empty((36, 1, 1), np.float32)
    spread_inputs(board, tiles, 1, 1)
    b = np.array(
        [[4, 0, -5, 0, 1, 0], [0, -4, -4, 1, 1, 0], [0, 4, -4, -1, 1, 0], [0, -2, -1, 2, 1, 0], [0, 2, -1, -2, 1, 0],
         [0, 4, 0, -5, 0, 1]]
    )  # fmt: skip
    around = np.pad(np.ones((4, 4)), 1)
    np.testing.assert_allclose(tiles.reshape(6, 6), b @ around @ b.T)


def test_in_16_bits_torch_has_the_better_matrices() -> None:
    x, weight, bias = _parts(4, _CHANNELS, (8, 8), 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not _used(convolve(x, weight, bias, 1))
