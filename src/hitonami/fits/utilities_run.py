"""A whole fit of what people play for: draw, ask what comes to mind and what it leads to, fit, check on unseen games.

`utilities` weighs the results that moves lead to; `features` what the board shows of each move. With an actor the moves
are not people's but drawn by that mind in the same positions, so that what is found can be laid beside what is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from hitonami import disk
from hitonami.core import Effort, Mind, Player, Query, index_of
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Asked, Columns, batches_of, opinions_of, take_facts
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import means_of
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.fits.utilities import (
    Considered,
    Floats,
    Utilities,
    Weights,
    Whole,
    fit_weights,
    gained_by,
    rows_of,
    utilities_of,
)
from hitonami.habits import habits_of
from hitonami.minds.utility import moves_looked_at
from hitonami.parts import find_parts
from hitonami.progress import Watching
from hitonami.search.results import results_after
from hitonami.sights import COMMON, look, sights_of
from hitonami.specs import Room, mind_spec
from hitonami.twins.store import SUFFIX, pack
from hitonami.twins.twin import Leanings, Twin

Worth = Literal["utilities", "features"]
MIN_PROBABILITY: Final = 0.005
FIRST_IMPRESSION: Final[dict[str, Any]] = {"kind": "human", "foresight": False, "openings": False}
"""What moves lead to is asked of the network alone: foresight changes no results and costs as much again."""
ALIKE: Final[dict[str, Any]] = {
    "kind": "temper",
    "rho": 0.0,
    "mind": {"kind": "restrict", "min_probability": MIN_PROBABILITY, "mind": FIRST_IMPRESSION},
}
"""All moves that come to mind, none before another: a prior that knew what people like would leave nothing to find."""
_AT_ONCE: Final = 32
_DRAWN: Final[dict[Worth, int]] = {"utilities": 100, "features": 10}
"""Moves that an actor draws in each position: they cost nothing to ask for, only memory, and the answer is sharper."""
_HARMLESS: Final = "human"


@dataclass(frozen=True)
class WorthWish:
    """What is asked for. Minds: whose moves are the prior, and whose results are believed; else the network's."""

    method: Worth
    minds: tuple[str, ...] = ()
    held_out: Split | Literal["none"] = "test"
    actor: str | None = None
    out: Path | None = None
    default_pool: str = ""


@dataclass(frozen=True)
class WorthRun:
    """Everything that one run found. `utilities` is empty for features."""

    drawn: Selected
    wish: WorthWish
    prior: str
    columns: tuple[str, ...]
    weights: tuple[Weights, ...]
    utilities: tuple[Utilities, ...]
    came_to_mind: float
    """The share of decisions whose move was looked at."""
    held_out: tuple[tuple[str, int, Interval], ...] = ()
    """By group, nats that its weights gain over the prior on unseen games."""


@dataclass(frozen=True)
class _Asking:
    """Who is asked, and what of moves is weighed."""

    prior: Mind
    value: Mind
    actor: Mind | None
    method: Worth
    game: str

    def columns(self) -> tuple[str, ...]:
        if self.method == "utilities":
            return ("win", "draw")
        sights = sights_of(self.game)
        return (*(sights.columns if sights else ()), *COMMON)


def run_worth(plan: Selection, wish: WorthWish, arguments: Sequence[str], watch: Watching) -> WorthRun:
    """Do all of it. Input that cannot be used is refused before anything is asked."""
    if wish.method == "features" and sights_of(plan.game) is None:
        raise BadInput(
            f"nothing is seen of moves in {plan.game}; there are sights for {', '.join(find_parts('sights'))}"
        )
    if wish.method == "features" and wish.out is not None and wish.out.suffix != SUFFIX:
        raise BadInput(f"--out {wish.out}: features are written as a {SUFFIX} file, which `--mind twin:FILE` plays")
    data = plan.open(arguments)
    with Room() as room:
        asking = _open(room, plan.game, wish)
        drawn, found = _ask(plan, data, asking, watch)
        with watch(len(found.facts.groups) + 1, "fits") as meter:
            weights = fit_weights(found, seed=plan.seed, report=meter.show)
        if not weights:
            raise BadInput("too few decisions are left for a fit")
        known = tuple(utilities_of(weights)) if wish.method == "utilities" else ()
        run = WorthRun(
            drawn, wish, _name(wish), asking.columns(), tuple(weights), known, float((found.played >= 0).mean())
        )
        if wish.out is not None:
            _keep(run, found)
        other = plan.unseen(wish.held_out)
        if other is None:
            return run
        _, unseen = _ask(other, data, asking, watch)
        return replace(run, held_out=tuple(_check(weights, found, unseen, plan.seed)))


