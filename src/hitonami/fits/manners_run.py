"""Whole fits of manners: draw games, ask a mind, fit, measure on unseen games or people, keep the curves.

Turns that were asked about are kept in a file where the caller names one, so that a second run asks nothing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.agent import open_agent
from hitonami.core import Effort, Mind, Player
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import splits_of
from hitonami.dataset.reading import Found, open_data
from hitonami.errors import TooFew
from hitonami.evaluate.grouping import default_by, group_of
from hitonami.fits.clocked import OwnPace, can_be_played, measure_clocked, play_clocked
from hitonami.fits.pace import Flags, PaceFigures, fit_pace, flags_of, measure_pace, timed
from hitonami.fits.turns import Turns, Wish, ask_turns, draw_games, read_turns
from hitonami.manners import manners_of, read_manners
from hitonami.manners.pace import ThinkTime
from hitonami.progress import Watching
from hitonami.records import Record
from hitonami.specs import Room, mind_spec

PACE_FILTER: Final = "clocked,no-bots,no-bullet,no-handicap"
_REGULAR_SHARE: Final = 0.01
"""Who is in this share of the games is known by name, not by level: regulars are kept apart."""
_MANY_TURNS: Final = 0.4
_PEOPLE_APART: Final = 5
_REGULAR_GAMES: Final = 10
_OF_A_PERSON: Final = 900
_RUN_PLIES: Final = 4
_BAND: Final = 400.0
LEAST_PLAYED: Final = 8


@dataclass(frozen=True)
class MannersWish:
    """What is asked for. `turns`, a folder, keeps what the mind said; `out` takes the curves, beside what is there."""

    game: str
    games: int
    filter_text: str
    mind: str = "human"
    pool: str = ""
    seed: int = 0
    turns: Path | None = None
    out: Path | None = None
    asked: int | None = None
    """Games that the mind is asked about, in a run of plies; None for every turn of all."""
    play_out: int = 0
    """Lost positions of unseen games that agents play out."""
    play: int = 0
    """Games that agents play at the levels of unseen ones, and of think time on their clocks."""
    more: int = 0
    """Further games that are drawn; of those that the side to move gave up, the end is asked about."""

    def __post_init__(self) -> None:
        mind_spec(self.mind)  # games may take long to read: a wrong name is told before


@dataclass(frozen=True)
class PaceFit:
    """Curves of think time that were learned."""

    model: ThinkTime
    figures: PaceFigures
    learned: int
    asked: int
    """Those of the turns learned from that the mind was asked about."""


@dataclass(frozen=True)
class PaceRun:
    wish: MannersWish
    split: str
    packaged: PaceFigures | None
    """The package's own curves on the same unseen turns; None where it has none for the game."""
    fit: PaceFit | None
    refused: str = ""
    """Why nothing was learned, where there was too little."""
    own: tuple[tuple[str, OwnPace], ...] = ()
    """By level: agents' own games on clocks beside the people's that they took levels and clocks from."""


def run_pace(wish: MannersWish, arguments: tuple[str, ...], watch: Watching) -> PaceRun:
    """Think time: learned from some people's games, measured on other people's."""
    wanted = Wish(wish.games, parse_filter(wish.filter_text), "all", 2, _RUN_PLIES, wish.seed, _OF_A_PERSON, wish.asked)
    games = draw_of(wish, arguments, watch, wanted)
    turns = timed(ask_of(wish, games, watch, wanted, "pace"))
    parts, how = part_people(turns, games)
    every = np.any([tests for _, tests in parts], axis=0)
    if not every.any():
        raise TooFew(f"of {len(turns):,} timed turns none are of people who are kept apart: nothing to measure on")
    groups = groups_of(turns, wish.game)
    held = manners_of(wish.game).think_time
    packaged = None if held is None else measure_pace([(held, every)], turns, [_flags_at(games, turns, every)], groups)
    own = _play_on_clocks(wish, games, turns.where(every), watch) if wish.play else ()
    learns = np.any([learns for learns, _ in parts], axis=0)
    try:
        model = fit_pace(turns, learns, _flags_at(games, turns, learns))
        judged = [(fit_pace(turns, own, _flags_at(games, turns, own)), tests) for own, tests in parts]
    except TooFew as few:
        return PaceRun(wish, how, packaged, None, unless_needed(wish, packaged, few), own)
    asked = int((learns & ~np.isnan(turns["entropy"])).sum())
    figures = measure_pace(judged, turns, [_flags_at(games, turns, tests) for _, tests in parts], groups)
    about = {"turns": int(learns.sum()), "asked": asked, "split": how}
    keep_manners(wish, "think_time", model.as_data(), about, told_by(turns))
    return PaceRun(wish, how, packaged, PaceFit(model, figures, int(learns.sum()), asked), own=own)


def _flags_at(games: list[Found], turns: Turns, rows: NDArray[np.bool_]) -> Flags:
    """The clocks of the games that these turns are of."""
    return flags_of([games[at].record for at in np.unique(turns["game"][rows]).astype(int)])


