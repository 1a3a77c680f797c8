"""Play a block of games, all advancing together.

At each step every mind is asked once about all the positions in which it is to move. A game that its player cannot go
on with (the program crashed, hung, played an illegal move; the mind has no opinion) is lost by forfeit, with the
reason, and the others go on. An arbiter grants at once what may be claimed; at the limit of plies a counting game is
counted and any other is drawn. There are no clocks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hitonami import dist
from hitonami.agent import Agent, Patience
from hitonami.core import Effort, Opinion, Player, Position, Query, Setup, lineage
from hitonami.dataset.shards import start_of
from hitonami.errors import HitonamiError, WorkFailed
from hitonami.matches.entrants import Entrant, uses_engine
from hitonami.matches.openings import Opening, Sampled
from hitonami.matches.pairing import Block, Judge, Schedule
from hitonami.play.endings import Outcome, count, guess_dead, won_by
from hitonami.play.table import Bout
from hitonami.specs import Room

_PATIENCE = Patience()
_CAN_RESIGN = frozenset({"usi", "gtp"})
"""Protocols in which a program says that it resigns; its mind then expects nothing at all."""
_FOR_MINDS, _FOR_OPENINGS = 1_000_001, 1_000_002
"""Streams of chance beside those of the games, whose numbers are lower."""


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game. `first` and `second` are numbers of entrants; `score` is the first's, 0..1."""

    first: int
    second: int
    number: int
    score: float
    termination: str
    """As records say it: "checkmate", "resignation", "forfeit", "3.5 points"."""
    setup: Setup
    moves: tuple[int, ...]
    opening_plies: int
    forfeit: str = ""
    """Why the loser could not go on."""


@dataclass
class _Live(Bout):
    """A game under way."""

    number: int
    seats: tuple[int, int]
    entrants: tuple[Entrant, Entrant]
    agents: tuple[Agent, Agent]
    players: tuple[Player, Player]
    """As the minds are asked about them."""
    opening_plies: int
    rng: np.random.Generator
    ply_limit: int
    resigns: bool
    hopes: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    """What each side expected at its last turns, the newest first."""
    clear: int = 0
    """Positions in a row that the judge called clear; negative where for the second side."""
    why: str = ""
    """Why the loser could not go on."""

    @property
    def query(self) -> Query:
        here = self.position.to_move
        return Query(self.position, self.players[here], self.players[1 - here])

    def forfeit(self, why: HitonamiError) -> None:
        self.outcome, self.why = won_by(1 - self.position.to_move, "forfeit"), str(why)

    def go_on(self, query: Query, opinion: Opinion) -> None:
        """Do what the side to move does with its opinion: give up, or move."""
        side = self.position.to_move
        if self.resigns and self._gives_up(query, opinion, self.entrants[side].mind.kind in _CAN_RESIGN):
            return self.give_up(side)
        try:
            move = self.agents[side].draw_move(query, opinion, self.rng)
        except HitonamiError as wrong:
            return self.forfeit(wrong)
        return self.play(move)

    def _gives_up(self, query: Query, opinion: Opinion, at_once: bool) -> bool:
        """The agent's patience, from the opinions of this game and not by asking again."""
        if opinion.wdl is None:
            return False
        hopes = self.hopes[self.position.to_move]
        hopes.insert(0, dist.expected_score(opinion.wdl))
        del hopes[_PATIENCE.turns :]
        if hopes[0] == 0.0 and at_once:
            return True
        return _PATIENCE.gives_up(query, hopes, self.rng, opinion.readiness) is not None

    def look_for_end(self) -> None:
        """By the rules, by a claim, which the arbiter grants at once, or by the limit of plies."""
        super().look_for_end()
        if self.outcome is not None:
            self._tell_margin(self.dead)
        elif not self.claim() and self.position.ply >= self.ply_limit:
            self.outcome = Outcome(0.5, "move limit")
            self._tell_margin(guess_dead(self.position))

    def _tell_margin(self, dead: tuple[int, ...]) -> None:
        """A count is told as records tell it."""
        counted = count(self.position, dead)
        if counted is not None:
            margin = str(counted).partition("+")[2]
            drawn = self.position.ending or "move limit"
            self.outcome = Outcome(counted.score, f"{margin} points" if margin else drawn)

    def hear_judge(self, opinion: Opinion, judge: Judge) -> None:
        """One more position that the judge calls clear, or a new count."""
        if opinion.wdl is None:
            raise WorkFailed("the judge has no view of results: name a mind that tells chances")
        score = dist.expected_score(opinion.wdl)
        score = score if self.position.to_move == 0 else 1.0 - score
        sign = 1 if score >= judge.threshold else -1 if score <= 1.0 - judge.threshold else 0
        self.clear = self.clear + sign if self.clear * sign > 0 else sign
        if abs(self.clear) >= judge.plies:
            self.outcome = won_by(int(self.clear < 0), "adjudication")

    def finish(self) -> Played:
        assert self.outcome is not None
        start, moves = lineage(self.position)
        ended = self.outcome.score, self.outcome.reason
        return Played(*self.seats, self.number, *ended, start.setup, tuple(moves), self.opening_plies, self.why)


