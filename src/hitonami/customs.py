"""What a game is used to: how its people are rated, its boards, clocks, openings, programs and files, as plain data.

A game says its own in `customs`. One that says nothing has the defaults below, and everything works with them. Rules
are no customs: they are the game's own methods.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

import numpy as np

from hitonami.core import Game, Setup, open_game
from hitonami.knobs import Curve
from hitonami.parts import find_parts, load_part


@dataclass(frozen=True)
class Scale:
    """What levels are counted in. Ranks: 29 is 1 kyu, 30 is 1 dan."""

    kind: Literal["rating", "rank"] = "rating"
    pools: tuple[str, ...] = ("",)
    """The usual one first."""
    low: float = 0
    high: float = 3000
    step: float = 50
    default: float = 1500
    points: Mapping[str, Curve] = field(default_factory=dict)
    """Of ranks, by pool: what a rank is in points, which are Elo's."""

    def points_at(self, rank: float, pool: str) -> float | None:
        """What a rank is in points; None where none are known."""
        return float(self.points[pool](np.array([rank]))[0]) if pool in self.points else None


@dataclass(frozen=True)
class Opening:
    """A named line, as programs write its moves. `size` is the board that it belongs to, 0 for the only one."""

    name: str
    japanese: str
    moves: str
    size: int = 0


@dataclass(frozen=True)
class Rule:
    """A rule as it is explained to people who do not know the game, and where it comes from."""

    text: str
    japanese: str
    source: str = ""
    source_japanese: str = ""


@dataclass(frozen=True)
class Variant:
    """Another board or array of the same game, by what a setup's `variant` names it; "" is the usual one."""

    name: str
    title: str
    japanese: str = ""


@dataclass(frozen=True)
class Handicap:
    """What one side gives: `giver` is the stronger side by custom, and `setup` has what is not standard."""

    name: str
    giver: int
    setup: Setup
    title: str = ""
    """What people call it; its name where there is none."""
    japanese: str = ""


@dataclass(frozen=True)
class KnownEngine:
    """The program that players of the game know, where it is installed, as a mind."""

    program: str
    package: str
    """What installs it on Debian."""
    mind: str
    judging: Mapping[str, Any] = field(default_factory=dict)
    """What the mind's spec needs to judge moves; empty for a program that tells no chances."""


@dataclass(frozen=True)
class Phases:
    """Plies before which a game is in its opening, from which on in its ending; `per_point` as shares of the board."""

    opening: float = 0
    ending: float = float("inf")
    per_point: bool = False
    pieces: str = ""
    """Glyphs of the diagram: with at most `few` of them on the board it is the ending, whatever the ply."""
    few: int = 0


