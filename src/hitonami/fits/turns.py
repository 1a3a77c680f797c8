"""Turns of people's games with what a mind says of each: the table that resignation and think time are learned from.

One row is one turn: the position that a person had before them, who they were, the time they had, and what they did.
Runs of plies are taken whole, so that a row knows its own side's turns before it. A game that was given up has a last
turn with no move. Networks are asked once; the table is kept in a file and read again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import heappush, heapreplace, nlargest
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk, dist
from hitonami.core import Clock, Effort, Mind, Opinion, Query, index_of
from hitonami.dataset.filters import Filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Data, Found, Tally
from hitonami.dataset.samples import increment_seconds, main_seconds
from hitonami.dataset.shards import start_of
from hitonami.errors import BadData
from hitonami.manners.counting import balance_of, captures, gain_of, lead_of, peril_of, recaptures
from hitonami.manners.pace import usual_of
from hitonami.manners.resignation import LOOKED_BACK, WORTH_ASKING
from hitonami.progress import Report, unheard
from hitonami.records import Record

Floats = NDArray[np.float64]
Columns = dict[str, NDArray[Any]]
_BATCH: Final = 255
_GOOD: Final = float(np.log(0.1))
NUMBERS: Final = (
    *("game", "ply", "side", "turns_left", "hope", "draw", "balance", "entropy", "top", "good", "legal", "chance"),
    *("captures", "recaptures", "rating", "opponent", "remaining", "opponent_remaining", "increment", "seconds"),
    *("resigned", "flagged", "score", "person", "opponent_person", "bot"),
    *("spent", "opponent_spent", "usual", "taken", "points", "peril"),
)
WORDS: Final = ("pool", "ending", "speed")


@dataclass(frozen=True)
class Turns:
    """Columns [n] by name: `NUMBERS` (NaN where unknown) and `WORDS`. Rows of a game are together, in order."""

    columns: Columns

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["game"])

    def where(self, chosen: NDArray[np.bool_]) -> "Turns":
        return Turns({name: column[chosen] for name, column in self.columns.items()})

    def back(self, name: str, plies: int) -> Floats:
        """[n] a column so many plies earlier in the same game; NaN where that ply was not asked about."""
        place = {(game, ply): at for at, (game, ply) in enumerate(zip(self["game"], self["ply"], strict=True))}
        column = self[name].astype(np.float64)
        wanted = zip(self["game"], self["ply"] - plies, strict=True)
        return np.array([column[place[each]] if each in place else np.nan for each in wanted])

    def back_own(self, name: str, turns: int) -> Floats:
        """[n] a column so many turns of the same side earlier, where sides alternate."""
        return self.back(name, 2 * turns)

    def save(self, path: Path) -> None:
        with disk.replacing(path) as file:
            np.savez_compressed(file, **self.columns)  # type: ignore[arg-type]


def join_turns(one: Turns, *others: Turns) -> Turns:
    """The tables as one; games of a later one are numbered on from those before."""
    if not others:
        return one
    other = join_turns(*others)
    first = int(one["game"].max()) + 1 if len(one) else 0
    later = {**other.columns, "game": other["game"] + first}
    return Turns({name: np.concatenate([column, later[name]]) for name, column in one.columns.items()})


def read_turns(path: Path) -> Turns:
    """A table that was kept. Raises BadData."""
    try:
        with np.load(path, allow_pickle=False) as held:
            return Turns({name: held[name] for name in (*NUMBERS, *WORDS)})
    except (OSError, ValueError, KeyError) as wrong:
        raise BadData(f"{path}: not a table of turns: {wrong}") from None


@dataclass(frozen=True)
class Wish:
    """Which turns are asked about: games of a split, all plies of each from `first_ply` on, or a run of them."""

    games: int
    rules: Filter
    split: SplitChoice = "all"
    first_ply: int = 0
    run: int | None = None
    seed: int = 0
    of_a_person: int | None = None
    """Games of one person, at most: a few people must not stand for all."""
    asked: int | None = None
    """Games of which a run is asked about; every turn of all is kept, most with what boards and clocks tell alone."""
    only_last: bool = False
    """Of each game the last turn and the same side's turns before it that resignation looks back to, no others."""


