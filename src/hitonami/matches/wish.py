"""A tournament as it is asked for, in words: players, openings, anchors, tests. Reads the words and plays it."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path

from hitonami import disk
from hitonami.core import Setup, open_game
from hitonami.errors import BadInput, quote
from hitonami.matches.elo import Anchor
from hitonami.matches.entrants import Entrant, read_entrants
from hitonami.matches.openings import Sampled, deal, read_openings
from hitonami.matches.pairing import Judge, Schedule
from hitonami.matches.sprt import Sprt
from hitonami.matches.standings import Standings, draw_up
from hitonami.matches.tournament import Store, run_tournament, try_out
from hitonami.progress import Watching
from hitonami.specs import mind_spec


@dataclass(frozen=True)
class TournamentWish:
    """What was asked for, as people write it."""

    game: str
    players: tuple[str, ...]
    """M@R, two or more."""
    games: int
    """Between each pair."""
    out: Path | None = None
    resume: bool = False
    jobs: int = 1
    gauntlet: bool = False
    openings: str = "book"
    opening_plies: int = 8
    anchors: tuple[str, ...] = ()
    sprt: str | None = None
    judge: str | None = None
    judge_threshold: float = 0.98
    judge_plies: int = 6
    resigns: bool = True
    max_plies: int = 0
    size: int = 0
    pool: str = ""
    seed: int = 0

    @property
    def schedule(self) -> Schedule:
        """Raises BadInput."""
        rules, setup = open_game(self.game), Setup(size=self.size)
        lines = read_openings(self.openings, rules, setup, self.opening_plies)
        return Schedule(
            rules.name,
            read_entrants(self.players, self.pool, self.game),
            self.games,
            lines if isinstance(lines, Sampled) else deal(lines, self.seed),
            setup,
            self.seed,
            self.gauntlet,
            self.max_plies,
            None if self.judge is None else Judge(mind_spec(self.judge), self.judge_threshold, self.judge_plies),
            self.resigns,
        )

    def play(self, watch: Watching) -> Standings:
        """Play it all, or go on with it. Raises BadInput for what cannot be played, before anything is."""
        if self.resume and self.out is None:
            raise BadInput("--resume needs --out, the folder to go on with")
        plan = self.schedule
        fixed = dict(_read_anchor(text, plan.entrants) for text in self.anchors)
        test = None if self.sprt is None else _read_sprt(self.sprt)
        try_out(plan)
        store = None if self.out is None else Store(self.out, plan, resume=self.resume)
        alone = nullcontext() if self.out is None else disk.holding(self.out)
        with alone, watch(self.games * len(plan.pairs()), "games") as meter:
            event = run_tournament(plan, store, jobs=self.jobs, sprt=test, show=lambda done: meter.show(done, done))
        return draw_up(event, fixed)


def _read_anchor(text: str, entrants: Sequence[Entrant]) -> tuple[int, Anchor]:
    name, _, told = text.rpartition("=")
    value, _, error = told.replace("+-", "±").partition("±")
    names = [entrant.name for entrant in entrants]
    try:
        at, anchor = names.index(name), Anchor(float(value), float(error or 0.0))
    except ValueError:
        known = ", ".join(names)
        raise BadInput(
            f"--anchor is written as PLAYER=ELO or PLAYER=ELO±ERROR with one of the players {known}, got {quote(text)}"
        ) from None
    if not (isfinite(anchor.elo) and 0.0 <= anchor.error < inf):
        raise BadInput(f"--anchor {quote(text)}: Elo is a number, and its standard error one that is not below 0")
    return at, anchor


def _read_sprt(text: str) -> Sprt:
    low, _, high = text.partition(",")
    try:
        return Sprt(float(low), float(high))
    except ValueError as wrong:
        if isinstance(wrong, BadInput):
            raise
        raise BadInput(f"--sprt is written as ELO0,ELO1, got {quote(text)}") from None
