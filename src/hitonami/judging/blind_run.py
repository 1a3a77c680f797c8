"""Making a blind set: people's games drawn near each level, an engine's and ours played, all hidden and written."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hitonami import disk
from hitonami.core import open_game
from hitonami.customs import customs_of
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.shards import start_of
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import is_rank
from hitonami.judging.blind import Hidden, Kind, hide, key_of, sheet_of
from hitonami.matches.alone import Alone, play_alone
from hitonami.matches.entrants import read_entrant
from hitonami.progress import Watching
from hitonami.records import Record, write_record
from hitonami.specs import Room

_POINTS, _RANKS = 100.0, 1.0
"""Within which both people are of a level."""


@dataclass(frozen=True)
class BlindWish:
    """What is asked for. `engine` and `ours` are minds; both play each level."""

    game: str
    levels: tuple[float, ...]
    engine: str
    out: Path
    key: Path
    ours: str = "human"
    games: int = 6
    plies: int = 60
    pool: str = ""
    split: SplitChoice = "all"
    seed: int | None = None
    """None: by chance that nobody knows, as it should be for a real expert."""

    def __post_init__(self) -> None:
        if self.out.exists() and any(self.out.iterdir()):
            raise BadInput(f"{self.out} is not empty: choose another folder with --out")
        if self.out.resolve() in self.key.resolve().parents:
            raise BadInput(f"--key {self.key}: lies in the expert's folder; keep it apart")


def make_set(wish: BlindWish, data: Sequence[str], watch: Watching) -> list[Hidden]:
    """Draw, play, hide and write. Raises BadInput where people of a level have too few games."""
    game = open_game(wish.game).name
    rng = np.random.default_rng(wish.seed)
    seed = int(rng.integers(1 << 32))
    games: dict[tuple[float, Kind], tuple[str, Sequence[Record]]] = {}
    for level, records in _draw(game, wish, data, seed, watch).items():
        games[level, "people"] = "people", records
    minds: list[tuple[Kind, str]] = [("engine", wish.engine), ("ours", wish.ours)]
    with Room() as room, watch(len(wish.levels) * len(minds), "sets") as meter:
        for level in wish.levels:
            for kind, mind in minds:
                entrant = read_entrant(f"{mind}@{level:g}", wish.pool, game)
                wanted = Alone(game, wish.games, wish.plies, seed=seed + len(games))
                games[level, kind] = entrant.name, play_alone(room, wanted, entrant)
                meter.show(len(games) - len(wish.levels), len(games) - len(wish.levels))
    hidden = hide(games, wish.plies, rng)
    _write(wish, hidden)
    return hidden


def _draw(game: str, wish: BlindWish, data: Sequence[str], seed: int, watch: Watching) -> dict[float, list[Record]]:
    """Of each level, games between two people who are near it, long enough, by the hashes of games."""
    opened, tally = open_data(data, game), Tally()
    found: dict[float, dict[int, Record]] = {level: {} for level in wish.levels}
    with watch(opened.bytes_total, "games") as meter:
        for each in opened.games(tally, wish.split, lambda done: meter.show(done, tally.games)):
            for level in wish.levels:
                if len(each.record.moves) >= wish.plies and _is_near(each.record, level):
                    found[level][each.content] = each.record
    for level, held in found.items():
        if len(held) < wish.games:
            raise BadInput(
                f"games of {wish.plies} moves between people near {level:g}: {len(held)}; the set needs {wish.games}"
            )
    return {level: _first(held, wish.games, seed) for level, held in found.items()}


def _first(held: dict[int, Record], count: int, seed: int) -> list[Record]:
    contents = np.array(list(held), dtype=np.uint64)
    order = np.argsort(scatter(contents, seed), kind="stable")[:count]
    return [held[int(contents[at])] for at in order]


def _is_near(record: Record, level: float) -> bool:
    near = _RANKS if is_rank(level) else _POINTS
    return all(
        player.kind != "bot" and player.rating is not None and abs(player.rating - level) <= near
        for player in record.players
    )


def _write(wish: BlindWish, games: Sequence[Hidden]) -> None:
    """The expert's folder whole or not at all, and the key beside it."""
    suffix = customs_of(games[0].record.game).records[0]
    try:
        with disk.building(wish.out) as draft:
            for each in games:
                folder = draft / f"{each.level:g}"
                disk.make_folder(folder)
                disk.write_text(folder / f"{each.id}.{suffix}", write_record(each.record, suffix))
            disk.write_text(draft / "sheet.csv", sheet_of(games))
        disk.write_text(wish.key, json.dumps(key_of(games), indent=1) + "\n")
    except OSError as wrong:
        raise BadInput(f"{wish.out}: cannot be written: {wrong.strerror}") from None


def moves_in_words(record: Record) -> str:
    """As people read them."""
    position, told = start_of(record.game, record.setup), list[str]()
    for move in record.moves:
        told.append(position.game.describe(position, move))
        position = position.play(move)
    pairs = [" ".join(told[at : at + 2]) for at in range(0, len(told), 2)]
    return " ".join(f"{at + 1}. {pair}" for at, pair in enumerate(pairs))