def draw_games(data: Data, wish: Wish, report: Report = unheard) -> list[Found]:
    """The games, by their hashes: the order of files changes nothing. `report` is told bytes and games read."""
    tally, known, met = Tally(), set(), Counter[str]()
    held: dict[str, list[tuple[int, int, Found]]] = {}
    for found in data.games(tally, wish.split, lambda done: report(done, tally.games)):
        if found.content in known or not wish.rules.keeps_game(found.record):
            continue
        known.add(found.content)
        own = held.setdefault(_whose(found.record, met) if wish.of_a_person else "", [])
        mark = -int(scatter(np.array([found.content], dtype=np.uint64), wish.seed)[0])
        if len(own) < min(wish.of_a_person or wish.games, wish.games):
            heappush(own, (mark, found.content, found))
        elif mark > own[0][0]:
            heapreplace(own, (mark, found.content, found))
    every = nlargest(wish.games, (each for own in held.values() for each in own), key=lambda each: each[0])
    return [found for *_, found in sorted(every, key=lambda each: each[1])]


def is_given_up(record: Record) -> bool:
    """Whether it ends by the resignation of the side to move, where sides take turns."""
    mover = len(record.moves) % 2
    return record.termination == "resignation" and record.score is not None and abs(mover - record.score) == 0.0


def _whose(record: Record, met: Counter[str]) -> str:
    """Of both players the one who was met more often so far."""
    names = [player.name or "" for player in record.players]
    met.update(names)
    return max(names, key=lambda name: met[name])


def ask_turns(games: Sequence[Found], mind: Mind, wish: Wish, report: Report = unheard) -> Turns:
    """Ask a mind about the turns of these games. `report` is told how many games are done."""
    rng, effort = np.random.default_rng([wish.seed, 0x7042]), Effort.seeded(wish.seed)
    every = np.arange(len(games))
    chosen = set(every if wish.asked is None else rng.permutation(every)[: wish.asked])
    parts: list[Columns] = []
    rows: list[dict[str, Any]] = []
    waiting: list[tuple[dict[str, Any], Query, int | None]] = []
    for at, found in enumerate(games):
        asked = _run_of(len(found.record.moves), wish, rng) if at in chosen else range(0)
        for turn in _turns_of(found, at, wish.first_ply if wish.asked is not None else asked.start):
            if turn[0]["ply"] in asked and not turn[0]["bot"]:
                waiting.append(turn)
            elif wish.asked is None:
                continue
            rows.append(turn[0] | UNSAID)
        if len(waiting) >= _BATCH or at == len(games) - 1:
            by_turn = {(row["game"], row["ply"]): row for row in rows}
            told = mind([query for _, query, _ in waiting], effort) if waiting else []
            for (row, query, move), opinion in zip(waiting, told, strict=True):
                by_turn[row["game"], row["ply"]].update(_said(query, opinion, move))
            parts.append(_columns(rows))
            waiting.clear()
            rows.clear()
        report(at + 1, at + 1)
    return Turns({name: np.concatenate([part[name] for part in parts]) for name in (*NUMBERS, *WORDS)})


def _run_of(count: int, wish: Wish, rng: np.random.Generator) -> range:
    """The plies of a game of so many moves that are asked about; the one after its last move is among them."""
    begin = min(wish.first_ply, count)
    if wish.only_last:
        return range(max(count - 2 * (LOOKED_BACK - 1), begin + (count - begin) % 2), count + 1, 2)
    if wish.run is None or count - begin <= wish.run:
        return range(begin, count + 1)
    begin = int(rng.integers(begin, count - wish.run + 2))
    return range(begin, begin + wish.run)


def _columns(rows: list[dict[str, Any]]) -> Columns:
    names = [(name, np.float64) for name in NUMBERS] + [(name, np.str_) for name in WORDS]
    return {name: np.array([row[name] for row in rows], dtype=kind) for name, kind in names}


