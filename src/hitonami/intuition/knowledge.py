"""What was learned of a game: patterns around moves, patterns of the board, and their weights, as a readable file.

The chance of a move is the softmax of the weights of the patterns that hold for it. What a move is expected to bring
is the squashed sum of other weights of the same patterns, of patterns around the pieces on the board, and of how many
moves there are. Patterns of one game and size of board work on every size of it.
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.core import Position, Setup, open_game
from hitonami.errors import BadInput, quote
from hitonami.intuition import kernels as k
from hitonami.intuition.lattice import TURNS, Step, Turn, follow, list_steps, table_of_steps, turn_step
from hitonami.intuition.patterns import (
    NUMBER,
    TO,
    Condition,
    Pattern,
    PatternSet,
    join_scripts,
    read_pattern,
    write_pattern,
)
from hitonami.intuition.symmetry import Frame, find_frame
from hitonami.intuition.views import Eyes, View
from hitonami.levels.ladders import Ladder, ladder_of

FORMAT: Final = 1
REACH: Final = 4
ANY_SIZE: Final = 99
SUFFIX: Final = ".json.gz"
_PACKAGED: Final = Path(__file__).parent / "learned"
_DIGITS: Final = 4


@dataclass
class Experience:
    """What the weights come from."""

    games: int = 0
    positions: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Compiled:
    """Patterns as the kernels want them."""

    script: NDArray[np.int32]
    """[turns, lines, 8] (`PatternSet.scripts`)."""
    ends: NDArray[np.int32]
    """[turns] lines of each turn."""


@dataclass
class Sheet:
    """A set of patterns with its weights. `weights` and `squares` have a column for each use of a pattern."""

    known: PatternSet
    weights: NDArray[np.float64]
    squares: NDArray[np.float64]

    @classmethod
    def blank(cls, turns: Sequence[Turn], extra: int, columns: int) -> "Sheet":
        return cls(PatternSet(turns), np.zeros((extra, columns)), np.zeros((extra, columns)))

    def add(self, pattern: Pattern, weights: Sequence[float] = (), squares: Sequence[float] = ()) -> bool:
        """Take a pattern in, before what is no pattern: bias and mobility stay last."""
        if not self.known.add(pattern):
            return False
        at, columns = len(self.known.patterns) - 1, self.weights.shape[1]
        self.weights = np.insert(self.weights, at, weights or np.zeros(columns), axis=0)
        self.squares = np.insert(self.squares, at, squares or np.zeros(columns), axis=0)
        return True

    def drop(self, count: int, spared: int) -> None:
        """Take out the patterns that say least, so many at most: none that others begin with, none of the newest."""
        patterns = self.known.patterns
        beginnings = {pattern[:-1] for pattern in patterns}
        older = enumerate(patterns[: max(len(patterns) - spared, 0)])
        free = [at for at, each in older if each not in beginnings and each[0].anchor != NUMBER]
        said = np.abs(self.weights).max(axis=1)
        dropped = sorted(free, key=lambda at: float(said[at]))[:count]
        kept = [pattern for at, pattern in enumerate(patterns) if at not in set(dropped)]
        self.weights, self.squares = (np.delete(each, dropped, axis=0) for each in (self.weights, self.squares))
        self.known = PatternSet(self.known.turns)
        for pattern in kept:
            self.known.add(pattern)


@dataclass
class Knowledge:
    """The weights of one game. Grows while it learns; a mind only reads it."""

    game: str
    frame: Frame
    reach: int = REACH
    most: int = ANY_SIZE
    """Patterns of more conditions are left out: a knob of strength."""
    experience: Experience = field(default_factory=Experience)
    moves: Sheet = None  # type: ignore[assignment]  # made below where none is given
    board: Sheet = None  # type: ignore[assignment]
    along: int = 0
    """How many plies an analysis goes along intuition's own line before it judges a position."""
    elo: tuple[tuple[float, float], ...] = ()
    """Measured strengths: pairs of Elo, `uniform` being 0, and the place on the dial that has it."""

    def __post_init__(self) -> None:
        turns = [TURNS[name] for name in self.frame.turns]
        if self.moves is None:
            self.moves = Sheet.blank(turns, 0, 2)
        if self.board is None:
            self.board = Sheet.blank(turns, 2, 1)
            for word in ("friend", "enemy"):
                self.board.add((Condition(TO, (0, 0), word),))
        self._near: dict[tuple[int, int, int], NDArray[np.int32]] = {}
        self.compile()

    def compile(self) -> None:
        """Make the tables anew, after patterns came in."""
        self.compiled_moves = self._compile(self.moves)
        self.compiled_board = self._compile(self.board)
        moves, board = self.compiled_moves, self.compiled_board
        self._tables = (
            *(moves.script, moves.ends, self.moves.weights),
            *(board.script, board.ends, self.board.weights),
        )

    def _compile(self, sheet: Sheet) -> Compiled:
        return Compiled(*join_scripts(sheet.known.scripts(self.steps, self.tests, self.most)))

    @property
    def eyes(self) -> Eyes:
        return self.frame.eyes

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return list_steps(self.reach, self.frame.hexagonal)

    @cached_property
    def tests(self) -> tuple[str, ...]:
        return self.eyes.conditions()

    def near(self, high: int, wide: int, side: int) -> NDArray[np.int32]:
        """[turns, cells, steps] as a side looks at a board of this shape."""
        key = high, wide, side
        if key not in self._near:
            self._near[key] = table_of_steps(high, wide, self.steps, self._turns(side))
        return self._near[key]

    def _turns(self, side: int) -> list[Turn]:
        way = self.frame.opposite if side else "same"
        return [follow(name, way) for name in self.frame.turns]

    def turned(self, side: int, turn: int, step: Step) -> Step:
        """A step in an image of a pattern, as it goes on the board."""
        return turn_step(self._turns(side)[turn], step)

    def near_in(self, view: View) -> NDArray[np.int32]:
        return self.near(view.high, view.wide, view.to_move)

    def judge(self, position: Position) -> NDArray[np.float64]:
        """[2, moves] log-chances, and the expected score 0..1 of the side to move after each move."""
        return self.judge_view(self.eyes.look(position))

    def judge_view(self, view: View) -> NDArray[np.float64]:
        out = np.empty((2, len(view.landings)))
        k.judge_position(*self._tables, self.near_in(view), view.bits, view.landings, view.numbers, out)
        return out

    def draw(self, position: Position, heat: float, rng: np.random.Generator) -> int:
        """The place of a move, by its chance at a temperature, without what is expected of any."""
        view = self.eyes.look(position)
        near = self.near_in(view)
        return int(k.draw_move(*self._tables[:3], near, view.bits, view.landings, view.numbers, heat, rng.random()))


