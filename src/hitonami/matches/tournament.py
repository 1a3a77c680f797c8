"""Run a tournament: block after block, on several processes, each block kept as soon as it is played.

The folder of an event holds `run.json` (the plan), and for each block a file of results and its records. A block
is kept whole or not at all, and depends on nothing but the plan, so an event that was killed goes on from the blocks it
has and ends with the games that it would have had. It prints nothing and rates nobody: `standings.py` does.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hitonami import __version__, disk
from hitonami.cluster import Workers
from hitonami.core import Effort, Query, Setup, open_game
from hitonami.customs import customs_of
from hitonami.errors import BadData, BadInput, WorkFailed
from hitonami.matches.block import Played, play_block
from hitonami.matches.openings import Sampled
from hitonami.matches.pairing import Block, Schedule, blocks_of
from hitonami.matches.sprt import Sprt, SprtState, watch
from hitonami.records import Record, write_record
from hitonami.specs import Room

_BETWEEN = {"pgn": "", "csa": "/\n"}
"""What stands between two games of one file, where files hold several; most readers of SGF expect one."""


@dataclass(frozen=True)
class Event:
    """What was played, in the order of the plan, and where a sequential test stands."""

    plan: Schedule
    games: tuple[Played, ...]
    sprt: SprtState | None = None


def try_out(plan: Schedule) -> None:
    """Open every mind and ask it about the start. Raises BadInput for one that this event cannot use.

    A program that fails is not refused: it may play other games well, and loses those that it cannot go on with.
    """
    game = open_game(plan.game)
    start = game.start(plan.setup) if plan.setup != Setup() else game.start()
    sampler = [plan.openings.entrant] if isinstance(plan.openings, Sampled) and plan.openings.entrant else []
    with Room() as room:
        for entrant in (*plan.entrants, *sampler):
            try:
                room.open(entrant.mind)([Query(start, entrant.asked_as, entrant.asked_as)], Effort.seeded(plan.seed))
            except WorkFailed:
                continue
            except BadInput as wrong:
                raise BadInput(f"player {entrant.name}: {wrong}") from None
        if plan.judge is not None and room.open(plan.judge.mind)([Query(start)], Effort.seeded())[0].wdl is None:
            raise BadInput("the judge has no view of results: name a mind that tells chances")


def run_tournament(
    plan: Schedule,
    store: "Store | None" = None,
    *,
    jobs: int = 1,
    sprt: Sprt | None = None,
    show: Callable[[int], None] = lambda games: None,
) -> Event:
    """Play what is not played yet. `show` is told how many games are done."""
    if sprt is not None and len(plan.entrants) != 2:
        raise BadInput(f"a sequential test is between two players, got {len(plan.entrants)}")
    blocks = list(blocks_of(plan))
    kept = {} if store is None else {block: games for block in blocks if (games := store.load(block)) is not None}
    played: list[Played] = []
    state: SprtState | None = None
    with Workers(jobs) as workers:
        fresh = workers.map(partial(play_block, plan), [block for block in blocks if block not in kept])
        for block, games in _in_order(blocks, kept, fresh):
            if store is not None and block not in kept:
                store.keep(block, games)
            played += games
            show(len(played))
            state = None if sprt is None else _watch(sprt, played)
            if state is not None and state.verdict != "open":
                break
    return Event(plan, tuple(played), state)


def _in_order(
    blocks: list[Block], kept: dict[Block, list[Played]], fresh: Iterator[list[Played]]
) -> Iterator[tuple[Block, list[Played]]]:
    for block in blocks:
        yield block, kept[block] if block in kept else next(fresh)


def _watch(sprt: Sprt, games: list[Played]) -> SprtState:
    """By pairs of games on one opening; a last game without its fellow waits for it."""
    scores = [game.score if game.first == 0 else 1.0 - game.score for game in games]
    return watch(sprt, [], list(zip(scores[::2], scores[1::2], strict=False)))


class Store:
    """The folder of an event."""

    def __init__(self, folder: Path, plan: Schedule, *, resume: bool = False) -> None:
        self._folder, self._plan = folder, plan
        self._format = customs_of(plan.game).records[-1]
        described = {"version": __version__, "plan": json.loads(json.dumps(plan.describe()))}
        head = folder / "run.json"
        if head.exists() and not resume:
            raise BadInput(f"{folder} holds a tournament already: go on with --resume, or name another folder")
        if head.exists():
            _refuse_other_plan(folder, _read_json(head)["plan"], described["plan"])
        try:
            disk.make_folder(folder / "games")
        except OSError as wrong:
            raise BadData(f"cannot write {folder}: {wrong.strerror}") from None
        _write(head, json.dumps(described, indent=1, ensure_ascii=False) + "\n")

    def load(self, block: Block) -> list[Played] | None:
        """The games of a block, None where it is not played yet."""
        path = self._path(block, "json")
        if not path.exists():
            return None
        try:
            return [_read_played(row) for row in _read_json(path)]
        except (KeyError, TypeError) as wrong:
            raise BadData(f"{path} is damaged ({wrong!r}); delete it and its block is played again") from None

    def keep(self, block: Block, games: list[Played]) -> None:
        """Records first: where the results are, all of the block is."""
        if self._format is not None:
            texts = [write_record(record_of(self._plan, game), self._format) for game in games]
            if self._format in _BETWEEN:
                _write(self._path(block, self._format), _BETWEEN[self._format].join(texts))
            else:
                for game, text in zip(games, texts, strict=True):
                    one = Block(block.pair, game.number, game.number + 1)
                    _write(self._path(one, self._format), text)
        rows = ",\n".join(json.dumps(asdict(game), ensure_ascii=False) for game in games)
        _write(self._path(block, "json"), f"[\n{rows}\n]\n")

    def _path(self, block: Block, suffix: str) -> Path:
        return self._folder / "games" / f"{block.name}.{suffix}"


def record_of(plan: Schedule, game: Played) -> Record:
    """The game as a record, for any format that holds it."""
    players = plan.entrants[game.first].recorded_as, plan.entrants[game.second].recorded_as
    return Record(plan.game, game.setup, game.moves, players, game.score, game.termination, event="Hitonami tournament")


def _read_played(row: dict[str, Any]) -> Played:
    return Played(**row | {"setup": Setup(**row["setup"]), "moves": tuple(row["moves"])})


def _refuse_other_plan(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    names = (before.keys() | now.keys()) - {"games"}  # more of them are more blocks, and those played stay as they are
    differing = sorted(name for name in names if before.get(name) != now.get(name))
    if differing:
        raise BadInput(f"{folder} holds another tournament: its {', '.join(differing)} differ; name another folder")


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise BadData(f"{path}: {wrong}") from None


def _write(path: Path, text: str) -> None:
    """Whole or not at all, whenever the process ends."""
    try:
        disk.write_text(path, text)
    except OSError as wrong:
        raise WorkFailed(f"cannot write {path}: {wrong.strerror}") from None
