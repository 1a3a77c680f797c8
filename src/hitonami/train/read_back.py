"""The weights of a network, read back from the model that was exported from it: to go on where no checkpoint is kept.

The file is written once more from a network of the same recipe, and each weight that is asked for on the way is filled
from the constant that stands at the same place of the file. What comes back is rounded as the file is. A graft of
which more is learned (an earlier stem, more places that are told who plays) takes over what both have; the rest stays
the base's.
"""

import json
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor

from hitonami.core import Query, open_game
from hitonami.errors import BadModel
from hitonami.models.encoders import start_for
from hitonami.models.graft import BaseGraph, Graft
from hitonami.models.net import Net
from hitonami.models.spec import GraftSpec, NetSpec
from hitonami.models.store import Model
from hitonami.train._graft_graph import GraftWriter
from hitonami.train._graph import NetWriter
from hitonami.train._writer import GraphWriter, bits_of


def go_on_from_model(net: Graft, base: BaseGraph, model: Model) -> None:
    """Fill what an exported graft on the same base has learned. Raises BadModel where the model is another network."""
    try:
        recipe = json.loads(model.card.recipe)
        held = Graft(GraftSpec(**recipe["network"]), base)
        bits = recipe.get("export", {}).get("bits", 16)
        encoder = held.spec.open_encoder()
        planes = encoder.encode([Query(open_game(encoder.game).start())])["planes"]
        with torch.no_grad():
            _GraftReader(held, bits, _constants(model.onnx)).write(planes.dtype.type)
            _take_over(net, held)
    except (KeyError, ValueError, TypeError, RuntimeError) as wrong:
        raise BadModel(f"{model.source}: not exported from a graft onto the same network: {wrong}") from None


def take_model(net: Net, model: Model) -> None:
    """Begin as a model that a network of the same shape was exported to; an expert head may be left behind.

    Normalisation is folded into the file's convolutions, so a network that goes on has none. Raises BadModel.
    """
    try:
        recipe = json.loads(model.card.recipe)
        flat = _without_norm(NetSpec(**recipe["network"]))
        held = Net(flat.model_copy(update={"expert": model.card.heads.expert is not None}))
        if flat.model_copy(update={"expert": net.spec.expert, "encoder": net.spec.encoder}) != net.spec:
            raise ValueError("another network, or one with normalisation")
        if net.spec.open_encoder() != held.spec.open_encoder() or (net.spec.expert and not held.spec.expert):
            raise ValueError("another encoder, or no expert head")
        fill_flat(held, model, recipe.get("export", {}).get("bits", 16))
    except (KeyError, ValueError, TypeError) as wrong:
        raise BadModel(f"{model.source}: not a model of this network to go on from: {wrong}") from None
    given = held.state_dict()
    net.load_state_dict({name: given[name] for name in net.state_dict()})


def _without_norm(spec: NetSpec) -> NetSpec:
    joint = None if spec.joint is None else spec.joint.model_copy(update={"norm": "none"})
    return spec.model_copy(update={"norm": "none", "joint": joint})


def fill_flat(net: Net, model: Model, bits: int) -> None:
    """Fill a network without normalisation from the file that one like it was exported to. Raises ValueError."""
    encoder = net.spec.open_encoder()
    planes = encoder.encode([Query(start_for(encoder))])["planes"]
    with torch.no_grad():
        _NetReader(net, bits, _constants(model.onnx)).write(planes.dtype.type)


def _constants(data: bytes) -> dict[str, NDArray[Any]]:
    return {each.name: numpy_helper.to_array(each) for each in onnx.load_from_string(data).graph.initializer}


class _Reading(GraphWriter):
    """Writes the graph for the sake of its order, and fills every tensor from the file's own constants."""

    constants: Mapping[str, NDArray[Any]]

    def _floats(self, value: Tensor | float) -> str:
        first = self.graph.next_constant
        if isinstance(value, Tensor):
            found = self.constants[first].astype(np.float32)
            made = super()._floats(value)
            if bits_of(tuple(value.shape), self.bits) == 8:
                found = found * self.constants[self.graph.last_constant]
            if found.shape != tuple(value.shape):
                raise ValueError(f"{first} has the shape {list(found.shape)}, not {list(value.shape)}")
            value.copy_(torch.from_numpy(found))
            return made
        return super()._floats(value)


class _GraftReader(_Reading, GraftWriter):
    def __init__(self, net: Graft, bits: int, constants: Mapping[str, NDArray[Any]]) -> None:
        super().__init__(net, bits)
        self.constants = constants


class _NetReader(_Reading, NetWriter):
    def __init__(self, net: Net, bits: int, constants: Mapping[str, NDArray[Any]]) -> None:
        super().__init__(net, bits)
        self.constants = constants


def _take_over(net: Graft, held: Graft) -> None:
    """What both have learned, by name; places that are told who plays keep theirs, new ones are told nothing yet."""
    given, taken = held.state_dict(), net.state_dict()
    for name, tensor in taken.items():
        if not name.startswith("condition.film.") and name in given:
            tensor.copy_(given[name])
    sizes = dict(zip(held.film_at, held.condition.sizes[::2], strict=True))
    begins = dict(zip(held.film_at, accumulate((0, *(2 * size for size in sizes.values()))), strict=False))
    at = 0
    for name, size in zip(net.film_at, net.condition.sizes[::2], strict=True):
        if name in begins:
            rows = slice(begins[name], begins[name] + 2 * size)
            net.condition.film.weight[at : at + 2 * size] = held.condition.film.weight[rows]
            net.condition.film.bias[at : at + 2 * size] = held.condition.film.bias[rows]
        at += 2 * size
