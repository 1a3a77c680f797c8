"""An agent: a mind plus a way to draw a move, a sense of when to stop, and a sense of time.

Where a game's manners were fitted (`hitonami.manners`), an agent gives up and takes its time as people of its level do;
elsewhere by a threshold on the expected score, and a share of the clock that grows with how hard the choice is. An
agent keeps no memory between moves, so it can be asked about any position at any time; what it needs of the past it
reads from the position.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Game, LogProbs, Mind, Opinion, Position, Query, lineage, walk_back
from hitonami.customs import customs_in
from hitonami.errors import BadInput, NoOpinion
from hitonami.levels import draw_exponent, seen_wins
from hitonami.levels.profiles import profile_of
from hitonami.looking import Looker, is_opening, look_further
from hitonami.manners import Manners, manners_of
from hitonami.manners.pacing import Pace
from hitonami.manners.repetition import go_round
from hitonami.manners.resignation import Resignation, features_of, is_certain, is_worth_asking, look_back
from hitonami.manners.wins import draw_wins
from hitonami.minds.glance import Glance
from hitonami.specs import MindSpec, Room, mind_spec

_EVEN = 0.5
EARLIEST_DRAW_PLY = 20
"""No draw is offered or taken before."""
OFFER_AGAIN_AFTER = 20
"""Plies after which an offer may come again, or its answer change."""
_OFFER_FROM_PLY = 60
_EVEN_WITHIN = 0.05
_DRAWISH = 0.4
_WINNING = 0.75
"""Expected score from which on a draw would be a mishap. From positions that a judge calls won, the chess network drew
8% of 264 games, two thirds of them by stalemate or repetition; people of the same levels 2% of 132."""
_WORTH_A_THOUGHT = float(np.log(0.05))
"""Least chance of a move that is made instead of repeating. Over the board 22 of 134 games from won positions were
drawn, 21 by repetition: when the third one was near, the network had counted it and no longer thought to be winning."""


@dataclass(frozen=True, slots=True)
class Play:
    """Make this move."""

    move: int


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up, and what it was given up for."""

    hope: float | None = None
    """The expected score, 0..1."""
    behind: float = 0.0
    """What the other side has more, in pawns or stones."""

    @property
    def reason(self) -> str:
        """How records and pages name it: `resignation, 2% hope, 5 behind`."""
        told = [] if self.hope is None else [f"{100 * self.hope:.0f}% hope"]
        return ", ".join(["resignation", *told, *([f"{self.behind:g} behind"] if self.behind >= 1 else [])])


@dataclass(frozen=True, slots=True)
class ClaimDraw:
    """Claim a draw that the rules allow but do not force."""

    reason: str


@dataclass(frozen=True, slots=True)
class DeclareWin:
    """Claim a win that the rules allow (shogi's entering king)."""

    reason: str


Action = Play | Resign | ClaimDraw | DeclareWin


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent does, what it thought, and how long a person would have thought."""

    action: Action
    opinion: Opinion
    think_seconds: float
    offers_draw: bool = False
    """Whether a draw is offered with the move."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When to give up: by the chance that people of the level do at this turn, but only against who will convert.

    Where nothing was fitted for the game: once the expected score has been below `hopeless` at this and the previous
    `turns - 1` own turns.
    """

    hopeless: float | None = None
    """By chances that are calibrated; None for the game's own."""
    turns: int = 3
    min_ply: int = 20
    most_saved: float | None = None
    """The chance of half a point or more, against this opponent, under which a game may be given up; 1 for any. None
    for what was found with the curves."""
    manners: Manners | None = None
    """None for what comes with the package."""

    def least_hope(self, game: Game[Any]) -> float:
        """The expected score below which a turn is hopeless."""
        return customs_in(game).hopeless if self.hopeless is None else self.hopeless

    def ends(self, mind: Mind, query: Query, opinion: Opinion, effort: Effort) -> Resign | None:
        """The resignation, or None to play on. Asks the mind about earlier positions only when this one is bad."""
        if opinion.wdl is None or query.position.ply < self.min_ply:
            return None
        hope = dist.expected_score(opinion.wdl)
        if not self._worth_asking(query.position, hope):
            return None
        own = [here for here in walk_back(query.position) if here.to_move == query.position.to_move]
        earlier = [Query(here, query.player, query.opponent) for here in islice(own, 1, self.turns)]
        told = mind(earlier, effort) if earlier else []
        hopes = [hope, *(dist.expected_score(each.wdl) for each in told if each.wdl is not None)]
        return self.gives_up(query, hopes, effort.rng, opinion.readiness)

    def gives_up(
        self, query: Query, hopes: Sequence[float], rng: np.random.Generator, readiness: float = 0.0
    ) -> Resign | None:
        """The same from the expected scores of own turns, the newest first, and how ready the person is."""
        fitted, position = self._fitted(query.position.game), query.position
        if position.ply < self.min_ply or not self._worth_asking(position, hopes[0]):
            return None
        course = look_back(position, hopes)
        if fitted is None:
            least = self.least_hope(position.game)
            over = len(hopes) >= self.turns and all(hope < least for hope in hopes[: self.turns])
        else:
            features = features_of(query, course)
            chance = fitted.own_chance(features, np.array([query.player.pool]), readiness)
            bound = fitted.most_saved if self.most_saved is None else self.most_saved
            over = fitted.saved(features).item() <= bound and rng.random() < chance.item()
            over |= is_certain(hopes) and (readiness >= 0.0 or rng.random() < np.exp(readiness))
        return Resign(hopes[0], course.behind) if over else None

    def _worth_asking(self, position: Position, hope: float) -> bool:
        fitted = self._fitted(position.game)
        return hope < self.least_hope(position.game) if fitted is None else is_worth_asking(position, hope)

    def _fitted(self, game: Game[Any]) -> Resignation | None:
        """What was fitted; nothing where the caller names a threshold of his own."""
        if self.hopeless is not None:
            return None
        return (manners_of(game.name) if self.manners is None else self.manners).resignation