def _open(room: Room, game: str, wish: WorthWish) -> _Asking:
    prior, value = (room.open(each) for each in _minds(wish))
    return _Asking(prior, value, room.open(wish.actor) if wish.actor else None, wish.method, game)


def _minds(wish: WorthWish) -> tuple[Any, Any]:
    """The prior, and whose results are believed."""
    prior = ALIKE if wish.method == "utilities" else FIRST_IMPRESSION
    given: dict[int, Any] = dict(enumerate(wish.minds))
    return given.get(0, prior), given.get(1, FIRST_IMPRESSION)


def _name(wish: WorthWish) -> str:
    if wish.minds:
        return wish.minds[0]
    return "the moves that come to mind, all alike" if wish.method == "utilities" else "the human network alone"


def _ask(plan: Selection, data: Data, asking: _Asking, watch: Watching) -> tuple[Selected, Considered]:
    drawn = select_with(watch, data, plan)
    effort, facts = Effort.seeded(plan.seed), Columns()
    parts: list[_Part] = []
    done = 0
    with watch(drawn.positions, "answers") as meter:
        for batch in batches_of(drawn):
            for begin in range(0, len(batch), _AT_ONCE):
                part = batch[begin : begin + _AT_ONCE]
                facts.add(part)
                parts += _look(part, asking, effort)
                done += len(part)
                meter.show(done, done)
    return drawn, _join(facts, parts, asking)


@dataclass(frozen=True)
class _Part:
    """One decision: the moves looked at, and which were played (one, or what an actor drew)."""

    log_probs: Floats
    columns: Floats
    played: list[int]


def _look(part: Sequence[Asked], asking: _Asking, effort: Effort) -> list[_Part]:
    queries = [sample.query for sample, _, _ in part]
    opinions = opinions_of(asking.prior, queries, effort)
    if asking.method == "utilities":
        places = [moves_looked_at(opinion, MIN_PROBABILITY) for opinion in opinions]
        columns = [rows[:, :2] for rows in results_after(asking.value, queries, places, effort)]
    else:
        places, columns = _see(asking.game, queries, [opinion.log_probs for opinion in opinions])
    moves = [[index_of(sample.query.position, sample.move)] for sample, _, _ in part]
    if asking.actor is not None:
        acted = opinions_of(asking.actor, queries, effort)
        chances = [np.exp(each.log_probs.astype(np.float64)) for each in acted]
        moves = [effort.rng.choice(len(own), size=_DRAWN[asking.method], p=own / own.sum()).tolist() for own in chances]
    return [
        _Part(opinion.log_probs[own].astype(np.float64), shown, [_place(own, move) for move in made])
        for opinion, own, shown, made in zip(opinions, places, columns, moves, strict=True)
    ]


def _see(game: str, queries: Sequence[Query], log_probs: Sequence[Any]) -> tuple[list[Whole], list[Floats]]:
    """The moves that come to mind in each position, and what is seen of them."""
    sights = sights_of(game)
    assert sights is not None
    looked = look(sights, queries, log_probs)
    starts = np.concatenate([[0], np.cumsum([len(each) for each in log_probs])])
    spans = [slice(*ends) for ends in zip(looked.begins[:-1], looked.begins[1:], strict=True)]
    places = [looked.places[span] - starts[at] for at, span in enumerate(spans)]
    return places, [looked.columns[span].astype(np.float64) for span in spans]


