"""The layers of a network in torch, for training only: convolutions, blocks, trunks and heads.

Layout of arrays: N batch, K trunks, C channels of a trunk, H and W the board. K trunks lie side by side in the channel
axis, trunk by trunk, and are grouped convolutions, or whole ones where trunks are linked; K = 1 is a plain residual
network.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (torch's own custom)

from hitonami.models.conditioning import Film
from hitonami.models.importers.lc0 import policy_places
from hitonami.models.spec import InputShape, JointSpec, NetSpec, planes_of
from hitonami.models.tiled_convolution import Convolution

_MOMENTUM, EPSILON = 0.1, 1e-5


class Board:
    """Which points are on the board: [N, 1, H, W] ones and zeros, or None where all are."""

    def __init__(self, mask: Tensor | None) -> None:
        self.mask = mask
        self._share = None if mask is None else mask.mean((2, 3), keepdim=True)

    def cut(self, x: Tensor) -> Tensor:
        """Zeros beyond the edge, as the convolution's padding has there."""
        return x if self.mask is None else x * self.mask

    def mean(self, x: Tensor) -> Tensor:
        """[N, C, 1, 1] over the points of the board; x is cut already."""
        mean = x.mean((2, 3), keepdim=True)
        return mean if self._share is None else mean / self._share


class Conv(nn.Module):
    """A convolution that keeps the board's size, with batch normalisation where the spec asks for it."""

    def __init__(self, inputs: int, outputs: int, size: int, groups: int = 1, norm: str = "none") -> None:
        super().__init__()
        self.conv = Convolution(inputs, outputs, size, padding=size // 2, groups=groups)
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu")
        nn.init.zeros_(self.conv.bias if self.conv.bias is not None else torch.empty(0))
        self.norm = Norm(outputs) if norm == "batch" else None

    def forward(self, x: Tensor, board: Board) -> Tensor:
        y: Tensor = self.conv(x)
        return board.cut(y if self.norm is None else self.norm(y, board))

    def folded(self) -> tuple[Tensor, Tensor]:
        """Weights and biases that do the same in evaluation, normalisation included."""
        weight, bias = self.conv.weight, self.conv.bias
        assert bias is not None
        if self.norm is None:
            return weight, bias
        scale = self.norm.weight / torch.sqrt(self.norm.variance + EPSILON)
        return weight * scale[:, None, None, None], self.norm.bias + (bias - self.norm.mean) * scale


class Norm(nn.Module):
    """Batch normalisation over the points that are on the board. Frozen, it keeps its statistics, too."""

    mean: Tensor
    variance: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))

    def forward(self, x: Tensor, board: Board) -> Tensor:
        learning = self.training and self.weight.requires_grad
        if board.mask is None or not learning:
            return F.batch_norm(x, self.mean, self.variance, self.weight, self.bias, learning, _MOMENTUM, EPSILON)
        count = board.mask.sum()
        inside = x * board.mask
        mean = inside.sum((0, 2, 3)) / count
        centred = (x - mean[:, None, None]) * board.mask
        variance = centred.square().sum((0, 2, 3)) / count
        with torch.no_grad():
            self.mean.lerp_(mean, _MOMENTUM)
            self.variance.lerp_(variance, _MOMENTUM)
        scale = self.weight / torch.sqrt(variance + EPSILON)
        return centred * scale[:, None, None] + self.bias[:, None, None]


class Block(nn.Module):
    """A residual block with squeeze-excite as Lc0 has it: x · sigmoid(γ) + β, and the player's share in γ and β."""

    def __init__(self, width: int, groups: int, narrow: int, norm: str) -> None:
        super().__init__()
        self.first = Conv(width, width, 3, groups, norm)
        self.second = Conv(width, width, 3, groups, norm)
        self.squeeze = nn.Conv2d(width, narrow, 1, groups=groups)
        self.scale = nn.Conv2d(narrow, width, 1, groups=groups)
        self.shift = nn.Conv2d(narrow, width, 1, groups=groups)
        if self.second.norm is None:
            nn.init.zeros_(self.second.conv.weight)
        else:
            nn.init.zeros_(self.second.norm.weight)
        for layer in (self.scale, self.shift):
            nn.init.zeros_(layer.weight)

    def forward(self, x: Tensor, board: Board, film: Film | None) -> Tensor:
        y = self.second(F.relu(self.first(x, board)), board)
        small = F.relu(self.squeeze(board.mean(y)))
        scale, shift = self.scale(small), self.shift(small)
        if film is not None:
            scale, shift = scale + film[0], shift + film[1]
        return F.relu(x + board.cut(y * torch.sigmoid(scale) + shift))