_USUAL_PATIENCE = Patience()


@dataclass(frozen=True, slots=True)
class Agent:
    """Draws its moves from a mind: by chance ("sample", as people vary) or always the likeliest ("best").

    With a `style` (see `level_style`) chance is bent as it was fitted for the player's rating, so that the agent loses
    as much a move as people of that rating do, and it looks as far ahead as was fitted; where nothing was, the mind's
    chances are taken as they are.
    """

    mind: Mind
    draw: Literal["sample", "best"] = "sample"
    patience: Patience | None = _USUAL_PATIENCE
    pace: Pace = Pace()  # noqa: RUF009  # frozen
    style: str = ""
    rho: float | None = None  # the exponent to bend chances by, whatever was fitted for the rating
    looks: int | None = None  # how many positions to look at before a move, whatever was fitted
    leaves: Mind | None = None  # whom it asks below the first of them (see `open_leaves`), else its mind

    def decide(self, query: Query, effort: Effort) -> Decision:
        """What to do in this position. Raises BadInput where the game is over."""
        if not len(query.position.legal):
            raise BadInput(f"the game is over: {query.position.ending}")
        return self.conclude(query, self.think([query], effort)[0], effort)

    def think(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        """What its mind says of each, after as many looks ahead as its level takes once the opening is over."""
        looks = 1 if self.looks is None and self.draw == "best" else self.looks
        return look_further(Looker(self.mind, self.leaves), self.style, queries, looks, effort)

    def conclude(self, query: Query, opinion: Opinion, effort: Effort) -> Decision:
        """What to do with an opinion that its mind has formed already, and how long a person would have thought."""
        mood = float(effort.rng.standard_normal())
        action = self.act(query, opinion, effort)
        move = action.move if isinstance(action, Play) else int(query.position.legal[dist.best(opinion.log_probs)])
        seconds = self.pace.think_seconds(query, opinion, move, mood)
        return Decision(action, opinion, seconds, isinstance(action, Play) and self.offers_draw(query, opinion, effort))

    def offers_draw(self, query: Query, opinion: Opinion, effort: Effort) -> bool:
        """Whether to offer a draw with the move: by the chance that people of the level do, else in even endings."""
        position = query.position
        if not customs_in(position.game).draws_offered or opinion.wdl is None or position.ply < EARLIEST_DRAW_PLY:
            return False
        hope, draw = dist.expected_score(opinion.wdl), float(opinion.wdl[1])
        fitted = manners_of(position.game.name).draws
        if fitted is None:
            return position.ply >= _OFFER_FROM_PLY and abs(hope - _EVEN) <= _EVEN_WITHIN and draw >= _DRAWISH
        return bool(effort.rng.random() < fitted.offer(query, hope, draw))

    def accepts_draw(self, query: Query, effort: Effort) -> bool:
        """Whether to take a draw that the opponent, who is to move, offers: as people of the level do, else when not
        better. `query` has the opponent for its player.

        Who asks again soon gets the same answer: its chance belongs to the game and to a stretch of plies.
        """
        opinion = self.mind([query], effort)[0]
        if opinion.wdl is None or query.position.ply < EARLIEST_DRAW_PLY:
            return False
        hope, draw = 1.0 - dist.expected_score(opinion.wdl), float(opinion.wdl[1])
        fitted = manners_of(query.position.game.name).draws
        if fitted is None:
            return hope <= _EVEN
        began = lineage(query.position)[1][:EARLIEST_DRAW_PLY]
        mood = np.random.default_rng([query.position.ply // OFFER_AGAIN_AFTER, *began]).random()
        return bool(mood < fitted.answer(query, hope, draw))

    def act(self, query: Query, opinion: Opinion, effort: Effort) -> Action:
        """What to do with an opinion, whatever time it took."""
        claims = query.position.game.claims(query.position)
        if claims.win is not None:
            return DeclareWin(claims.win)
        if claims.draw is not None and opinion.wdl is not None and dist.expected_score(opinion.wdl) < 0.5:
            return ClaimDraw(claims.draw)
        resigned = None if self.patience is None else self.patience.ends(self.mind, query, opinion, effort)
        return resigned or Play(self.draw_move(query, opinion, effort.rng))

    def draw_move(self, query: Query, opinion: Opinion, rng: np.random.Generator) -> int:
        """A move by chance, or the likeliest, with no thought of resigning or claiming.

        Where a position comes back, people of some games go on repeating. Else who thinks to be winning does not draw
        at once, where there is another move, nor go back to a position, where another is worth a thought.
        """
        position, log_probs = query.position, opinion.log_probs
        if len(log_probs) != len(position.legal):
            raise NoOpinion(f"the mind gave {len(log_probs)} probabilities for {len(position.legal)} legal moves")
        fitted = manners_of(position.game.name).repeats if self.draw == "sample" else None
        if (again := go_round(fitted, position, opinion, lambda: self.draw_chances(query, log_probs))) is not None:
            return int(position.legal[dist.sample(again, rng)])
        at = self._pick(query, log_probs, rng)
        if opinion.wdl is not None and dist.expected_score(opinion.wdl) >= _WINNING:
            at = self._shun_draws(query, log_probs, at, rng)
        return int(position.legal[at])

    def _shun_draws(self, query: Query, log_probs: LogProbs, first: int, rng: np.random.Generator) -> int:
        """Draw again while the move would draw or repeat."""
        position, left, at = query.position, log_probs.copy(), first
        been = {here.key for here in walk_back(position)}
        while True:
            after = position.play(int(position.legal[at]))
            drawn = _draws(after)
            if not drawn and after.key not in been:
                return at
            left[at] = -np.inf
            if not drawn and left.max() < _WORTH_A_THOUGHT:
                return at
            if np.isneginf(left).all():
                return first
            at = self._pick(query, dist.normalise(left), rng)

    def draw_chances(self, query: Query, log_probs: LogProbs) -> LogProbs:
        """With which chances it draws each move, by those of its mind: all on the likeliest, or bent to its level."""
        if self.draw == "best":
            chosen = np.full_like(log_probs, -np.inf)
            chosen[dist.best(log_probs)] = 0.0
            return chosen
        rho = self.rho or (draw_exponent(self.style, query) if self.style else None)
        if rho is None:
            return log_probs
        kept = dist.restrict(log_probs, customs_in(query.position.game).least_drawn)
        bent = kept if is_opening(query.position) else dist.temper(kept, rho)
        return draw_wins(query, log_probs if rho > 1.0 else bent, bent, seen_wins(self.style, query))

    def _pick(self, query: Query, log_probs: LogProbs, rng: np.random.Generator) -> int:
        return dist.best(log_probs) if self.draw == "best" else dist.sample(self.draw_chances(query, log_probs), rng)


def _draws(position: Position) -> bool:
    """Whether the game is drawn here: by the rules, or by a claim that either side may make."""
    if not len(position.legal):
        return position.score == _EVEN
    return position.game.claims(position).draw is not None


def level_style(mind: MindSpec | str) -> str:
    """The style whose fitted draw belongs to this mind: packaged `human`, `blend`, `search`; "" for every other mind.

    Over a base it is `STYLE:PROFILE`. `human` without its foresight is another mind, for which nothing was fitted; so
    is a search by other knobs.
    """
    spec = mind_spec(mind)
    fields = dict(spec.fields)
    match spec.kind:
        case "human":
            is_packaged = bool(fields.get("foresight", True))
        case "blend":
            is_packaged = not fields.get("minds")
        case "search":
            is_packaged = not fields
        case _:
            is_packaged = False
    profile = profile_of(str(fields.get("base", "")))
    return f"{spec.kind}:{profile}".removesuffix(":") if is_packaged else ""


def open_leaves(opener: Callable[[str], Mind], mind: MindSpec | str, game: str) -> Mind | None:
    """Whom agents of a mind ask below the first position they look at; None for the mind itself."""
    return opener("glance") if level_style(mind) == "human" and game in Glance.GAMES else None


def open_agent(room: Room, mind: MindSpec | str, game: str, patience: Patience | None = _USUAL_PATIENCE) -> Agent:
    """Who plays by a mind: with the draw and the looks of its levels."""
    leaves = open_leaves(room.open, mind, game)
    return Agent(room.open(mind), patience=patience, style=level_style(mind), leaves=leaves)
