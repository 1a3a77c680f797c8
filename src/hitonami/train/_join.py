"""Several networks of one trunk side by side as one network of several: branches trained apart, then together.

Trunks, move heads and result heads are stacked as grouped convolutions have them. What each was told of the players
is kept too: the joined network's conditioning holds theirs as blocks that do not touch each other, if it is as wide
as theirs together. Nothing is averaged: weights of networks that were trained apart have nothing to do with each other.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from hitonami.errors import BadModel
from hitonami.models.conditioning import Condition
from hitonami.models.layers import Block, Conv, Norm
from hitonami.models.net import Net

_Layer = nn.Linear | nn.Conv2d


@torch.no_grad()
def join_trunks(net: Net, parts: Sequence[Net]) -> None:
    """Copy K networks of one trunk into the K groups of a network. Raises BadModel where sizes differ."""
    for part in parts:
        if part.spec.groups != 1:
            raise BadModel("a network to start from has several trunks itself")
        known = part.trunk.entry.conv.in_channels == net.trunk.entry.conv.in_channels
        if not known or part.spec.policy != net.spec.policy or part.spec.blocks != net.spec.blocks:
            raise BadModel("a network to start from has another encoder, or another number of blocks")
    _stack_conv(net.trunk.entry, [part.trunk.entry for part in parts])
    if net.trunk.scalars is not None:
        _stack(net.trunk.scalars, [part.trunk.scalars for part in parts if part.trunk.scalars is not None])
    for at, block in enumerate(net.trunk.blocks):
        _stack_block(block, [part.trunk.blocks[at] for part in parts])
    _stack_conv(net.human.raise_, [part.human.raise_ for part in parts])
    _stack(net.human.moves, [part.human.moves for part in parts])
    if net.human.kind == "points":
        _stack(net.human.pooled, [part.human.pooled for part in parts])
        _stack(net.human.passing, [part.human.passing for part in parts])
    if net.joint is None and (not net.spec.shared_value or len(parts) == 1):
        _stack_conv(net.value.raise_, [part.value.raise_ for part in parts])
        _stack(net.value.hidden, [part.value.hidden for part in parts])
        _stack(net.value.result, [part.value.result for part in parts])
    if net.condition is not None and any(part.condition is not None for part in parts):
        _join_conditions(net.condition, net, parts)


def _stack_block(block: nn.Module, parts: Sequence[nn.Module]) -> None:
    assert isinstance(block, Block)
    given = [part for part in parts if isinstance(part, Block)]
    _stack_conv(block.first, [part.first for part in given])
    _stack_conv(block.second, [part.second for part in given])
    _stack(block.squeeze, [part.squeeze for part in given])
    _stack(block.scale, [part.scale for part in given])
    _stack(block.shift, [part.shift for part in given])


def _stack_conv(layer: Conv, parts: Sequence[Conv]) -> None:
    _stack(layer.conv, [part.conv for part in parts])
    norms = [part.norm for part in parts if part.norm is not None]
    if layer.norm is not None and len(norms) == len(parts):
        _stack_norm(layer.norm, norms)


def _stack_norm(norm: Norm, parts: Sequence[Norm]) -> None:
    for name in ("weight", "bias", "mean", "variance"):
        _fill(getattr(norm, name), torch.cat([getattr(part, name) for part in parts]))


def _stack(layer: _Layer, parts: Sequence[_Layer]) -> None:
    _fill(layer.weight, torch.cat([part.weight for part in parts]))
    biases = [part.bias for part in parts if part.bias is not None]
    if layer.bias is not None:
        _fill(layer.bias, torch.cat(biases))


def _fill(target: Tensor, values: Tensor) -> None:
    if target.shape != values.shape:
        raise BadModel(f"the network has {list(target.shape)} where those to start from have {list(values.shape)}")
    target.copy_(values)


def _join_conditions(joined: Condition, net: Net, parts: Sequence[Net]) -> None:
    """Each part's share of the hidden layers is a block; a part that knew no players keeps a fresh block."""
    count, width = len(parts), net.spec.channels
    hidden, pools = len(joined.first.bias) // count, joined.pool.weight.shape[1] // count
    plain = joined.first.weight.shape[1] - joined.pool.weight.shape[1]  # columns that are not about the pool
    joined.second.weight.mul_(torch.kron(torch.eye(count), torch.ones(hidden, hidden)))
    for at, part in enumerate(parts):
        rows, own_pool = slice(at * hidden, (at + 1) * hidden), slice(at * pools, (at + 1) * pools)
        given = part.condition
        if given is None:
            continue
        if part.spec.pools != net.spec.pools or (given.middle, given.half_range) != (joined.middle, joined.half_range):
            raise BadModel("a network to start from knows other pools or another range of ratings")
        _fill(joined.pool.weight[:, own_pool], given.pool.weight)
        joined.first.weight[rows] = 0.0
        _fill(joined.first.weight[rows, :plain], given.first.weight[:, :plain])
        _fill(joined.first.weight[rows, plain:][:, own_pool], given.first.weight[:, plain:])
        _fill(joined.first.bias[rows], given.first.bias)
        _fill(joined.second.weight[rows, rows], given.second.weight)
        _fill(joined.second.bias[rows], given.second.bias)
        for layer in range(len(joined.sizes)):
            to = slice(layer * net.spec.width + at * width, layer * net.spec.width + (at + 1) * width)
            own = slice(layer * width, (layer + 1) * width)
            _fill(joined.film.weight[to, rows], given.film.weight[own])
            _fill(joined.film.bias[to], given.film.bias[own])
