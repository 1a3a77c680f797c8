"""KataGo's human network (HumanSL) as a mind, through KataGo's analysis engine: Go players of a rank.

The engine is started with `-human-model` and told for each position whom to imitate, a *profile* in its words:
`rank_5k`, `preaz_5k` (before AlphaZero's openings), `rank_5k_3k` where the two players differ, `proyear_2020` for
professionals. Which one follows from the ratings of the query; nothing is imitated that KataGo has no profile for. With
`human:katago-human:COMMAND` it is a base like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Player, Query
from hitonami.engines.katago import START_SECONDS, Analysis, KatagoEngine
from hitonami.errors import BadInput, quote
from hitonami.games.go import GoPosition
from hitonami.knobs import Knob, check_knob
from hitonami.minds._katago import boards_of, check_seconds, floored, judge_chances, share_engine
from hitonami.minds.near import Near
from hitonami.minds.temper import Temper
from hitonami.ranks import FIRST_DAN, FIRST_PROFESSIONAL, write_rank
from hitonami.specs import Room

_WEAKEST, _STRONGEST = FIRST_DAN - 20, FIRST_DAN + 8
"""20 kyu and 9 dan: what KataGo has profiles for."""
_FURTHEST: Final = 9
"""Ranks between two players; beyond that KataGo warns that it saw no games."""
_BEYOND: Final = FIRST_PROFESSIONAL + 20
"""Numbers from here on are ratings, not ranks."""
_YEARS: Final = (1800, 2023)


@dataclass(frozen=True)
class KatagoHuman:
    """What Go players of the query's ranks would do, by KataGo's human network.

    `command` starts KataGo: `katago analysis -config FILE -model FILE -human-model FILE`. `era` "preaz" imitates play
    before AlphaZero's openings, "rank" since; players of professional ranks are those of `year`. Players below 20 kyu
    count as 20 kyu. `rho` and `m` bend its policy as published: P^rho, and by the distance to the last move (see
    `temper` and `near`); as they are, the policy stays what it is. Chances are the human network's where it tells them.
    """

    command: str
    era: Literal["rank", "preaz"] = "rank"
    year: int = _YEARS[1]
    rho: Knob = 1.0
    m: Knob | None = None
    floor: float = 0.0001
    timeout_seconds: float = 60.0
    start_seconds: float = START_SECONDS

    GAMES: ClassVar[tuple[str, ...]] = ("go",)
    INEXACT: ClassVar[bool] = True
    """Unless its configuration says otherwise, it looks at a board in a random orientation."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ()
    """None that every machine could run: it needs two networks and a configuration."""

    def __post_init__(self) -> None:
        check_knob("year", self.year, *_YEARS)
        check_knob("floor", self.floor, 0.0, 1.0)
        check_seconds(self)

    def open(self, room: Room) -> Mind:
        """Start the engine, or join in where an equal one runs already."""
        mind: Mind = Imitating(self, share_engine(self, room))
        if self.rho != 1.0:
            mind = Temper(mind, self.rho)
        return mind if self.m is None else Near(mind, self.m)


@dataclass(frozen=True)
class Imitating:
    """The mind over an engine that runs."""

    fields: KatagoHuman
    engine: KatagoEngine

    @property
    def origin(self) -> str:
        """Which program and version answers."""
        return f"{self.engine.name}, human network"

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        boards = boards_of(queries, self.fields.command)
        profiles = [self.profile_of(query) for query in queries]
        found = self.engine.analyse(boards, 1, profiles) if boards else []
        return [self._judge(board, each) for board, each in zip(boards, found, strict=True)]

    def profile_of(self, query: Query) -> str:
        """Whom KataGo is to imitate. Raises BadInput for a player whose rank is not known."""
        own = self._rank(query.player)
        if own >= FIRST_PROFESSIONAL:
            return f"proyear_{self.fields.year}"
        other = own if query.opponent.rating is None else self._rank(query.opponent)
        other = min(max(other, own - _FURTHEST), own + _FURTHEST)
        ranks = [_name(own), _name(other)]
        black_first = ranks if query.position.to_move == 0 else ranks[::-1]
        return "_".join([self.fields.era, *(black_first if ranks[0] != ranks[1] else ranks[:1])])

    def _rank(self, player: Player) -> int:
        if player.rating is None:
            raise BadInput(f"{self.fields.command} is to play at the player's rank, and the player has none")
        if not 0 <= player.rating < _BEYOND:
            raise BadInput(f"KataGo imitates ranks such as 5k or 3d; {quote(f'{player.rating:g}')} is a rating")
        return round(player.rating)

    def _judge(self, position: GoPosition, found: Analysis) -> Opinion:
        shares = found.policy[position.legal]
        allowed = shares.sum() > 0.0  # else its rules allow none of the moves that ours do
        log_probs = floored(shares, self.fields.floor) if allowed else dist.uniform(len(position.legal))
        return Opinion(log_probs, judge_chances(found))


def _name(rank: int) -> str:
    """KataGo's word for a rank of our scale, within what it knows."""
    return write_rank(min(max(rank, _WEAKEST), _STRONGEST))