def _turns_of(found: Found, game: int, begin: int) -> Iterator[tuple[dict[str, Any], Query, int | None]]:
    """Rows without what a mind says, the questions, and the moves made (None where the game ended instead)."""
    record = found.record
    position = start_of(record.game, record.setup)
    increment = increment_seconds(record.time_control)
    left: list[float | None] = [None, None] if record.clocks else [main_seconds(record.time_control)] * 2
    renewed = 0.0 if "/" in record.time_control else increment
    spent: tuple[list[float], list[float]] = ([], [])
    for ply in range(len(record.moves) + 1):
        move = record.moves[ply] if ply < len(record.moves) else None
        side, known = position.to_move, left[0] is not None and left[1] is not None
        seconds = _seconds(record, ply, left[side], increment)
        if ply >= begin and len(position.legal) and (move is None or move in position.legal):
            clock = Clock(left[side] or 0.0, left[1 - side] or 0.0, increment, increment) if known else None
            query = Query(position, record.players[side], record.players[1 - side], clock)
            heard = spent[1 - side] if query.opponent.kind != "bot" else ()
            times = {"game": game, "seconds": seconds, **_habits(spent[side], heard)}
            yield _row(record, query, move) | times, query, move
        if move is None:
            return
        if not np.isnan(seconds):
            spent[side].append(seconds)
        left[side] = _left(record, ply, left[side], renewed - seconds)
        position = position.follow(move)


def _left(record: Record, ply: int, before: float | None, gained: float) -> float | None:
    """What the mover has after a move: as the record has it, or what was left and what the move gained or took."""
    if record.clocks:
        return record.clocks[ply] if ply < len(record.clocks) else before
    return None if before is None or np.isnan(gained) else max(before + gained, 0.0)


def _habits(own: Sequence[float], other: Sequence[float]) -> dict[str, float]:
    """What the last moves took, and what the side's moves usually take."""
    usual = usual_of(own)
    last = [each[-1] if each else np.nan for each in (own, other)]
    return {"spent": last[0], "opponent_spent": last[1], "usual": _known(usual)}


def _seconds(record: Record, ply: int, before: float | None, increment: float) -> float:
    """What this move took; NaN where nothing tells."""
    spent = record.think_seconds[ply] if ply < len(record.think_seconds) else None
    if spent is None and before is not None and ply < len(record.clocks):
        after = record.clocks[ply]
        spent = None if after is None else max(before + increment - after, 0.0)
    return float("nan") if spent is None else spent


def _row(record: Record, query: Query, move: int | None) -> dict[str, Any]:
    position, side = query.position, query.position.to_move
    score = float("nan") if record.score is None else abs(side - record.score)
    lost = move is None and score == 0.0
    clock = query.clock
    before, last = position.before, position.last_move
    return {
        "taken": 0.0 if before is None or last is None else gain_of(before, last),
        "ply": position.ply, "side": side, "turns_left": (len(record.moves) - position.ply) / 2,
        "balance": balance_of(position), "legal": len(position.legal),
        "captures": move is not None and captures(position, move),
        "recaptures": move is not None and recaptures(position, move),
        "rating": _known(query.player.rating), "opponent": _known(query.opponent.rating),
        "remaining": _known(None if clock is None else clock.remaining_seconds),
        "opponent_remaining": _known(None if clock is None else clock.opponent_seconds),
        "increment": increment_seconds(record.time_control),
        "resigned": lost and record.termination == "resignation", "flagged": lost and record.termination == "time",
        "score": score, "person": _person(query.player.name), "opponent_person": _person(query.opponent.name),
        "bot": query.player.kind == "bot",
        "pool": query.player.pool, "ending": record.termination, "speed": record.speed,
    }  # fmt: skip


def _said(query: Query, opinion: Opinion, move: int | None) -> dict[str, float]:
    chances = opinion.log_probs
    nothing = opinion.wdl is None
    hope = float("nan") if opinion.wdl is None else dist.expected_score(opinion.wdl)
    return {
        "hope": hope,
        "points": lead_of(query.position) if hope < WORTH_ASKING else float("nan"),
        "peril": peril_of(query.position),
        "draw": float("nan") if nothing or opinion.wdl is None else float(opinion.wdl[1]),
        "entropy": dist.entropy(chances),
        "top": float(chances.max()),
        "good": float((chances >= _GOOD).sum()),
        "chance": float("nan") if move is None else float(chances[index_of(query.position, move)]),
    }


UNSAID: Final = dict.fromkeys(("hope", "draw", "entropy", "top", "good", "chance", "points", "peril"), float("nan"))


def _known(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _person(name: str | None) -> float:
    """Half a hash of a name: equal for one person, never written where names are kept."""
    if not name:
        return float("nan")
    return float(int.from_bytes(blake2b(name.encode(), digest_size=6).digest(), "little"))
