"""Learning from nothing: games against itself, with the analysis as the teacher of intuition.

Games begin after a few moves at random. The first ones are intuition alone, which knows nothing yet: they give results
their first meaning. Then each move is analysed. Right after it, intuition learns what the analysis chose (online);
after the game, every move made is credited with its result, the rules say what the last two moves should have been
(`endings`), and decisions of earlier games are gone through again (offline). Now and then patterns grow. Doubt is large
at the beginning and falls with experience.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import islice
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import CountingGame
from hitonami.core import Position, Setup, open_game, size_of
from hitonami.customs import customs_in
from hitonami.intuition.analysis import Analysis, Found, Manner
from hitonami.intuition.endings import list_sound, list_winning
from hitonami.intuition.growth import Sample, grow_board, grow_moves, teach_choice, teach_result
from hitonami.intuition.knowledge import Knowledge, Sheet
from hitonami.progress import Report

_REPLAYED: Final = 12
"""Decisions of earlier games that are gone through again for each new one."""
_REMEMBERED: Final = 20_000
_LOOKED_THROUGH: Final = 20_000
"""Moves from which new patterns are chosen: those of some hundred decisions."""
_LEAST_DECISIONS: Final = 150
_SHARPNESS: Final = 8.0
"""How much a found score weighs against intuition's own chances, in logarithms of them for a whole win."""
_FORGOTTEN: Final = 0.002
"""Of how much a weight has moved, each game: what the first games taught must not fix the weights for ever."""
_REPLACED: Final = 6
"""Patterns that may come in at a time once there are as many as may be."""
_MIXED: Final = 0.7
"""Of a result; the rest is what the analysis expected."""


@dataclass(frozen=True)
class Plan:
    """How to learn. Doubt begins at `first_epsilon`, halves its distance to `last_epsilon` every `halving` games."""

    nodes: int = 32
    memory: int = 5000
    first_epsilon: float = 2.0
    last_epsilon: float = 0.3
    halving: float = 150.0
    blind_games: int = 120
    """Games of intuition alone at the beginning."""
    opening_plies: int = 6
    """Moves at random before a game, at most: as many as chance says."""
    grow_every: int = 30
    grown: int = 20
    most_patterns: int = 300
    most_board_patterns: int = 100
    most_conditions: int = 6
    along: int = 0
    """Plies of intuition's own line before a position is judged; what is begun with it stays with it."""
    rate: float = 0.1

    def epsilon(self, games: int) -> float:
        span = self.first_epsilon - self.last_epsilon
        return float(self.last_epsilon + span * 0.5 ** (games / self.halving))