def _place(own: Whole, move: int) -> int:
    found = np.flatnonzero(own == move)
    return int(found[0]) if len(found) else -1


def _join(facts: Columns, parts: Sequence[_Part], asking: _Asking) -> Considered:
    """One row a move that was played: an actor has several in a position."""
    repeats = [len(each.played) for each in parts]
    rows = np.repeat(np.arange(len(parts)), repeats)
    return Considered(
        facts=take_facts(facts.facts(), rows),
        widths=np.array([len(parts[at].log_probs) for at in rows.tolist()]),
        log_probs=np.concatenate([parts[at].log_probs for at in rows.tolist()]),
        columns=np.concatenate([parts[at].columns for at in rows.tolist()]),
        played=np.array([place for each in parts for place in each.played]),
        drawn_to_nothing=asking.method == "features",
    )


def _check(
    weights: Sequence[Weights], fitted: Considered, unseen: Considered, seed: int
) -> list[tuple[str, int, Interval]]:
    """What the weights of each group, and of all, gain on decisions of that group that the fit never saw."""
    choices = unseen.choices(fitted.prior)
    named, told = dict(rows_of(unseen.facts)), []
    for each in weights:
        rows = np.intersect1d(named.get(each.name, np.zeros(0, np.int64)), np.flatnonzero(choices.own >= 0))
        if len(rows):
            gained = gained_by(choices, each.value)[:, None]
            [(name, n, [gain])] = means_of(unseen.facts, gained, [(each.name, rows)], seed)
            told.append((name, n, gain))
    return told


def _keep(run: WorthRun, found: Considered) -> None:
    """Write what plays so: a mind's TOML, or a twin's file."""
    out = run.wish.out
    assert out is not None
    try:
        if run.wish.method == "utilities":
            disk.write_text(out, _as_toml(run))
        else:
            disk.write_bytes(out, pack(_as_twin(run, found)))
    except OSError as wrong:
        raise BadInput(f"{out}: cannot be written: {wrong.strerror}") from None


def _as_toml(run: WorthRun) -> str:
    """The mind `utility` with curves over the rating of the pool's groups; without such groups, the values of all."""
    pools = [group.pool for group in run.drawn.available]
    pool = run.wish.default_pool or max(set(pools), key=pools.count)
    own = {group.label(len(set(pools))) for group in run.drawn.available if group.pool == pool}
    rated = sorted((each.rating, each) for each in run.utilities if each.name in own and each.rating is not None)
    chosen = [each for _, each in rated] or [run.utilities[-1]]
    prior, value = (mind_spec(each).as_dict() for each in _minds(run.wish))
    lines = ['kind = "utility"', f"mind = {_toml(prior)}", f"value_mind = {_toml(value)}"]
    for knob in ("beta", "draw"):
        values = [getattr(each, knob).value for each in chosen]
        points = [[each.rating, round(own, 4)] for each, own in zip(chosen, values, strict=True)]
        lines.append(f"{knob} = {points if len(points) > 1 else points[0][1]}")
    return "\n".join([*lines, f"min_probability = {MIN_PROBABILITY}", ""])


def _toml(value: Any) -> str:
    """Plain data as an inline value."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(each)}" for name, each in value.items()) + " }"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _as_twin(run: WorthRun, found: Considered) -> Twin:
    """The leanings of all decisions, over `human` and at their median rating."""
    every, prior = run.weights[-1], found.prior
    kinds = {name: np.zeros(size, dtype=np.float32) for name, size in habits_of(run.drawn.plan.game).kinds}
    scaled = prior.shift, prior.scale, every.value.astype(np.float32)
    pools = set(found.facts.pool)
    player = Player(every.rating, pools.pop() if len(pools) == 1 else "")
    made = {"mind": _HARMLESS, "games": every.games, "decisions": every.n}
    out = run.wish.out
    assert out is not None
    return Twin(out.stem, run.drawn.plan.game, player, Leanings(run.columns, *scaled, kinds), {}, made)