def mobility(view: View) -> float:
    return float(np.log1p(len(view.landings)))


def begin(game: str, setup: Setup, reach: int = REACH, along: int = 0) -> Knowledge:
    """Knowledge of nothing: the simplest conditions, all without weight."""
    rules = open_game(game)
    fresh = Knowledge(rules.name, find_frame(rules, setup), reach, along=along)
    start = rules.start(setup)
    view = fresh.eyes.look(start)
    if view.wide:
        fresh.moves.add((Condition(NUMBER, (0, 0), ""),))
    fresh.compile()
    return fresh


def write(knowledge: Knowledge, path: Path) -> None:
    """Keep it, whole or not at all: JSON, packed where the name ends in .gz."""
    text = json.dumps(as_data(knowledge), ensure_ascii=False, indent=0)
    data = text.encode()
    disk.write_bytes(path, gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def as_data(knowledge: Knowledge) -> dict[str, Any]:
    frame = knowledge.frame
    return {
        "format": FORMAT,
        "game": knowledge.game,
        "kinds": [list(pair) for pair in frame.eyes.kinds],
        "hexagonal": frame.hexagonal,
        "turns": list(frame.turns),
        "opposite": frame.opposite,
        "reach": knowledge.reach,
        "experience": vars(knowledge.experience),
        "along": knowledge.along,
        "elo": [list(each) for each in knowledge.elo],
        "moves": _rows(knowledge.moves, False),
        "board": _rows(knowledge.board, True),
        "bias": _row(knowledge.board, -2),
        "mobility": _row(knowledge.board, -1),
    }


def _rows(sheet: Sheet, standing: bool) -> list[list[Any]]:
    """Each pattern with its weights, and how much they have moved: that is needed to go on learning."""
    return [[write_pattern(each, standing), *_row(sheet, at)] for at, each in enumerate(sheet.known.patterns)]


def _row(sheet: Sheet, at: int) -> list[float]:
    return [round(float(each), _DIGITS) for each in [*sheet.weights[at], *sheet.squares[at]]]


def read(path: Path) -> Knowledge:
    """Raises BadInput for a file that holds something else."""
    try:
        raw = path.read_bytes()
        data = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
        if data["format"] != FORMAT:
            raise BadInput(f"{path}: learned by another version (format {data['format']}); learn it again")
        return _from_data(data)
    except FileNotFoundError:
        raise BadInput(f"there is no file {quote(str(path))}; `hitonami learn GAME --out FILE` writes one") from None
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError) as wrong:
        if isinstance(wrong, BadInput):
            raise
        raise BadInput(f"{path} is not what `hitonami learn` writes: {wrong}") from None