@dataclass
class Learner:
    """Plays games of `setup` and learns from each. The same seed, knowledge and plan learn the same."""

    knowledge: Knowledge
    setup: Setup = field(default_factory=Setup)
    plan: Plan = Plan()
    seed: int = 0
    samples: deque[Sample] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))

    def play_and_learn(self) -> int:
        """One game. How many decisions it had."""
        begun = monotonic()
        known = self.knowledge.experience
        rng = np.random.default_rng([self.seed, known.games])
        blind = known.games < self.plan.blind_games
        played = self._play(rng, blind)
        self._reflect(played, rng)
        known.games += 1
        known.positions += len(played)
        for sheet in (self.knowledge.moves, self.knowledge.board):
            sheet.squares *= 1 - _FORGOTTEN
        if known.games % self.plan.grow_every == 0:
            self._grow(rng)
        known.seconds += monotonic() - begun
        return len(played)

    def _play(self, rng: np.random.Generator, blind: bool) -> list[Sample]:
        game = open_game(self.knowledge.game)
        here: Position = game.start(self.setup)
        limit = customs_in(game).ply_limit(size_of(here))
        epsilon = self.plan.epsilon(self.knowledge.experience.games)
        manner = Manner(self.plan.nodes, self.plan.memory, epsilon=epsilon, along=self.knowledge.along)
        here = self._open(here, rng)
        made: list[tuple[Sample, Position]] = []
        for _ in range(limit):
            if not len(here.legal):
                break
            sample = self._think(here, manner, rng, blind)
            made.append((sample, here))
            here = here.follow(int(here.legal[sample.chosen]))
        score = final_score(here)
        played = [replace(each, result=score if position.to_move == 0 else 1 - score) for each, position in made]
        if here.score is not None:
            self._see_end([position for _, position in made], played)
        return played

    def _open(self, start: Position, rng: np.random.Generator) -> Position:
        """A position after moves at random, the start where the game would end among them."""
        here = start
        for _ in range(int(rng.integers(self.plan.opening_plies + 1))):
            here = here.follow(int(rng.choice(here.legal)))
            if not len(here.legal):
                return start
        return here

    def _see_end(self, positions: list[Position], played: list[Sample]) -> None:
        """What the rules say of the last two decisions counts as found by an analysis."""
        if played[-1].result != 1:
            return
        won = list_winning(positions[-1])
        played[-1] = replace(played[-1], wanted=won / won.sum(), score=1.0)
        if len(played) > 1 and positions[-2].to_move != positions[-1].to_move:
            sound = list_sound(positions[-2], int(positions[-1].legal[played[-1].chosen]))
            if 0 < sound.sum() < len(sound):
                chances = np.exp(self.knowledge.judge_view(played[-2].view)[0]) * sound
                played[-2] = replace(played[-2], wanted=chances / chances.sum())

    def _think(self, here: Position, manner: Manner, rng: np.random.Generator, blind: bool) -> Sample:
        """A decision, learned from at once."""
        view = self.knowledge.eyes.look(here)
        if blind or len(here.legal) == 1:
            chances, expected = self.knowledge.judge(here)
            wanted = np.exp(chances)
            chosen = int(rng.choice(len(wanted), p=wanted / wanted.sum()))
            return Sample(view, np.empty(0), chosen, 0.5, float(expected[chosen]))
        analysis = Analysis(self.knowledge, here, manner, rng)
        analysis.run()
        found = analysis.found()
        if not found.visits.any():
            return Sample(view, np.empty(0), int(found.places[0]), 0.5, found.score)
        wanted = wanted_chances(found)
        chosen = int(rng.choice(len(wanted), p=wanted))
        sample = Sample(view, wanted, chosen, 0.5, found.score)
        teach_choice(self.knowledge, sample, self.plan.rate)
        return sample

    def _reflect(self, played: list[Sample], rng: np.random.Generator) -> None:
        for sample in played:
            teach_result(self.knowledge, sample, self.plan.rate)
        self.samples.extend(played)
        for at in rng.integers(len(self.samples), size=_REPLAYED * len(played)).tolist():
            sample = self.samples[at]
            if len(sample.wanted):
                teach_choice(self.knowledge, sample, self.plan.rate)
            teach_result(self.knowledge, sample, self.plan.rate, _MIXED)

    def _grow(self, rng: np.random.Generator) -> None:
        moves = np.mean([len(sample.view.landings) for sample in islice(self.samples, 0, None, 50)])
        size = min(max(_LEAST_DECISIONS, round(_LOOKED_THROUGH / float(moves))), len(self.samples))
        drawn = [self.samples[at] for at in rng.choice(len(self.samples), size, replace=False).tolist()]
        known, plan = self.knowledge, self.plan
        grow_board(known, drawn, self._make_room(known.board, plan.most_board_patterns), plan.most_conditions)
        taught = [sample for sample in self.samples if len(sample.wanted)]
        if taught:
            asked = rng.choice(len(taught), min(size, len(taught)), replace=False).tolist()
            room = self._make_room(known.moves, plan.most_patterns)
            grow_moves(known, [taught[at] for at in asked], room, plan.most_conditions)

    def _make_room(self, sheet: Sheet, most: int) -> int:
        """How many patterns may come in; where there are as many as may be, those that say least make room for some."""
        missing = _REPLACED - (most - len(sheet.known.patterns))
        if missing > 0:
            sheet.drop(missing, spared=2 * self.plan.grown)
            self.knowledge.compile()
        return max(min(self.plan.grown, most - len(sheet.known.patterns)), 0)


def wanted_chances(found: Found) -> NDArray[np.float64]:
    """[moves] what the analysis came to: all on moves that win, none on those that lose, else by what was found.

    Intuition's chances times e^(sharpness · score), where a move that was not looked at has the score of all: with few
    positions for many moves, how often each was looked at says little more than intuition did.
    """
    won = found.proved > 0
    if won.any():
        return won / won.sum()
    scores = np.where(found.visits > 0, found.values, found.score)
    weighed = found.chances + _SHARPNESS * scores
    if (found.proved >= 0).any():
        weighed[found.proved < 0] = -np.inf
    chances = np.exp(weighed - weighed.max())
    return np.asarray(chances / chances.sum())


def final_score(position: Position) -> float:
    """0..1 for player 0, counted where the game was stopped and can be counted, else a draw."""
    if position.score is not None:
        return position.score
    game = position.game
    return game.count(position, ()).score if isinstance(game, CountingGame) else 0.5


def learn(learner: Learner, games: int, seconds: float, show: Report, keep: Callable[[], None]) -> None:
    """Play until so many games are known, or so much time has passed; `keep` is called now and then and at the end."""
    begun = kept = monotonic()
    try:
        while learner.knowledge.experience.games < games and monotonic() - begun < seconds:
            learner.play_and_learn()
            show(learner.knowledge.experience.games, learner.knowledge.experience.games)
            if monotonic() - kept > _KEPT_EVERY_SECONDS:
                keep()
                kept = monotonic()
    finally:
        keep()


_KEPT_EVERY_SECONDS: Final = 60.0
