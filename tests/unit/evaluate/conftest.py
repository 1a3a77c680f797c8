"""Minds whose games are known beforehand, as parts of a user."""

from pathlib import Path

import pytest

_MIND = '''
from dataclasses import dataclass
import numpy as np
from hitonami import dist
from hitonami.core import Opinion
from hitonami.errors import NoOpinion


@dataclass(frozen=True)
class Made:
    """Likes the first legal moves, expects `first` for player 0, fails from a ply on, and counts its batches."""

    first: float = 0.5
    fails_at: int = 10_000
    log: str = ""

    def __call__(self, queries, effort):
        if self.log:
            with open(self.log, "a") as stream:
                stream.write(f"{len(queries)}\\n")
        if any(query.position.ply >= self.fails_at for query in queries):
            raise NoOpinion(f"nothing left to say at ply {self.fails_at}")
        return [self._judge(query.position) for query in queries]

    def _judge(self, position):
        mine = self.first if position.to_move == 0 else 1 - self.first
        return Opinion(dist.uniform(len(position.legal)), np.array([mine, 0, 1 - mine], dtype=np.float32))
'''


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The mind `made`, findable by name."""
    folder = tmp_path / "parts" / "minds"
    folder.mkdir(parents=True)
    (folder / "made.py").write_text(_MIND)
    monkeypatch.setenv("HITONAMI_PARTS", str(folder.parent))
    return folder