def _from_data(data: dict[str, Any]) -> Knowledge:
    eyes = Eyes(tuple((str(own), str(other)) for own, other in data["kinds"]))
    frame = Frame(eyes, bool(data["hexagonal"]), tuple(data["turns"]), str(data["opposite"]))
    turns = [TURNS[name] for name in frame.turns]
    moves, board = Sheet.blank(turns, 0, 2), Sheet.blank(turns, 2, 1)
    for text, *numbers in data["moves"]:
        moves.add(read_pattern(text), numbers[:2], numbers[2:4])
    for text, *numbers in data["board"]:
        board.add(read_pattern(text), numbers[:1], numbers[1:2])
    for at, name in ((-2, "bias"), (-1, "mobility")):
        board.weights[at], board.squares[at] = data[name]
    elo = tuple((float(a), float(b)) for a, b in data["elo"])
    known = Experience(**data["experience"]), moves, board, int(data.get("along", 0)), elo
    return Knowledge(data["game"], frame, data["reach"], ANY_SIZE, *known)


@cache
def packaged() -> dict[str, Path]:
    """The games that the package has an intuition of."""
    return {path.name.removesuffix(SUFFIX): path for path in sorted(_PACKAGED.glob(f"*{SUFFIX}"))}


def hash_of(path: Path) -> str:
    """By what a ladder names the patterns it was measured with."""
    return sha256(path.read_bytes()).hexdigest()


@cache
def measured_ladder(game: str) -> Ladder | None:
    """The levels of a game's packaged intuition; None where there are none, or where another was measured."""
    ladder = ladder_of(game)
    if ladder is None or game not in packaged() or ladder.intuition != hash_of(packaged()[game]):
        return None
    return ladder


def load(file: str, game: str, most: int = ANY_SIZE) -> Knowledge:
    """From a file, or the package's own where none is named. Raises BadInput where there is none for the game."""
    if not file and game not in packaged():
        there = ", ".join(packaged()) or "none"
        raise BadInput(
            f"no intuition of {game} comes with this version (there are: {there}); "
            f"`hitonami learn {game} --out FILE` learns one"
        )
    path = Path(file) if file else packaged()[game]
    found = _read_once(path, path.stat().st_mtime_ns if path.exists() else 0, most)
    if found.game != game:
        raise BadInput(f"{path}: learned in {found.game}, not in {game}")
    return found


@lru_cache(maxsize=64)
def _read_once(path: Path, changed: int, most: int) -> Knowledge:
    """Kept for as long as the file is unchanged."""
    found = read(path)
    return replace(found, most=most) if most < ANY_SIZE else found