@dataclass(frozen=True)
class Customs:
    """The habits of one game."""

    title: str = ""
    """What people call the game; its name where there is none."""
    japanese: Mapping[str, str] = field(default_factory=dict)
    """The game's own words in Japanese, by the English ones: its title, its sides, how it ends."""
    called: tuple[str, str] | None = None
    """What people call the sides, where the rules have other names for them."""
    board: Literal["drawing", "fen", "sfen", "stones"] = "drawing"
    """What the page draws it with: its diagram, or a board of its own for positions of this kind."""
    diagram_style: Literal["grid", "checkered", "points", "hexagons", "text"] = "grid"
    """How its diagram is drawn: the game's sign in lists is made of it, without opening the rules."""
    middle: tuple[str, ...] = ()
    """Three rows of three for that sign, x and o for what stands there at the start; none for an empty board."""
    place: int = 100
    """Where it stands among games on offer, the lowest first; below 10 it is shown large."""
    pairs: bool = False
    """Whether a move of each side is counted as one."""
    scale: Scale = Scale()
    told: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Ratings where levels are told apart, by pool; "" for all others."""
    spans: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Ratings that an estimate may come to, by pool; "" for all others."""
    rank_groups: tuple[tuple[float, str], ...] = ()
    """Groups of ranks that are measured together, by their lowest; the first holds all below the second."""
    ratings_known: bool = False
    """Whether collections of games say how strong the players were."""
    sizes: tuple[int, ...] = ()
    """Boards to choose from, none where there is one."""
    usual_size: int = 0
    """The board that is meant where none is named."""
    variants: tuple[Variant, ...] = ()
    """Boards and arrays to choose from, the usual one first; none where there is one."""
    rules: tuple[Rule, ...] = ()
    """What the page explains of the game; nothing where everybody knows it."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """Signs of the diagram that are pieces of shogi, with their letters: drawn in the set that the visitor chose."""
    openings: tuple[Opening, ...] = ()
    lines: tuple[str, ...] | Mapping[int, tuple[str, ...]] = ()
    """Even enough starts for matches: moves as programs write them, by board size where there are several."""
    handicaps: tuple[Handicap, ...] = ()
    """Smallest first."""
    controls: tuple[str, ...] = ("180+2", "300+3", "600+5", "1800+20")
    """Times to think, as records write them."""
    phases: Phases = Phases()
    most_plies: int = 600
    """Where a match ends a game that does not end; `plies_per_point` times the board where that is given."""
    plies_per_point: int = 0
    can_draw: bool = True
    """Whether a game can end drawn."""
    draws_offered: bool = False
    """Whether people agree on draws."""
    passes: bool = False
    chances_averaged: bool = False
    """Whether reviews average chances over both sides to move: for networks that favour whoever has just moved."""
    reach: tuple[float, float] = (0.0, 10.0)
    """Distances to the last move (Rémi's) between which attention falls."""
    refinement: tuple[float, float, float] | None = None
    """B, D and GR as the table of Game Refinement theory has them."""
    hopeless: float = 0.05
    """Expected score below which people give up."""
    least_drawn: float = 0.005
    """The probability under which an agent of a level draws no move."""
    engine: KnownEngine | None = None
    records: tuple[str, ...] = ("plain",)
    """Formats that games are saved in: what people use first, what programs read last."""
    protocol: str = "plain"
    """How other programs talk with an engine of the game."""

    def told_for(self, pool: str) -> tuple[float, ...]:
        """The grid of ratings for a pool, the weakest first."""
        return self.told.get(pool) or self.told.get("") or (0.0, 1.0)

    def span_for(self, pool: str) -> tuple[float, float]:
        grid = self.told_for(pool)
        return self.spans.get(pool) or self.spans.get("") or (grid[0], grid[-1])

    def lines_for(self, size: int) -> tuple[str, ...]:
        """Starts for matches on a board of this size, 0 for the usual one."""
        return self.lines.get(size or self.usual_size, ()) if isinstance(self.lines, Mapping) else self.lines

    def ply_limit(self, size: int) -> int:
        return self.plies_per_point * (size or self.usual_size) ** 2 or self.most_plies


USUAL: Final = Customs()


@cache
def customs_of(game: str) -> Customs:
    """The customs of the game of that name; the usual ones where its rules are not here, but perhaps its records."""
    return customs_in(open_game(game)) if game.partition(":")[0] in find_parts("games") else USUAL


def customs_in(game: Game[Any]) -> Customs:
    """The game's own customs, the usual ones where it says nothing."""
    held: Customs = getattr(game, "customs", USUAL)
    return held


def title_of(game: str) -> str:
    """What people call the game of that name: its own title, else its name, after a colon where there is one."""
    return customs_of(game).title or game.rpartition(":")[2].replace("-", " ").replace("_", " ").capitalize()


def games_offered() -> tuple[str, ...]:
    """The names of all games that can be chosen from a list, by their places.

    A game that takes a name after a colon says in `offered` which of them it offers.
    """
    return _offered(tuple(find_parts("games")))


@cache
def _offered(parts: tuple[str, ...]) -> tuple[str, ...]:
    names = []
    for part in parts:
        arguments: tuple[str, ...] | None = getattr(load_part("games", part), "offered", None)
        names += [part] if arguments is None else [f"{part}:{each}" for each in arguments]
    return tuple(sorted(names, key=lambda name: (customs_of(name).place, title_of(name))))
