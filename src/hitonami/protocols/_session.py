"""What every protocol's session shares: emitting lines, options, the mind, and ending cleanly.

A session takes lines and emits lines and does no I/O of its own. numpy, pydantic, the rules and the
networks are imported inside functions, when first needed: a GUI asks every engine for its name at
start-up and must get `uciok` at once. A session never replaces a mind that fails by another one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from hitonami.errors import BadInput, HitonamiError
from hitonami.parts import find_parts
from hitonami.protocols._options import Option, Options
from hitonami.protocols._timed_turns import TimedTurns
from hitonami.protocols._worker import Worker

if TYPE_CHECKING:
    from hitonami.agent import Decision, Patience
    from hitonami.core import Clock, Effort, Game, Mind, Player, Position, Query
    from hitonami.specs import MindSpec, Room

NAME = "Hitonami"
AUTHOR = "the Hitonami contributors"
_BARE_NAME = re.compile(r"[a-z][a-z0-9-]*")


class Session(ABC):
    """The base of the protocols. Subclasses say which game they speak and what each command does."""

    game: str
    rating_option: ClassVar[str] = "Rating"
    rating_range: ClassVar[tuple[int, int]] = (0, 4000)
    default_rating: ClassVar[int] = 1500

    def __init__(  # noqa: PLR0913  (a keyword for each option of the command)
        self,
        emit: Callable[[str], None],
        *,
        mind: str | MindSpec | None = None,
        rating: float | None = None,
        pool: str = "",
        seed: int | None = None,
        allow_programs: bool = False,
    ) -> None:
        from hitonami.minds import default_mind

        self.finished = False
        self._write = emit
        self._writing = Lock()
        self._silent = False
        self._given_mind = default_mind(self.game) if mind is None else mind
        _check_mind(self._given_mind)
        self._pool = pool
        self._allow_programs = allow_programs
        self._opponent: Player | None = None
        self._decisions = 0
        self._turns = TimedTurns()
        self._room: Room | None = None
        self._opened: tuple[str | MindSpec, Mind] | None = None
        self._closing = Event()
        self._worker = Worker()
        wanted = self.default_rating if rating is None else self._check_rating(rating)
        self._options = Options([*self._own_options(wanted), *self._shared_options(-1 if seed is None else seed)])

    def receive(self, line: str) -> None:
        """Take one line. Never raises and never waits for thinking."""
        if self.finished:
            return
        try:
            self._handle(line)
        except Exception as wrong:  # a session outlives any defect in a part that a user brought
            self._complain(wrong)

    def wait(self) -> None:
        """Until everything asked for so far is answered; forever under `go infinite`."""
        self._worker.wait()

    def close(self, *, patient: bool = True) -> bool:
        """Stop thinking, answer what is owed if it comes at once, and end the mind's engines.

        An impatient close does not wait for a mind that is loading. False where a thread is still busy.
        """
        self.finished = True
        self._closing.set()
        self._stop_thinking()
        ended = self._worker.close(patient)
        self._silent = True
        if self._room is not None:
            self._room.close()
        return ended

    def emit(self, *lines: str) -> None:
        """Write lines, together. A reader that has gone away ends the session."""
        with self._writing:
            for line in lines:
                if self._silent:
                    return
                try:
                    self._write(line)
                except OSError:
                    self._silent = self.finished = True

    def _check_rating(self, rating: float) -> int:
        low, high = self.rating_range
        if not low <= rating <= high:
            raise BadInput(f"{self.game} is played at ratings from {low} to {high} here, got {rating:g}")
        return round(rating)

    @abstractmethod
    def _handle(self, line: str) -> None: ...

    @abstractmethod
    def _own_options(self, rating: int) -> Sequence[Option]: ...

    @abstractmethod
    def _complain(self, wrong: Exception) -> None: ...

    @abstractmethod
    def _stop_thinking(self) -> None: ...

    def _shared_options(self, seed: int) -> Sequence[Option]:
        return (
            Option("Mind", "string", " ".join(str(self._given_mind).split())),
            Option("Seed", "spin", seed, low=-1, high=2**31 - 1),
            Option("Choice", "combo", "sample", choices=("sample", "best")),
            Option("Pace", "combo", "instant", choices=("instant", "human")),
        )

    def _set_option(self, name: str, text: str) -> None:
        before = self._options.text("Mind")
        declared = self._options.set(name, text)
        if declared == "Seed":
            self._decisions = 0
        if declared == "Mind":
            try:
                self._check_wanted_mind()
            except HitonamiError:
                self._options.set("Mind", before)
                raise

    def _check_wanted_mind(self) -> None:
        """Raises BadInput for a mind that cannot be, or that a line of a protocol may not ask for."""
        from hitonami.specs import mind_spec

        spec = mind_spec(self._wanted_mind)
        if not self._allow_programs and self._wanted_mind != self._given_mind:
            from hitonami.protocols._trust import check_trusted

            check_trusted(spec)

    @property
    def _wanted_mind(self) -> str | MindSpec:
        """The mind that the options ask for. GUIs send defaults back, and an empty text means the default."""
        text = self._options.text("Mind")
        return self._given_mind if text in ("", " ".join(str(self._given_mind).split())) else text

    @cached_property
    def _rules(self) -> Game[Any]:
        from hitonami.core import open_game

        return open_game(self.game)

    def _doubt(self) -> str:
        """What games say of the level that is asked for, where they do not hold it."""
        from hitonami.play.doubt import doubt_of

        return doubt_of(self._wanted_mind, self.game, self._pool, self._rating())

    def _load(self) -> Mind:
        """The mind that the options ask for, opened on first use. Runs on the worker only."""
        wanted = self._wanted_mind
        if self._opened is not None and self._opened[0] == wanted:
            return self._opened[1]
        self._worker.loading = True
        try:
            from hitonami.specs import Room

            if self._room is not None:
                self._room.close()
            self._opened, self._room = None, Room()
            mind = self._room.open(wanted)
            self._opened = wanted, mind
            return mind
        finally:
            self._worker.loading = False
            if self._silent and self._room is not None:  # closed meanwhile: nothing may outlive the session
                self._room.close()

    def _rating(self) -> float:
        return float(self._options.number(self.rating_option))

    def _query(self, position: Position, clock: Clock | None) -> Query:
        """The situation as the options describe it. An unknown opponent is taken for an equal."""
        from hitonami.core import Player, Query

        own = Player(self._rating(), self._pool, kind="human")
        return Query(position, own, self._opponent or own, self._turns.remember(position, clock))

    def _effort(self, stop: Event, seconds: float | None = None, simulations: int | None = None) -> Effort:
        """The budget of the next decision.

        With a seed every decision has its own randomness, fixed by the seed and the decision's number,
        so how long earlier thoughts ran does not matter.
        """
        import numpy as np

        from hitonami.core import Effort

        seed = self._options.number("Seed")
        rng = np.random.default_rng([seed, self._decisions] if seed >= 0 else None)
        self._decisions += 1
        return Effort(rng, seconds, simulations, stop)

    def _decide(self, mind: Mind, query: Query, effort: Effort, patience: Patience | None) -> Decision:
        from hitonami.agent import Agent, level_style, open_leaves

        draw: Literal["best", "sample"] = "best" if self._options.text("Choice") == "best" else "sample"
        leaves = None if self._room is None else open_leaves(self._room.open, self._wanted_mind, self.game)
        return Agent(mind, draw, patience, style=level_style(self._wanted_mind), leaves=leaves).decide(query, effort)


def _check_mind(mind: str | MindSpec) -> None:
    """Refuse an unknown name at once. Known names skip the schema check, whose imports would delay the handshake."""
    if isinstance(mind, str) and _BARE_NAME.fullmatch(mind) and mind not in find_parts("minds"):
        from hitonami.specs import mind_spec

        mind_spec(mind)


def describe_error(wrong: Exception) -> str:
    """What to tell the user. An exception of somebody else's needs its name to make sense."""
    return one_line(str(wrong) if isinstance(wrong, HitonamiError) else f"{type(wrong).__name__}: {wrong}")


def one_line(text: str) -> str:
    """Text as one ASCII line: some clients decode what an engine says as ASCII and stop at anything else."""
    plain = " ".join(text.replace("…", "...").split())
    return plain.encode("ascii", "backslashreplace").decode("ascii")
