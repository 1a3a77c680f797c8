"""Encoded batches, history included, on two processes, against training a 6×64 network on the same batches.

Ten times the training speed of this machine leaves room for an accelerator. Needs torch (`hitonami[train]`).
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from _measure import Row, show
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


def _speed_of(batches: "Iterator[Batch]", count: int) -> float:
    """Rows a second, after the workers have started."""
    for _ in islice(batches, 8):
        pass
    begin, rows = perf_counter(), 0
    for batch in islice(batches, count):
        rows += len(batch["target"])
    return rows / (perf_counter() - begin)


def _compare(name: str, folder: Path, plan: BatchPlan, planes: int, head: int) -> Row:
    """One after the other, never at once: workers that read ahead would slow the training."""
    ratios, ours, reference = [], [], []
    for _ in range(3):
        stream = Batches([folder], plan, workers=2).stream()
        ours.append(_speed_of((batch for batch, _ in stream), 12_000 // plan.batch_size))
        stream.close()  # type: ignore[attr-defined]  # ends the workers
        training = _trainer(planes, head, 256 if head == 1858 else 64)
        next(training)
        begin = perf_counter()
        rows = sum(islice(training, 4))
        reference.append(rows / (perf_counter() - begin))
        ratios.append(ours[-1] / reference[-1])
    note = f"{median(ours):,.0f}/s against {median(reference):,.0f}/s here"
    return Row(f"batches: {name} / training 6×64", median(ratios), min(ratios), max(ratios), 10.0, note)


def run() -> list[Row]:
    rows = []
    with dataset("chess", 1_200) as folder:
        plan = BatchPlan("lc0", positions_per_game=16, games_per_group=128)
        rows.append(_compare("chess, Lc0's 112 planes", folder, plan, 112, 1858))
    with dataset("go", 300, most=200, size=19) as folder:
        plan = BatchPlan("katago-rated", batch_size=128, positions_per_game=16, games_per_group=64)
        rows.append(_compare("Go 19×19", folder, plan, 22, 362))
    return rows


if __name__ == "__main__":
    show(run())