def _play_on_clocks(
    wish: MannersWish, games: list[Found], turns: Turns, watch: Watching
) -> tuple[tuple[str, OwnPace], ...]:
    """Agents play games of unseen people anew; by the mean level of both, and all together."""
    playable = [at for at in np.unique(turns["game"]).astype(int) if can_be_played(games[at].record)]
    chosen = np.random.default_rng([wish.seed, 0xC10C]).permutation(playable)[: wish.play].tolist()
    if not chosen:
        raise TooFew("of no unseen game both levels and the time control are known: nothing for agents to play")
    records = [games[at].record for at in chosen]
    with Room() as room, watch(len(records), "games played on clocks") as meter:
        agent = open_agent(room, wish.mind, wish.game)
        played = play_clocked(records, agent, Effort.seeded(wish.seed), meter.show)
    levels = [mean_level(record, wish.game) for record in records]
    found = []
    for name in (*sorted(set(levels)), "all"):
        own = [place for place, level in enumerate(levels) if name in (level, "all")]
        if len(own) >= LEAST_PLAYED or name == "all":
            number = {chosen[place]: at for at, place in enumerate(own)}
            theirs = turns.where(np.isin(turns["game"], list(number)))
            numbered = Turns(theirs.columns | {"game": np.array([number[int(at)] for at in theirs["game"]], float)})
            found.append((name, measure_clocked([records[at] for at in own], numbered, [played[at] for at in own])))
    return tuple(found)


def mean_level(record: Record, game: str) -> str:
    """The group of both players' mean."""
    first, second = (player.rating or 0.0 for player in record.players)
    return group_of(Player((first + second) / 2, record.players[0].pool), game, default_by(game), _BAND).name


def unless_needed(wish: MannersWish, packaged: object, few: TooFew) -> str:
    """What is told where too little was there to learn from. Raises it where that is all that was asked for."""
    if packaged is None or wish.out is not None:
        raise few
    return str(few)


def draw_of(wish: MannersWish, arguments: tuple[str, ...], watch: Watching, wanted: Wish) -> list[Found]:
    data = open_data(arguments, wish.game, named=True)
    with watch(data.bytes_total, "games") as meter:
        games = draw_games(data, wanted, meter.show)
    if not games:
        raise TooFew(f"no game of the split {wanted.split} is left; the filter was {wanted.rules.text or 'none'}")
    return games


def kept_at(wish: MannersWish, name: str) -> Path | None:
    return None if wish.turns is None else wish.turns / f"{name}.npz"


def ask_of(wish: MannersWish, games: list[Found], watch: Watching, wanted: Wish, name: str) -> Turns:
    path = kept_at(wish, name)
    if path is not None and path.is_file():
        return read_turns(path)
    with Room() as room:
        mind: Mind = room.open(wish.mind)
        with watch(len(games), "games asked about") as meter:
            turns = ask_turns(games, mind, wanted, meter.show)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        turns.save(path)
    return turns


def part_people(turns: Turns, games: list[Found]) -> tuple[list[tuple[NDArray[np.bool_], NDArray[np.bool_]]], str]:
    """Which turns teach and which test, several times over, so that everybody is unseen once; and how that was done.

    Regulars are in many games. Where many of the turns are theirs, each half of them tests, with all games that they
    are in; in the games of the rest only their opponents' turns teach, so that nobody's own habits are learned. Else a
    fifth of the people test at a time. Without names games are split, once.
    """
    people, others = turns["person"], turns["opponent_person"]
    names, counts = np.unique(people[~np.isnan(people)], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    pairs = np.unique(np.stack([people, turns["game"]]), axis=1)[0]
    played = np.unique(pairs[~np.isnan(pairs)], return_counts=True)[1]
    often = (counts >= _REGULAR_SHARE * len(turns)) & (played >= _REGULAR_GAMES)
    regulars = [float(names[at]) for at in order if often[at]]
    if len(regulars) > 1 and np.isin(people, regulars).mean() >= _MANY_TURNS:
        halves = [np.isin(people, half) | np.isin(others, half) for half in (regulars[::2], regulars[1::2])]
        apart = [(~half & ~np.isin(people, regulars), half) for half in halves]
        return apart, f"by person, {len(regulars)} regulars"
    if np.isnan(people).mean() < _MANY_TURNS:
        fifths = [
            ((people % _PEOPLE_APART != at) & (others % _PEOPLE_APART != at), people % _PEOPLE_APART == at)
            for at in range(_PEOPLE_APART)
        ]
        return fifths, f"by person, {len(names)} people"
    place = splits_of(np.array([found.content for found in games], dtype=np.uint64), "80/10/10")
    of_turn = place[turns["game"].astype(int)]
    return [(of_turn == 0, of_turn > 0)], "by game"


def groups_of(turns: Turns, game: str) -> NDArray[np.str_]:
    """[n] the level of each turn's player."""
    by = default_by(game)
    known: dict[tuple[float | None, str], str] = {}
    ratings = [None if np.isnan(rating) else rating for rating in turns["rating"].tolist()]  # no NaN is like another
    pairs = list(zip(ratings, turns["pool"].tolist(), strict=True))
    for rating, pool in set(pairs):
        known[rating, pool] = group_of(Player(rating, pool), game, by, _BAND).name
    return np.array([known[pair] for pair in pairs], dtype=np.str_)


def keep_manners(
    wish: MannersWish, what: str, model: Mapping[str, Any], about: Mapping[str, Any], told: NDArray[np.float64]
) -> None:
    """Write one part of a game's manners beside the others, where a file is named. `told`: what it learned from."""
    path = wish.out
    if path is None:
        return
    held: dict[str, Any] = {}
    if path.exists():
        read_manners(path)  # refuses what is no file of manners
        held = json.loads(path.read_text(encoding="utf-8"))
    digest = sha256(np.nan_to_num(told).astype("<f8").tobytes()).hexdigest()
    made = {
        "filter": wish.filter_text,
        "mind": str(mind_spec(wish.mind)),
        "seed": wish.seed,
        "turns_sha256": digest,
        **about,
    }
    held[what] = {**model, "provenance": made}
    disk.write_text(path, json.dumps(held, indent=1, ensure_ascii=False) + "\n")


def told_by(turns: Turns) -> NDArray[np.float64]:
    return np.stack([turns["game"], turns["ply"], turns["hope"]])
