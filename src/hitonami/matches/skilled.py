"""An engine against itself at a level of its `Skill Level`, every position with the engine's score.

Every position is scored by the search that the move was chosen from: a level makes the engine choose worse, not see
worse, so scores of all levels are one engine's. Nobody resigns: games go to their end by the rules, and whoever reads
them says where they would have ended. A game is one line of a file, kept as soon as it is over, so that work goes on
where it was interrupted. Engines of this kind draw their mistakes by the time of the day: games do not come again.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hitonami import disk, dist
from hitonami.core import Effort, Mind, Player, Position, Query, open_game
from hitonami.customs import customs_in
from hitonami.engines.scores import centipawns_of
from hitonami.engines.uci import Limits, Search, UciEngine
from hitonami.errors import BadData, BadSpec, EngineFailed, quote
from hitonami.parts import load_part
from hitonami.progress import Report
from hitonami.specs import mind_spec

SKILL: Final = "Skill Level"
MOST_PLIES: Final = 400
TOO_LONG: Final = "too long"


@dataclass(frozen=True)
class ScoredGame:
    """One game. `scores` are centipawns of the side to move at each turn, `None` where the engine told none."""

    sides: tuple[int, ...]
    """Who was to move at each turn."""
    scores: tuple[float | None, ...]
    legal: tuple[int, ...]
    score: float | None
    """0..1 of player 0, None where it is not known."""
    ending: str


def read_games(path: Path) -> list[ScoredGame]:
    """Those that were kept; a last line that was cut off is left out. Raises BadData for any other that is damaged."""
    found: list[ScoredGame] = []
    if not path.is_file():
        return found
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            held = json.loads(line)
            sides, scores, legal = (tuple(held[name]) for name in ("sides", "scores", "legal"))
            found.append(ScoredGame(sides, scores, legal, held["score"], held["ending"]))
        except (ValueError, KeyError, TypeError):
            if number == len(lines):
                break
            raise BadData(f"{path}, line {number}: not a scored game; delete the file to play them again") from None
    return found


def keep_games(path: Path, wanted: int, play: Callable[[int], ScoredGame], report: Report) -> list[ScoredGame]:
    """The games of a file, played on to the number that is wanted."""
    held = read_games(path)[:wanted]
    disk.write_text(path, "".join(_line(game) for game in held))
    with path.open("a", encoding="utf-8") as file:
        for at in range(len(held), wanted):
            held.append(play(at))
            file.write(_line(held[-1]))
            file.flush()
            report(at + 1, at + 1)
    return held


def _line(game: ScoredGame) -> str:
    return json.dumps(asdict(game), separators=(",", ":")) + "\n"


def open_engine(text: str, skill: int | None = None) -> tuple[UciEngine, Limits]:
    """The program of a mind over a UCI or USI engine, at a level, and the limits of its searches. Raises BadSpec."""
    spec = mind_spec(text)
    part = load_part("minds", spec.kind)
    if not hasattr(part, "ENGINE"):
        raise BadSpec(f"{quote(text)} is no UCI or USI engine: this needs one that tells scores")
    fields: Any = part(**dict(spec.fields))
    options: Mapping[str, Any] = dict(fields.options) | ({} if skill is None else {SKILL: skill})
    return fields.ENGINE(fields.command, options, fields.DIALECT, fields.timeout_seconds), fields.limits()


def draw_openings(game: str, mind: Mind, games: int, plies: int, seed: int) -> list[Position]:
    """Starts of so many games: their first plies drawn from a mind, as people of the game's usual level begin."""
    opened = open_game(game)
    scale = customs_in(opened).scale
    player, effort = Player(scale.default, scale.pools[0]), Effort.seeded(seed)
    starts: list[Position] = [opened.start()] * games
    for _ in range(plies):
        told = mind([Query(each, player, player) for each in starts], effort)
        drawn = [dist.sample(opinion.log_probs, effort.rng) for opinion in told]
        starts = [each.play(int(each.legal[at])) for each, at in zip(starts, drawn, strict=True)]
    return starts


def play_game(engine: UciEngine, limits: Limits, start: Position) -> ScoredGame:
    """One game of the engine against itself, to its end by the rules, a claim, or MOST_PLIES."""
    position, turns = start, _Turns()
    while (over := _end_of(position)) is None:
        found = engine.search(Search(position, limits, fresh=not turns.sides))
        if found.move is None:
            raise EngineFailed(f"{engine.name} gave up where it was to play on: {position.game.write(position)}")
        turns.note(position, centipawns_of(found.lines[0]) if found.lines else None)
        position = position.play(found.move)
    return turns.close(*over)


class _Turns:
    """What is noted while a game goes on."""

    def __init__(self) -> None:
        self.sides: list[int] = []
        self.scores: list[float | None] = []
        self.legal: list[int] = []

    def note(self, position: Position, score: float | None) -> None:
        self.sides.append(position.to_move)
        self.scores.append(score)
        self.legal.append(len(position.legal))

    def close(self, score: float | None, ending: str) -> ScoredGame:
        return ScoredGame(tuple(self.sides), tuple(self.scores), tuple(self.legal), score, ending)


def _end_of(position: Position) -> tuple[float, str] | None:
    """The score of player 0 and why the game is over; None while it goes on."""
    if not len(position.legal):
        return (0.5 if position.score is None else position.score), position.ending or ""
    claims = position.game.claims(position)
    if claims.win is not None:
        return float(position.to_move == 0), claims.win
    if claims.draw is not None:
        return 0.5, claims.draw
    return (0.5, TOO_LONG) if position.ply >= MOST_PLIES else None


def turns_of_loser(game: ScoredGame) -> Iterator[tuple[int, float]]:
    """The turns with a known score, and that score as the eventual loser sees it. None of a drawn game."""
    if game.score not in (0.0, 1.0):
        return
    loser = int(game.score)
    for at, (side, score) in enumerate(zip(game.sides, game.scores, strict=True)):
        if score is not None:
            yield at, score if side == loser else -score


def lengths_of(games: Sequence[ScoredGame]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """[games] turns of each."""
    return np.array([len(game.sides) for game in games], dtype=np.float64)
