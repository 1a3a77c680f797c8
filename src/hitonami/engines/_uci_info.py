"""What a UCI or USI engine says while it searches: `info` lines, and which of them count in the end.

Scores that are only bounds are left out: they are not the engine's judgement. Lines that cannot be
understood are left out too, for engines write all kinds of remarks between their answers.
"""

from dataclasses import dataclass

MATE_OF_UNKNOWN_LENGTH = 99
"""USI's `mate +` says that there is a mate and not how long it is."""


@dataclass(frozen=True, slots=True)
class Info:
    """One variation with its score, from the side to move."""

    pv: tuple[str, ...]
    depth: int = 0
    rank: int | None = None
    centipawns: int | None = None
    mate_in: int | None = None
    wdl: tuple[int, int, int] | None = None
    """Per mille."""

    @property
    def order(self) -> tuple[int, int]:
        """Greater is better: mates before scores, short mates before long, being mated late before soon."""
        if self.mate_in is not None:
            return (1 if self.mate_in > 0 else -1, -self.mate_in)
        return (0, self.centipawns or 0)


def read_info(line: str, mate_in_plies: bool) -> Info | None:
    """The variation that an `info` line tells, None where it tells none."""
    words = line.split()
    if words[:1] != ["info"] or "score" not in words or "pv" not in words or "string" in words:
        return None
    if "lowerbound" in words or "upperbound" in words:
        return None
    at = words.index("pv")
    head, pv = words[1:at], tuple(words[at + 1 :])
    if not pv:
        return None
    try:
        centipawns, mate_in = _read_score(head, mate_in_plies)
        return Info(
            pv,
            _number(head, "depth") or 0,
            _number(head, "multipv"),
            centipawns,
            mate_in,
            _read_wdl(head),
        )
    except (ValueError, IndexError):
        return None


def _number(words: list[str], key: str) -> int | None:
    return int(words[words.index(key) + 1]) if key in words else None


def _read_score(words: list[str], mate_in_plies: bool) -> tuple[int | None, int | None]:
    at = words.index("score")
    unit, value = words[at + 1], words[at + 2]
    if unit == "cp":
        return int(value), None
    if unit != "mate":
        raise ValueError(unit)
    if value in ("+", "-"):
        return None, MATE_OF_UNKNOWN_LENGTH if value == "+" else -MATE_OF_UNKNOWN_LENGTH
    length = int(value)
    if mate_in_plies:
        length = (length + 1) // 2 if length > 0 else -((1 - length) // 2)
    return None, length


def _read_wdl(words: list[str]) -> tuple[int, int, int] | None:
    if "wdl" not in words:
        return None
    at = words.index("wdl")
    win, draw, loss = (int(word) for word in words[at + 1 : at + 4])
    return (win, draw, loss) if min(win, draw, loss) >= 0 and win + draw + loss > 0 else None


class Collector:
    """Gathers variations to those of the last depth at which all the wanted ones were known.

    Engines that are cut off in the middle of a depth repeat older lines at a lower depth, with ranks that
    belong to neither depth; such repeats are ignored. Engines that give no ranks are read by first move.
    """

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._depth = -1
        self._current: dict[int, Info] = {}
        self._complete: dict[int, Info] = {}
        self._by_move: dict[str, Info] = {}

    def add(self, info: Info) -> bool:
        """Take a variation in; True where it completes a depth."""
        if info.rank is None:
            self._by_move[info.pv[0]] = info
            return self._wanted == 1
        if info.depth < self._depth:
            return False
        if info.depth > self._depth:
            self._depth, self._current = info.depth, {}
        self._by_move[info.pv[0]] = info
        self._current[info.rank] = info
        if len(self._current) < self._wanted:
            return False
        self._complete = dict(self._current)
        return True

    def lines(self, best: str | None = None) -> list[Info]:
        """The variations that count, best first. `best` is the engine's choice: its variation is never left out."""
        chosen = self._choose()
        has_ranks = bool(self._current)
        if best is not None and not has_ranks and best not in self._by_move:
            return []  # the scores of moves that it did not choose are bounds in most engines without ranks
        if best in self._by_move and best not in [info.pv[0] for info in chosen]:
            chosen.insert(0, self._by_move[best])
        if not has_ranks:
            chosen.sort(key=lambda info: info.pv[0] != best)  # the choice first; the others keep their order
        unique = {info.pv[0]: info for info in reversed(chosen)}
        return list(reversed(unique.values()))[: self._wanted]

    def _choose(self) -> list[Info]:
        ranked = self._complete or self._current
        if ranked:
            return [ranked[rank] for rank in sorted(ranked)]
        deepest = max((info.depth for info in self._by_move.values()), default=0)
        found = [info for info in self._by_move.values() if info.depth == deepest]
        return sorted(found, key=lambda info: info.order, reverse=True)
