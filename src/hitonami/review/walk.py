"""A review as it is made: network and judge go through the game together, and a move comes as soon as both are done.

    for step in Reviewing(chosen, minds, level): ...

The network looks some moves ahead in a thread of its own while the judge, usually another process, works: together
they take little longer than the slower one. What was reviewed so far can be summed up at any time, so an interrupted
review is a shorter one. Nothing is written anywhere; the judge keeps its own cache.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from hitonami import dist
from hitonami.core import Diagram, Effort, Game, Mind, Opinion, Player, Position, Query, index_of, open_game
from hitonami.dataset.shards import clocks_before
from hitonami.evaluate.decisions import opinions_of
from hitonami.judging.judge import Judge, Verdict
from hitonami.judging.phases import phase_of
from hitonami.review.chances import Curves, Point, between, curve_of
from hitonami.review.judging import name_of
from hitonami.review.labels import HARD, find_turning_points, label_of, summarise
from hitonami.review.measures import main_span, margin_of, result_text
from hitonami.review.reading import Chosen
from hitonami.review.steps import Candidate, PlayerSummary, Review, ReviewedMove
from hitonami.strength.estimate import Calibration, estimate
from hitonami.strength.evidence import FIRST_PLY, LEAST_SECONDS, Evidence, feature_names, row_of, told

_AT_ONCE: Final = 8
_CANDIDATES: Final = 5


@dataclass(frozen=True)
class Minds:
    """Who is asked. `calibration` belongs to the human mind and the pool; without one, estimates are rougher."""

    human: Mind
    expert: Mind | None = None
    judge: Judge | None = None
    calibration: Calibration | None = None
    name: str = "human"


@dataclass(frozen=True)
class AskedLevel:
    """Whom the players are taken for: a rating each, in a pool, and the ratings that every move is also asked at.

    Without levels there is nobody to be taken for: `told` is None, and there are no ratings.
    """

    pool: str
    told: tuple[float, float] | None
    ratings: tuple[float, ...]
    because: str = ""

    @property
    def mean(self) -> float | None:
        """Of both players: the level at which they would be equals."""
        return None if self.told is None else sum(self.told) / 2

    def of(self, side: int) -> float | None:
        return None if self.told is None else self.told[side]


@dataclass(frozen=True)
class _View:
    """What the network sees in one position; nothing where the game is over."""

    position: Position
    diagram: Diagram
    own: Opinion | None = None
    levels: tuple[Opinion, ...] = ()
    masters: tuple[Opinion, ...] = ()


@dataclass
class Reviewing:
    """A review under way. Iterate over it once; `summary` may be asked for at any time."""

    chosen: Chosen
    minds: Minds
    level: AskedLevel
    effort: Effort = field(default_factory=Effort.seeded)
    steps: list[ReviewedMove] = field(default_factory=list)

    def __post_init__(self) -> None:
        record = self.chosen.record
        self._game: Game[Any] = open_game(record.game)
        self._positions = _positions_of(self._game, self.chosen)
        self._views: list[_View] = []
        self._verdicts: list[Verdict | None] = []
        features = feature_names(self.level.ratings, self.minds.expert is not None)
        self._evidence = [Evidence(0, 1, np.zeros(len(features))) for _ in range(2)]
        self._clocks = clocks_before(record)

    @property
    def moves(self) -> int:
        """How many steps there will be."""
        return len(self._positions) - 1

    def __iter__(self) -> Iterator[ReviewedMove]:
        count = len(self._positions)
        parts = [range(begin, min(begin + _AT_ONCE, count)) for begin in range(0, count, _AT_ONCE)]
        with ThreadPoolExecutor(1) as pool:
            ahead = pool.submit(self._look, parts[0])
            for at, part in enumerate(parts):
                views = ahead.result()
                if at + 1 < len(parts):
                    ahead = pool.submit(self._look, parts[at + 1])
                self._views += views
                self._verdicts += self._judge(part)
                for ply in range(len(self.steps), len(self._views) - 1):
                    yield self._finish(ply)

    def _look(self, part: Sequence[int]) -> list[_View]:
        """The network's part of the work."""
        positions = [self._positions[ply] for ply in part]
        going = [position for position in positions if len(position.legal)]
        queries = [query for position in going for query in self._queries(position)]
        opinions = opinions_of(self.minds.human, queries, self.effort) if queries else []
        width = 1 + len(self.level.ratings)
        expert, asked = self.minds.expert, queries[min(1, width - 1) :: width]
        masters = opinions_of(expert, asked, self.effort) if expert is not None and asked else []
        views, place = [], 0
        for position in positions:
            diagram = self._game.diagram(position)
            if not len(position.legal):
                views.append(_View(position, diagram))
                continue
            own, *levels = opinions[place * width : (place + 1) * width]
            views.append(_View(position, diagram, own, tuple(levels), tuple(masters[place : place + 1])))
            place += 1
        return views

    def _queries(self, position: Position) -> list[Query]:
        """At the players' own levels, then at each rating of the grid; one board, so it is computed once."""
        players = [Player(self.level.of(side), self.level.pool, kind="human") for side in (0, 1)]
        own = Query(position, players[position.to_move], players[1 - position.to_move])
        return [own, *(told(own, rating, self.level.pool) for rating in self.level.ratings)]

    def _judge(self, part: Sequence[int]) -> list[Verdict | None]:
        plies = [ply for ply in part if ply < self.moves]
        if self.minds.judge is None:
            return [None] * len(plies)
        return list(self.minds.judge([(self._positions[ply], self._asked(ply)) for ply in plies]))

    def _asked(self, ply: int) -> list[int]:
        """The move played; where few would find it, also what they would play instead."""
        view, move = self._views[ply], self._moves(ply)
        assert view.own is not None
        usual = int(view.position.legal[dist.best(view.own.log_probs)])
        rare = np.exp(view.own.log_probs[index_of(view.position, move)]) < HARD
        return [move, usual] if rare and usual != move else [move]

    def _moves(self, ply: int) -> int:
        return self.chosen.record.moves[ply]

    def _finish(self, ply: int) -> ReviewedMove:
        """The step of a move whose position, and the one after it, have been looked at."""
        view, move, verdict = self._views[ply], self._moves(ply), self._verdicts[ply]
        position, own = view.position, view.own
        assert own is not None
        place = index_of(position, move)
        probabilities = np.exp(own.log_probs.astype(np.float64))
        margins = [margin_of(each.log_probs, place) for each in view.levels]
        main_from, main_to = main_span(self.level.ratings, margins)
        loss = None if verdict is None else verdict.loss(move)
        best = None if verdict is None else verdict.best_move
        self._take_evidence(view, ply, place)
        step = ReviewedMove(
            ply=ply,
            side=position.to_move,
            move=self._text(ply),
            name=self._game.describe(position, move),
            squares=self._game.touches(position, move),
            rating=self.level.of(position.to_move),
            probability=float(probabilities[place]),
            rank=1 + int((probabilities > probabilities[place]).sum()),
            by_rating=tuple(float(np.exp(each.log_probs[place])) for each in view.levels),
            main_from=main_from,
            main_to=main_to,
            candidates=self._candidates(view, probabilities, verdict),
            chance_before=None,
            chance_after=None,
            equal_before=None,
            equal_after=None,
            loss=loss,
            judge_chance=None if verdict is None else verdict.best,
            judge_after=None if verdict is None else verdict.chances[move],
            best_move="" if best is None else self._game.format(position, best),
            best_name="" if best is None else self._game.describe(position, best),
            best_squares=() if best is None else self._game.touches(position, best),
            phase=phase_of(position, view.diagram),
            label=label_of(float(probabilities[place]), loss, self._usual_loss(ply), given=self._given(position)),
        )
        self.steps.append(step)
        self.steps[-1] = step = _with_chances(step, self._curves())
        return step

    def _curves(self) -> Curves:
        """The chances by all that has been seen so far."""
        seen = self._views
        people = [Point(each.position.to_move, _chance_of(each), each.own is None) for each in seen]
        equals = people
        if self.level.of(0) != self.level.of(1):
            equals = [
                replace(point, chance=self._chance_of_equals(view)) if view.levels else point
                for point, view in zip(people, seen, strict=True)
            ]
        curves = [curve_of(self._game.name, points) for points in (people, equals, self._judged())]
        return Curves(*curves)

    def _judged(self) -> list[Point]:
        """The judge's chances of whoever has moved: before the first move, of the other side."""
        if self.minds.judge is None or not self.steps:
            return []
        first = self._verdicts[0]
        start = Point(1 - self.steps[0].side, None if first is None else 1.0 - first.best)
        told = zip(self.steps, self._verdicts, strict=False)
        return [
            start,
            *(Point(step.side, None if each is None else each.chances[self._moves(step.ply)]) for step, each in told),
        ]

    def _chance_of_equals(self, view: _View) -> float | None:
        told = [None if each.wdl is None else dist.expected_score(each.wdl) for each in view.levels]
        return None if self.level.mean is None else between(self.level.ratings, told, self.level.mean)

    def _usual_loss(self, ply: int) -> float | None:
        """What the move that others would have played costs, where the judge was asked."""
        verdict, move = self._verdicts[ply], self._moves(ply)
        others = [] if verdict is None else [other for other in verdict.chances if other != move]
        return verdict.loss(others[0]) if verdict is not None and others else None

    def _given(self, position: Position) -> float | None:
        """What the opponent has just given away."""
        return self.steps[-1].loss if self.steps and self.steps[-1].side != position.to_move else None

    def _text(self, ply: int) -> str:
        return self._game.format(self._positions[ply], self._moves(ply))

    def _candidates(self, view: _View, probabilities: Any, verdict: Verdict | None) -> tuple[Candidate, ...]:
        found = []
        for place in np.argsort(-probabilities, kind="stable")[:_CANDIDATES]:
            move = int(view.position.legal[place])
            known = verdict is not None and move in verdict.chances
            found.append(
                Candidate(
                    self._game.format(view.position, move),
                    self._game.describe(view.position, move),
                    float(probabilities[place]),
                    self._game.touches(view.position, move),
                    verdict.loss(move) if verdict is not None and known else None,
                )
            )
        return tuple(found)

    def _take_evidence(self, view: _View, ply: int, place: int) -> None:
        if (
            self.level.ratings
            and ply >= FIRST_PLY
            and len(view.position.legal) > 1
            and self._clocks[ply] >= LEAST_SECONDS
        ):
            side, row = view.position.to_move, row_of(view.levels, view.masters, place)
            self._evidence[side] += Evidence(1, 0, row)

    def summary(self) -> Review:
        """What the steps so far come to."""
        record, curves = self.chosen.record, self._curves()
        steps = tuple(_with_chances(step, curves) for step in self.steps)
        first, second = (self._player(side) for side in (0, 1))
        judge = self.minds.judge
        return Review(
            game=record.game,
            pool=self.level.pool,
            ratings=self.level.ratings,
            told=self.level.told,
            equal_rating=self.level.mean,
            told_because=self.level.because,
            sides=self._game.sides,
            mind=self.minds.name,
            judge="" if judge is None else name_of(judge),
            judge_nodes=None if judge is None else judge.nodes,
            result=result_text(record.score, record.termination),
            event=record.event,
            date=record.date,
            number=self.chosen.number,
            games=self.chosen.games,
            broken=self.chosen.broken,
            unfinished=len(steps) < self.moves,
            steps=steps,
            players=(first, second),
            turning_points=find_turning_points(steps),
            curves=curves,
            diagrams=tuple(view.diagram for view in self._views[: len(steps) + 1]),
        )

    def _player(self, side: int) -> PlayerSummary:
        player, evidence, level = self.chosen.record.players[side], self._evidence[side], self.level
        found = estimate(evidence, level.pool, self.minds.calibration, level.ratings) if evidence.moves else None
        return PlayerSummary(
            self._game.sides[side], player.name or "", player.rating, found, summarise(self.steps, side)
        )


def _positions_of(game: Game[Any], chosen: Chosen) -> list[Position]:
    """Up to the end by force, where a record goes on past it."""
    positions: list[Position] = [game.start(chosen.record.setup)]
    for move in chosen.record.moves:
        if not len(positions[-1].legal):
            break
        positions.append(positions[-1].follow(move))
    return positions


def _with_chances(step: ReviewedMove, curves: Curves) -> ReviewedMove:
    """The step with its mover's chances, by the curves."""
    people, equals = (
        [curves.own(which, ply, step.side) for ply in (step.ply, step.ply + 1)] for which in ("people", "equals")
    )
    return replace(
        step,
        chance_before=people[0],
        chance_after=people[1],
        equal_before=equals[0],
        equal_after=equals[1],
        judge_after=curves.own("judge", step.ply + 1, step.side),
    )


def _chance_of(view: _View) -> float | None:
    """Of the side to move, or the side that would be, once the game is over."""
    if view.own is None:
        score = view.position.score
        return None if score is None else abs(view.position.to_move - score)
    return None if view.own.wdl is None else dist.expected_score(view.own.wdl)
