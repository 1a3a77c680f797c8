"""Several trunks of which each position asks a few: the others would have next to no share, and are not run.

The weights are those of trunks side by side; here each trunk is run by itself on the positions in which it has a share.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.func import functional_call

from hitonami.models.conditioning import Film
from hitonami.models.layers import Board, PolicyHead, Trunk, ValueHead
from hitonami.models.spec import InputShape, NetSpec


class Alone(nn.Module):
    """One trunk and its heads, told from outside what the players make of its layers."""

    def __init__(self, spec: NetSpec, shape: InputShape) -> None:
        super().__init__()
        one = spec.model_copy(update={"groups": 1, "gate": None, "asked": None})
        self.trunk = Trunk(one, shape)
        self.human = PolicyHead(one, shape, one.width, 1)
        self.value = ValueHead(one, shape, one.width, 1)

    def forward(self, planes: Tensor, scalars: Tensor | None, board: Board, film: list[Film]) -> dict[str, Tensor]:
        x = self.trunk(planes, scalars, board, film)
        return {"human": self.human(x, board)[:, 0], "wdl": self.value(x, board)[:, 0]}


class SomeTrunks:
    """Runs `asked` of K trunks. It has no weights: those are the network's, and are handed in."""

    def __init__(self, spec: NetSpec, shape: InputShape, asked: int) -> None:
        self.spec, self.shape, self.asked = spec, shape, asked
        with torch.random.fork_rng():  # its weights are never used
            self._alone = Alone(spec, shape)

    def ask(
        self, parts: Mapping[str, nn.Module], planes: Tensor, scalars: Tensor | None, film: list[Film], shares: Tensor
    ) -> dict[str, Tensor]:
        """The mixture by the largest shares [N, K]: human [N, moves] and wdl [N, 3] logits."""
        kept, width, board = strongest(shares, self.asked), self.spec.channels, Board(None)
        outputs: dict[str, Tensor] = {}
        for at in range(self.spec.groups):
            rows, own = kept[:, at].nonzero()[:, 0], slice(at * width, (at + 1) * width)
            told = [(scale[rows, own], shift[rows, own]) for scale, shift in film]
            given = planes[rows], None if scalars is None else scalars[rows], board, told
            for name, logits in functional_call(self._alone, share_of(parts, at, self.spec.groups), given).items():
                held = outputs.get(name, logits.new_zeros(len(planes), logits.shape[1]))
                outputs[name] = held.index_add(0, rows, logits * kept[rows, at : at + 1])
        return outputs

    def copy_part(self, parts: Mapping[str, nn.Module], at: int) -> Alone:
        """One trunk and its heads with copies of their weights."""
        alone = Alone(self.spec, self.shape)
        alone.load_state_dict(share_of(parts, at, self.spec.groups))
        return alone.eval()


def share_of(parts: Mapping[str, nn.Module], at: int, count: int) -> dict[str, Tensor]:
    """The weights of one of `count` trunks: they lie one after the other in the first axis of every weight."""
    named = [(f"{name}.{inner}", held) for name, part in parts.items() for inner, held in part.named_parameters()]
    return {name: parameter.chunk(count)[at] for name, parameter in named}


def strongest(shares: Tensor, count: int) -> Tensor:
    """[N, K] the `count` largest shares, which sum to 1 again, and zeros. Of equal ones at the edge all stay."""
    larger = (shares[:, None, :] > shares[:, :, None]).sum(2)
    kept = shares * (larger < count)
    return kept / kept.sum(1, keepdim=True)
