"""A blind set for an expert, and what the expert's verdicts say.

For each level the same number of games of people, of a weakened engine and of ours, each between two of a kind, cut to
the same number of moves, without result, names and clocks, under ids that chance gave. The expert is told the level and
writes "person" or "program" for each id; which is which stands in a key that is kept apart. Verdicts are measured by
exact binomial intervals and tests against coin tossing, and by χ² over kinds and verdicts (Fisher's exact test beside
it, since cells of six games are small).
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, erfc, exp, sqrt
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from hitonami.core import Player
from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.turing import binomial_interval, binomial_test
from hitonami.records import Record

Kind = Literal["people", "engine", "ours"]
KINDS: Final[tuple[Kind, ...]] = ("people", "engine", "ours")
PERSON, PROGRAM = "person", "program"
HEAD: Final = ("level", "id", "verdict", "sure 0-100", "remarks")
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_LONG: Final = 5
_LAYOUT: Final = 1


@dataclass(frozen=True)
class Hidden:
    """One game of a set, and what it is."""

    id: str
    level: float
    kind: Kind
    who: str
    record: Record
    """With nothing in it but the start and the moves."""


def hide(
    games: Mapping[tuple[float, Kind], tuple[str, Sequence[Record]]], plies: int, rng: np.random.Generator
) -> list[Hidden]:
    """Cut, stripped, named and shuffled within each level."""
    total = sum(len(records) for _, records in games.values())
    names = iter(_ids(total, rng))
    found: list[Hidden] = []
    for level in dict.fromkeys(level for level, _ in games):
        own = [
            Hidden(next(names), level, kind, who, _strip(record, plies))
            for (at, kind), (who, records) in games.items()
            if at == level
            for record in records
        ]
        found += [own[place] for place in rng.permutation(len(own))]
    return found


def _ids(count: int, rng: np.random.Generator) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choice(list(_LETTERS), _LONG))] = None
    return list(found)


def _strip(record: Record, plies: int) -> Record:
    movers = record.movers[:plies]
    return Record(record.game, record.setup, record.moves[:plies], (Player(), Player()), movers=movers)


def sheet_of(games: Sequence[Hidden]) -> str:
    """The scoring sheet, to be filled in."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows([f"{each.level:g}", each.id, "", "", ""] for each in games)
    return out.getvalue()


def key_of(games: Sequence[Hidden]) -> dict[str, Any]:
    """What is kept apart."""
    named = {each.id: {"level": each.level, "kind": each.kind, "who": each.who} for each in games}
    return {"layout": _LAYOUT, "games": named}


@dataclass(frozen=True)
class Verdicts:
    """What the expert said of the games of one kind, at one level or at all."""

    level: float | None
    kind: Kind
    n: int
    called_person: Interval
    p_value: float
    """Against coin tossing, two-sided, exact."""


@dataclass(frozen=True)
class Apart:
    """Two kinds, or all three, by verdict."""

    kinds: tuple[Kind, ...]
    chi_square: float
    p_value: float
    exact: float | None
    """Fisher's, two-sided, of two kinds."""


@dataclass(frozen=True)
class Scored:
    """Everything that the sheet says."""

    rows: tuple[Verdicts, ...]
    apart: tuple[Apart, ...]
    right: Interval
    """The share of verdicts that are right."""
    left_out: int
    """Games without a verdict."""


def score_sheet(sheet: str, key: Mapping[str, Any]) -> Scored:
    """Raises BadInput for a sheet or a key that is none, and where nothing was filled in."""
    known = _read_key(key)
    said = _read_sheet(sheet, known)
    if not said:
        raise BadInput("nothing is filled in: the verdict of each game is person or program")
    levels = sorted({level for level, _ in known.values()})
    rows = [row for level in (*levels, None) for kind in KINDS if (row := _verdicts(said, known, level, kind))]
    counts = {kind: _count(said, known, None, kind) for kind in KINDS}
    pairs: list[tuple[Kind, ...]] = [("people", "engine"), ("people", "ours"), ("engine", "ours"), KINDS]
    apart = [_apart(kinds, [counts[kind] for kind in kinds]) for kinds in pairs if all(counts[k][1] for k in kinds)]
    right = sum((known[name][1] == "people") == called for name, called in said.items())
    return Scored(tuple(rows), tuple(apart), binomial_interval(right, len(said)), len(known) - len(said))


def _read_key(key: Mapping[str, Any]) -> dict[str, tuple[float, Kind]]:
    try:
        found: dict[str, tuple[float, Kind]] = {
            str(name): (float(each["level"]), each["kind"]) for name, each in key["games"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadInput("this is no key of a blind set") from None
    if key.get("layout") != _LAYOUT or any(kind not in KINDS for _, kind in found.values()):
        raise BadInput("this is no key of a blind set that this version reads")
    return found


def _read_sheet(sheet: str, known: Mapping[str, Any]) -> dict[str, bool]:
    """By id, whether it was called a person; what is left empty is no verdict."""
    said: dict[str, bool] = {}
    for row in csv.DictReader(io.StringIO(sheet)):
        name, verdict = (row.get("id") or "").strip(), (row.get("verdict") or "").strip().casefold()
        if name not in known:
            raise BadInput(f"the sheet has a game {name!r} that the key does not know")
        if name in said:
            raise BadInput(f"the sheet has the game {name} twice")
        if verdict and verdict not in (PERSON, PROGRAM):
            raise BadInput(f"game {name}: the verdict is {PERSON} or {PROGRAM}, got {verdict!r}")
        if verdict:
            said[name] = verdict == PERSON
    return said


def _count(
    said: Mapping[str, bool], known: Mapping[str, tuple[float, Kind]], level: float | None, kind: Kind
) -> tuple[int, int]:
    """How many were called persons, of how many."""
    own = [called for name, called in said.items() if known[name][1] == kind and level in (None, known[name][0])]
    return sum(own), len(own)


def _verdicts(
    said: Mapping[str, bool], known: Mapping[str, tuple[float, Kind]], level: float | None, kind: Kind
) -> Verdicts | None:
    called, n = _count(said, known, level, kind)
    return Verdicts(level, kind, n, binomial_interval(called, n), binomial_test(called, n)) if n else None


def _apart(kinds: tuple[Kind, ...], counts: Sequence[tuple[int, int]]) -> Apart:
    table = np.array([[called, n - called] for called, n in counts], dtype=np.float64)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    if (table.sum(axis=0) == 0).any():  # one verdict for all: nothing is told apart
        return Apart(kinds, 0.0, 1.0, 1.0 if len(kinds) == len(("a", "b")) else None)
    value = float((np.square(table - expected) / expected).sum())
    two = len(kinds) == len(table) == len(KINDS) - 1
    return Apart(kinds, value, erfc(sqrt(value / 2)) if two else exp(-value / 2), _fisher(counts) if two else None)


def _fisher(counts: Sequence[tuple[int, int]]) -> float:
    """All tables with these margins that are no likelier than this one."""
    (a, n), (b, m) = counts
    drawn = a + b

    def chance(k: int) -> float:
        return comb(n, k) * comb(m, drawn - k) / comb(n + m, drawn)

    own = chance(a) * (1 + 1e-9)
    return min(1.0, sum(p for k in range(max(0, drawn - m), min(n, drawn) + 1) if (p := chance(k)) <= own))


def read_key(path: Path) -> dict[str, Any]:
    """Raises BadInput that names the file."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise BadInput(f"{path}: no key of a blind set: {wrong}") from None
    if not isinstance(held, dict):
        raise BadInput(f"{path}: no key of a blind set")
    return held
