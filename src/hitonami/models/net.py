"""The network in torch, for training only; playing needs ONNX Runtime and none of this.

Layout of arrays: N batch, K trunks, C channels of a trunk, H and W the board. `train/export.py` writes
the same arithmetic as an ONNX graph, and every export is compared with this module. Layers are in `layers.py`; how
players are told to them is in `conditioning.py`.
"""

from collections.abc import Iterable, Mapping

import numpy as np
import torch
from torch import Tensor, nn

from hitonami.models.conditioning import Condition, Film
from hitonami.models.layers import Board, Joint, PolicyHead, Trunk, ValueHead
from hitonami.models.some_trunks import SomeTrunks
from hitonami.models.spec import NetSpec, shape_of


class Net(nn.Module):
    """The whole network. Outputs by name: "human", perhaps "expert" (logits [N, moves]), and "wdl" (logits [N, 3])."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        self.spec, self.shape = spec, shape_of(spec)
        condition = spec.condition
        self.condition = None if condition is None else Condition(spec, self.shape.player, condition, spec.films)
        self.trunk = Trunk(spec, self.shape)
        self.human = PolicyHead(spec, self.shape, spec.width, spec.groups)
        self.joint = self.joint_human = None
        width = spec.width
        if spec.joint is not None:
            width = spec.joint.channels
            self.joint = Joint(spec, spec.joint)
            self.joint_human = PolicyHead(spec, self.shape, width, 1)
            nn.init.zeros_(self.joint_human.moves.weight)
        self.expert = PolicyHead(spec, self.shape, width, 1) if spec.expert else None
        if self.joint is not None and self.expert is not None:
            nn.init.zeros_(self.expert.moves.weight)
        one = spec.shared_value or spec.joint is not None
        self.value = ValueHead(spec, self.shape, width, 1 if one else spec.groups)
        self.some = None if spec.asked is None else SomeTrunks(spec, self.shape, spec.asked)

    def forward(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        planes = inputs["planes"].to(torch.float32, memory_format=torch.channels_last)
        at = self.spec.mask_plane
        board = Board(None if at is None else planes[:, at : at + 1])
        film: list[Film] = []
        shares = None
        if self.condition is not None:
            film, shares, _ = self.condition(inputs["player"], inputs["pool"])
        if self.some is not None and shares is not None:
            parts = {"trunk": self.trunk, "human": self.human, "value": self.value}
            return self.some.ask(parts, planes, inputs.get("scalars"), film, shares)
        x = self.trunk(planes, inputs.get("scalars"), board, [] if self.joint else film)
        each = self.human(x, board)
        human = mix(each, shares)
        if self.joint is not None and self.joint_human is not None:
            x = self.joint(x, board, film)
            human = human + mix(self.joint_human(x, board), None)
        outputs = {"human": human, "wdl": mix(self.value(x, board), shares)}
        if self.expert is not None:
            expert = mix(self.expert(x, board), None)
            outputs["expert"] = expert if self.joint is None else expert + each[:, -1]
        return outputs

    @property
    def has_expert(self) -> bool:
        return self.expert is not None

    def kept_weights(self) -> Iterable[Tensor]:
        """What is not learned and is stored all the same: nothing here; see models/graft.py."""
        return ()


def mix(logits: Tensor, shares: Tensor | None) -> Tensor:
    """[N, K, M] logits by the trunks' shares [N, K]; a head of one group stands for itself."""
    if logits.shape[1] == 1 or shares is None:
        return logits[:, 0]
    return torch.einsum("nkm,nk->nm", logits, shares)


def to_tensors(arrays: Mapping[str, np.ndarray], names: tuple[str, ...]) -> dict[str, Tensor]:
    """The network's inputs among a batch's arrays, without a copy."""
    return {name: torch.from_numpy(np.ascontiguousarray(arrays[name])) for name in names}