def play_block(plan: Schedule, block: Block) -> list[Played]:
    """Every game of the block, in order. Minds are opened for this block alone, so nothing is left over from others."""
    with Room() as room:
        starts = {number: _replay(plan, each) for number, each in _openings(plan, block, room).items()}
        agents = {side: _agent_of(room, plan.entrants[side], plan.game) for side in block.pair}
        games = [_set_up(plan, block, number, starts[number // 2], agents) for number in range(block.begin, block.end)]
        for game in games:
            game.look_for_end()
        step = 0
        while live := [game for game in games if game.outcome is None]:
            _advance(plan, block, room, live, step)
            step += 1
        return [game.finish() for game in games]


def _set_up(plan: Schedule, block: Block, number: int, position: Position, agents: Mapping[int, Agent]) -> _Live:
    one, other = block.pair if number % 2 == 0 else block.pair[::-1]
    rng = np.random.default_rng([plan.seed, 1, *block.pair, number])
    entrants = plan.entrants[one], plan.entrants[other]
    return _Live(
        position,
        number,
        (one, other),
        entrants,
        (agents[one], agents[other]),
        (entrants[0].asked_as, entrants[1].asked_as),
        position.ply,
        rng,
        plan.ply_limit,
        plan.resigns,
    )


def _agent_of(room: Room, entrant: Entrant, game: str) -> Agent:
    """It resigns by what was thought before in this game. Its mind is opened when it is asked: a program that does not
    start loses its games, and nothing else."""

    def mind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return room.open(entrant.mind)(queries, effort)

    return entrant.agent(mind, room, game)


def _replay(plan: Schedule, opening: Opening) -> Position:
    position = start_of(plan.game, opening.setup)
    for move in opening.moves:
        position = position.play(move)
    return position


def _advance(plan: Schedule, block: Block, room: Room, live: list[_Live], step: int) -> None:
    """All games that wait for one entrant are asked about at once, then all that wait for the other.

    Whichever colours they have, all games soon wait for the same entrant, so that batches are whole blocks.
    """
    for side in block.pair:
        waiting = [game for game in live if game.outcome is None and game.seats[game.position.to_move] == side]
        rng = np.random.default_rng([plan.seed, 1, *block.pair, block.begin, _FOR_MINDS, step, side])
        queries = [game.query for game in waiting]
        opinions = _ask(plan.entrants[side], waiting, queries, Effort(rng))
        for game, query, opinion in zip(waiting, queries, opinions, strict=True):
            if isinstance(opinion, HitonamiError):
                game.forfeit(opinion)
            else:
                game.go_on(query, opinion)
        if plan.judge is not None:
            _consult(plan.judge, room, [game for game in waiting if game.outcome is None], Effort(rng))


def _consult(judge: Judge, room: Room, games: list[_Live], effort: Effort) -> None:
    if not games:
        return
    opinions = room.open(judge.mind)([Query(game.position, Player(), Player()) for game in games], effort)
    for game, opinion in zip(games, opinions, strict=True):
        game.hear_judge(opinion, judge)


def _ask(entrant: Entrant, waiting: list[_Live], queries: list[Query], effort: Effort) -> list[Opinion | HitonamiError]:
    """One opinion a query. Where the mind fails on a batch, or is a program that may, each query is asked alone."""
    if not queries:
        return []
    agent = waiting[0].agents[queries[0].position.to_move]
    if len(queries) > 1 and not uses_engine(entrant.mind):
        try:
            return [*agent.think(queries, effort)]
        except HitonamiError:
            pass
    answers: list[Opinion | HitonamiError] = []
    for query in queries:
        try:
            answers += agent.think([query], effort)
        except HitonamiError as wrong:
            answers.append(wrong)
    return answers


def _openings(plan: Schedule, block: Block, room: Room) -> dict[int, Opening]:
    """The opening of each pair of games, by the number of the pair."""
    numbers = range(block.begin // 2, (block.end + 1) // 2)
    if not isinstance(plan.openings, Sampled):
        return {number: plan.openings[number % len(plan.openings)] for number in numbers}
    entrant = plan.openings.entrant or plan.entrants[block.pair[0]]
    return {number: _sample(plan, block, room, entrant, number) for number in numbers}


def _sample(plan: Schedule, block: Block, room: Room, entrant: Entrant, number: int) -> Opening:
    """The entrant's mind against itself; cut where the game would end."""
    assert isinstance(plan.openings, Sampled)
    position = _replay(plan, Opening(plan.setup))
    rng = np.random.default_rng([plan.seed, 1, *block.pair, number, _FOR_OPENINGS])
    mind = room.open(entrant.mind)
    while position.ply < plan.openings.plies:
        opinion = mind([Query(position, entrant.asked_as, entrant.asked_as)], Effort(rng))[0]
        after = position.play(int(position.legal[dist.sample(opinion.log_probs, rng)]))
        if not len(after.legal):
            break
        position = after
    return Opening(plan.setup, tuple(lineage(position)[1]))
