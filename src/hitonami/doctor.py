"""What is installed, found and working here: each check really starts the thing it names."""

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

import numpy as np

from hitonami import __version__
from hitonami.agent import Agent, Play
from hitonami.core import Effort, Player, Query, Setup, open_game
from hitonami.customs import customs_of, games_offered
from hitonami.errors import HitonamiError
from hitonami.minds import known_engine
from hitonami.models.fitted import describe_curves, fitted_curves
from hitonami.models.shipped import shipped_models
from hitonami.specs import open_mind

_LIBRARIES = (
    *("chess", "rust-chess", "cshogi", "numba", "numpy", "pyarrow", "onnxruntime"),
    *("matplotlib", "py7zr", "fsspec", "pydantic", "rich", "click"),
)
_OPTIONAL = {
    "torch": "training",
    "ray": "clusters",
    "open-spiel": "games of OpenSpiel",
    "pyffish": "xiangqi and games by description",
}


@dataclass(frozen=True)
class Finding:
    """One line of the report. Only `broken` makes the doctor fail; `stale` works, less well than it could."""

    what: str
    state: Literal["works", "absent", "stale", "broken"]
    detail: str


def examine() -> Iterator[Finding]:
    """Findings as they come: starting engines takes a moment."""
    yield Finding("hitonami", "works", f"{__version__} on Python {platform.python_version()}, {platform.system()}")
    for name in _LIBRARIES:
        yield _library(name, "broken", "missing: reinstall hitonami")
    for name, purpose in _OPTIONAL.items():
        yield _library(name, "absent", f"only needed for {purpose}")
    for name in games_offered():
        yield _try(f"game {name}", lambda name=name: _random_moves(name))  # type: ignore[misc]
    for game in shipped_models("human"):
        yield _curves(game)
    for game in games_offered():
        yield from _engine(game)


def _engine(game: str) -> Iterator[Finding]:
    """The game's usual engine, where it has one."""
    mind = known_engine(game)
    if mind is not None:
        yield _try(f"{mind} for {game}", lambda: _one_move(game, mind))
    elif customs_of(game).engine is not None:
        yield Finding(f"engine for {game}", "absent", "optional: `make system-deps` installs one on Debian")


def _curves(game: str) -> Finding:
    """Whether what was fitted for a game was fitted to the network that is here."""
    curves = fitted_curves(game)
    stale = any(each.belonging != "here" for each in curves)
    return Finding(f"levels of {game}", "stale" if stale else "works", "; ".join(describe_curves(curves)))


def _library(name: str, otherwise: Literal["absent", "broken"], hint: str) -> Finding:
    try:
        return Finding(name, "works", metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, otherwise, hint)


def _try(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, "works", check())
    except HitonamiError as wrong:
        return Finding(what, "broken", str(wrong))


def _random_moves(name: str, count: int = 30) -> str:
    game = open_game(name)
    rng = np.random.default_rng(0)
    position = game.start()
    for _ in range(count):
        if not len(position.legal):
            break
        position = position.play(int(rng.choice(position.legal)))
    return f"{position.ply} random moves played"


def _one_move(game: str, mind: str) -> str:
    rules = open_game(game)
    sizes = customs_of(game).sizes
    position = rules.start(Setup(size=min(sizes))) if sizes else rules.start()
    with open_mind(mind) as opened:
        decision = Agent(opened).decide(Query(position, Player(1500.0)), Effort.seeded())
    if not isinstance(decision.action, Play):
        return "answered without a move"
    return f"answered {rules.format(position, decision.action.move)}"
