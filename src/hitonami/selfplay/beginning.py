"""A network of self-play that goes on from a model: its weights, read back from the file."""

import json
from functools import partial
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from hitonami.errors import BadModel
from hitonami.models.encoders import start_for
from hitonami.models.encoders.cells import Cells
from hitonami.models.layers import EPSILON, Conv, Norm
from hitonami.models.net import Net, to_tensors
from hitonami.models.spec import NetSpec, shape_of
from hitonami.models.store import Model
from hitonami.selfplay.boards import draw_openings, open_lanes
from hitonami.train.export import flatten
from hitonami.train.read_back import fill_flat

_POSITIONS: Final = 256
_MOST_PLIES: Final = 60


def go_on_from(net: Net, model: Model) -> None:
    """Fill a network from one of the same shape that self-play exported, perhaps of another variant. Raises BadModel.

    The file has normalisation folded into its convolutions. It is made anew from what goes through them on positions
    of random play, so that the network does what the file does, and nearly the same while it learns.
    """
    try:
        recipe = json.loads(model.card.recipe)
        held = NetSpec(**recipe["network"])
        if held.model_copy(update={"encoder": net.spec.encoder}) != net.spec or shape_of(held) != net.shape:
            raise ValueError("another network")
        flat = flatten(net, bits=32)
        fill_flat(flat, model, recipe["model"]["bits"])
    except (KeyError, ValueError, TypeError) as wrong:
        raise BadModel(f"{model.source}: a run of self-play cannot go on from it: {wrong}") from None
    _unfold(net, flat, _positions(net))


def _positions(net: Net) -> dict[str, Tensor]:
    """Inputs of the network on positions of random play."""
    encoder = net.spec.open_encoder()
    assert isinstance(encoder, Cells)
    rng = np.random.default_rng(0)
    plies = rng.integers(_MOST_PLIES, size=_POSITIONS)
    states, _, _ = draw_openings(open_lanes(encoder), [start_for(encoder)] * _POSITIONS, plies, rng)
    return to_tensors({"planes": encoder.paint(states)}, net.shape.names)


@torch.no_grad()
def _unfold(net: Net, flat: Net, inputs: dict[str, Tensor]) -> None:
    net.load_state_dict(flat.state_dict(), strict=False)
    for conv, like in zip(_convolutions(net), _convolutions(flat), strict=True):
        if conv.norm is not None:
            like.conv.register_forward_hook(partial(_take_statistics, conv.norm))
    flat(inputs)


def _convolutions(net: Net) -> list[Conv]:
    return [each for each in net.modules() if isinstance(each, Conv)]


def _take_statistics(norm: Norm, _: nn.Module, __: tuple[Tensor, ...], made: Tensor) -> None:
    """Normalisation that undoes itself for what a convolution has made."""
    mean, variance = made.mean((0, 2, 3)), made.var((0, 2, 3), correction=0)
    norm.mean.copy_(mean)
    norm.variance.copy_(variance)
    norm.bias.copy_(mean)
    norm.weight.copy_(torch.sqrt(variance + EPSILON))
