"""Encoded batches, history included, on two processes, against training a 6×64 network on the same batches.

Ten times the training speed of this machine leaves room for an accelerator. Needs torch (`hitonami[train]`).
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from _measure import Row, ratio_of, show
from _samples import dataset
from hitonami.dataset.batches import Batch, Batches, BatchPlan


def _trainer(planes: int, head: int, batch: int) -> "Iterator[int]":
    """One optimiser step of a 6×64 residual network a turn, on tensors in memory."""
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = nn.Conv2d(64, 64, 3, padding=1), nn.Conv2d(64, 64, 3, padding=1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(x + self.two(torch.relu(self.one(x))))

    side = 8 if head == 1858 else 19
    network = nn.Sequential(
        nn.Conv2d(planes, 64, 3, padding=1),
        nn.ReLU(),
        *[Block() for _ in range(6)],
        nn.Conv2d(64, 8, 1),
        nn.Flatten(),
        nn.Linear(8 * side * side, head),
    )
    network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-4)
    x = torch.rand(batch, planes, side, side).to(memory_format=torch.channels_last)
    y = torch.randint(0, head, (batch,))
    while True:
        optimiser.zero_grad()
        nn.functional.cross_entropy(network(x), y).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        yield batch


def _rows_of(batches: Iterator[Batch], count: int) -> int:
    return sum(len(batch["target"]) for batch in islice(batches, count))


def _compare(name: str, folder: Path, plan: BatchPlan, planes: int, head: int) -> Row:
    stream = iter(Batches([folder], plan, workers=2))
    training = _trainer(planes, head, 64)
    return ratio_of(
        f"batches: {name} / training 6×64",
        lambda: _rows_of(stream, 40),
        lambda: sum(islice(training, 4)),
        at_least=10.0,
        rounds=5,
    )


def run() -> list[Row]:
    rows = []
    with dataset("chess", 1_200) as folder:
        plan = BatchPlan("lc0", positions_per_game=16, games_per_group=128)
        rows.append(_compare("chess, Lc0's 112 planes", folder, plan, 112, 1858))
    with dataset("go", 300, most=200, size=19) as folder:
        plan = BatchPlan("compact-go", batch_size=128, positions_per_game=16, games_per_group=64)
        rows.append(_compare("Go 19×19", folder, plan, 22, 362))
    return rows


if __name__ == "__main__":
    show(run())