class Trunk(nn.Module):
    """Planes and whole-board numbers to [N, K·C, H, W]."""

    def __init__(self, spec: NetSpec, shape: InputShape) -> None:
        super().__init__()
        self.entry = Conv(shape.planes, spec.width, 3, 1, spec.norm)
        self.scalars = nn.Linear(shape.scalars, spec.width) if shape.scalars else None
        sizes = spec.width, 1 if spec.linked else spec.groups, spec.groups * spec.squeeze, spec.norm
        self.blocks = nn.ModuleList(Block(*sizes) for _ in range(spec.blocks))

    def forward(self, planes: Tensor, scalars: Tensor | None, board: Board, film: list[Film]) -> Tensor:
        x = self.entry(planes, board)
        if self.scalars is not None and scalars is not None:
            x = x + self.scalars(scalars)[:, :, None, None]
        return _through(self.blocks, x, board, film)


class Joint(nn.Module):
    """[N, K·C, H, W] of all trunks to [N, channels, H, W], told who is playing."""

    def __init__(self, spec: NetSpec, joint: JointSpec) -> None:
        super().__init__()
        self.entry = Conv(spec.width, joint.channels, 3, 1, joint.norm)
        sizes = joint.channels, 1, spec.squeeze, joint.norm
        self.blocks = nn.ModuleList(Block(*sizes) for _ in range(joint.blocks))

    def forward(self, x: Tensor, board: Board, film: list[Film]) -> Tensor:
        return _through(self.blocks, self.entry(x, board), board, film)


def _through(blocks: nn.ModuleList, x: Tensor, board: Board, film: list[Film]) -> Tensor:
    """What the first convolution made, through the blocks; the first film is its own."""
    if film:
        x = x * (1.0 + film[0][0]) + film[0][1]
    x = F.relu(board.cut(x))
    for at, block in enumerate(blocks, start=1):
        x = block(x, board, film[at] if film else None)
    return x


class PolicyHead(nn.Module):
    """[N, K·C, H, W] to [N, groups, moves] logits. `groups` is 1 where the head reads all trunks at once."""

    places: Tensor

    def __init__(self, spec: NetSpec, shape: InputShape, width: int, groups: int) -> None:
        super().__init__()
        self.kind, self.groups, hidden = spec.policy, groups, groups * spec.policy_channels
        self.raise_ = Conv(width, hidden, 3, groups, spec.norm)
        if self.kind == "flat":
            points = shape.board[0] * shape.board[1]
            self.moves = nn.Conv2d(hidden * points, groups * shape.moves, 1, groups=groups)
        else:
            planes = groups * planes_of(spec, shape)
            self.moves = nn.Conv2d(hidden, planes, 3 if self.kind == "lc0" else 1, padding="same", groups=groups)
        nn.init.normal_(self.moves.weight, std=0.01)
        nn.init.zeros_(self.moves.bias if self.moves.bias is not None else torch.empty(0))
        self.register_buffer("places", torch.from_numpy(policy_places()), persistent=False)
        if self.kind == "points":
            self.pooled = nn.Conv2d(2 * hidden, hidden, 1, groups=groups)
            self.passing = nn.Conv2d(2 * hidden, groups, 1, groups=groups)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        y = F.relu(self.raise_(x, board))
        count = len(y)
        if self.kind == "flat":
            return self.moves(y.flatten(1)[:, :, None, None]).reshape(count, self.groups, -1)
        if self.kind != "points":
            size = self.moves.out_channels // self.groups * y.shape[2] * y.shape[3]
            flat = self.moves(y).reshape(count, self.groups, size)
            return flat[:, :, self.places] if self.kind == "lc0" else flat
        pooled = pool(y, board, self.groups)
        y = board.cut(F.relu(y + self.pooled(pooled)))
        points = self.moves(y).reshape(count, self.groups, -1)
        return torch.cat([points, self.passing(pooled).reshape(count, self.groups, 1)], dim=2)


def pool(x: Tensor, board: Board, groups: int) -> Tensor:
    """[N, 2·C, 1, 1] means and maxima, trunk by trunk. x is cut and not negative: no maximum is beyond the edge."""
    shape = len(x), groups, x.shape[1] // groups
    both = [board.mean(x).reshape(shape), x.amax((2, 3)).reshape(shape)]
    return torch.cat(both, dim=2).flatten(1)[:, :, None, None]


class ValueHead(nn.Module):
    """[N, K·C, H, W] to [N, groups, 3] logits of win, draw and loss."""

    def __init__(self, spec: NetSpec, shape: InputShape, width: int, groups: int) -> None:
        super().__init__()
        self.kind, self.groups = spec.value, groups
        self.raise_ = Conv(width, groups * spec.value_channels, 1, groups, spec.norm)
        points = shape.board[0] * shape.board[1] if spec.value == "flat" else 2
        inputs, hidden = spec.value_channels * points, spec.value_hidden
        self.hidden = nn.Conv2d(groups * inputs, groups * hidden, 1, groups=groups)
        self.result = nn.Conv2d(groups * hidden, groups * 3, 1, groups=groups)
        nn.init.normal_(self.result.weight, std=0.01)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        y = F.relu(self.raise_(x, board))
        flat = y.flatten(1)[:, :, None, None] if self.kind == "flat" else pool(y, board, self.groups)
        return self.result(F.relu(self.hidden(flat))).reshape(len(y), self.groups, 3)
