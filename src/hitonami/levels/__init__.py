"""Fitted values over rating, as data: one JSON file a game, made by fits and read by minds.

    {"blend": {"weight": {"pool": {"lichess": [[800, 0.95], [2600, 0.6]], "": [[800, 0.9], [2600, 0.6]]},
                          "note": "what it is", "provenance": {"lichess": {…}, "": {…}}}}}

The first key is the method (blend, softmax, distance, calibration, level …), the second one of its knobs. A curve
belongs to a pool, because ratings of different pools are different scales; the pool "" stands for all that have none of
their own. Where nothing was fitted nothing is guessed: asking for it is refused with what there is.

`level` is how an agent draws from a style's mind, so that it loses as much a move as people of its rating do: moves
under `least_drawn` never, the others with their probability to the power ρ, once the opening is over. It is for
playing, not for predicting. So are `wins.seen`, the chance that an agent sees a win at once and plays it, and
`looks`: how many positions an agent of a style looks at before it moves, where a sharper draw makes it no stronger.

`base` is the name of a profile (`levels.profiles`): what was fitted over a network that people bring; "" is what was
fitted over the packaged ones.
"""

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.core import Query, size_of
from hitonami.customs import customs_of
from hitonami.errors import BadInput, BadSpec, alternatives, quote
from hitonami.knobs import Curve, read_knob
from hitonami.levels.profiles import profile_folder
from hitonami.levels.rankers import Ranker, cached_ranker, ranker_file

FOLDER: Final = Path(__file__).parent
_KEYS = {"pool", "note", "provenance"}
_SHAPED_BY: Final = {"human": (), "blend": ("blend",), "search": ("search",)}
"""Methods whose curves are part of a style's mind."""
_RANKED: Final = ("human", "blend")
"""Styles whose mind has foresight."""

Curves = dict[str, Curve]
"""A curve for each pool."""
Levels = dict[str, dict[str, Curves]]
"""Method → knob → curves."""


def read_levels(path: Path) -> Levels:
    """The curves in a file. Raises BadSpec that names the file and the place."""
    data = disk.read_json(path)
    levels: Levels = {}
    for method, knobs in _table(data, f"{path}").items():
        for knob, held in _table(knobs, f"{path}: {method}").items():
            levels.setdefault(method, {})[knob] = _curves(held, f"{path}: {method}.{knob}")
    return levels


def _curves(held: Any, where: str) -> Curves:
    entry = _table(held, where)
    for key in entry:
        if key not in _KEYS:
            raise BadSpec(f"{where}: unknown key {quote(key)}; {alternatives(key, _KEYS)}")
    try:
        return {
            pool: Curve(tuple((x, y) for x, y in points)) for pool, points in _table(entry.get("pool"), where).items()
        }
    except (TypeError, ValueError) as wrong:
        raise BadSpec(f"{where}: {wrong}") from None


def _table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadSpec(f"{where}: expected a table, got {quote(repr(value))}")
    return value


@cache
def read_provenance(game: str, base: str = "") -> dict[tuple[str, str, str], dict[str, Any]]:
    """Where each curve of a game's file came from, by method, knob and pool; empty for one that does not say."""
    path = _file_of(game, base)
    if not path.is_file():
        return {}
    levels_of(game, base)  # refuses what is no file of levels
    found = {}
    for method, knobs in json.loads(path.read_text(encoding="utf-8")).items():
        for knob, entry in knobs.items():
            told = entry.get("provenance")
            for pool in entry["pool"]:
                made = told.get(pool) if isinstance(told, dict) else None
                found[method, knob, pool] = made if isinstance(made, dict) else {}
    return found


@cache
def origins_of(game: str, method: str, base: str = "") -> frozenset[str]:
    """Which minds a game's method was fitted to, as the file's provenance names them."""
    made = [each for (own, _, _), each in read_provenance(game, base).items() if own == method]
    if method == "foresight" and (ranker := packaged_ranker(game, base)) is not None:
        made.append(dict(ranker.provenance))
    return frozenset(str(mind) for each in made for mind in each.get("minds", ()))


@cache
def fitted_minds(method: str, knob: str, game: str, pool: str, base: str = "") -> tuple[str, ...]:
    """The minds that the curve for a pool was fitted to, by name; none where it is not told."""
    held = read_provenance(game, base)
    made = held.get((method, knob, pool), held.get((method, knob, ""), {}))
    return tuple(map(str, made.get("minds", ())))


def shape_of(game: str, style: str, pool: str, base: str = "") -> str:
    """A hash over the fitted curves and the ranker that shape the mind of a style for a pool; "" where there are none.

    The draw of a level is fitted to the mind as they make it, and belongs to no other.
    """
    held = levels_of(game, base)
    shapes: list[Any] = [
        [method, knob, found.points]
        for method in _SHAPED_BY.get(style, ())
        for knob in sorted(held.get(method, ()))
        if (found := find_curve(method, knob, game, pool, base=base)) is not None
    ]
    if style in _RANKED and (ranker := packaged_ranker(game, base)) is not None:
        shapes.append(["foresight", ranker.mark])
    return sha256(json.dumps(shapes).encode()).hexdigest() if shapes else ""


def folder_of(base: str = "") -> Path:
    """Where the files lie of what was fitted: the package's own, or a profile."""
    return profile_folder(base) if base else FOLDER


def _file_of(game: str, base: str) -> Path:
    return folder_of(base) / f"{game.replace(':', '-')}.json"


def packaged_ranker(game: str, base: str = "") -> Ranker | None:
    """What was fitted to rank the moves of a game with (`foresight`); None where nothing was."""
    return cached_ranker(ranker_file(folder_of(base), game))


@cache
def levels_of(game: str, base: str = "") -> Levels:
    """What was fitted for a game; nothing where there is no file for it."""
    path = _file_of(game, base)
    return read_levels(path) if path.is_file() else {}


def forget() -> None:
    """Read all files anew when they are next asked for: one was written, or lies elsewhere now."""
    for kept in (levels_of, origins_of, fitted_minds, read_provenance, cached_ranker):
        kept.cache_clear()


def read_level(method: str, knob: str, queries: Sequence[Query], base: str = "") -> NDArray[np.float64]:
    """[B] the fitted value for the game, pool and rating of each query. Raises BadInput where there is none."""
    values = np.empty(len(queries))
    places: dict[tuple[str, str], list[int]] = {}
    for at, query in enumerate(queries):
        places.setdefault((query.position.game.name, query.player.pool), []).append(at)
    for (game, pool), rows in places.items():
        values[rows] = read_knob(_curve(method, knob, game, pool, base), [queries[row] for row in rows])
    return values


def draw_exponent(style: str, query: Query) -> float | None:
    """ρ of the style (human, blend, search) for a rating and a pool; None without one, or where there is none.

    Over a base the style is `STYLE:PROFILE`. Nothing is known of the draw on a board on which none was fitted.
    """
    found = level_curve(style, query.position.game.name, query.player.pool, size_of(query.position))
    return None if found is None or query.player.rating is None else float(found(np.array([query.player.rating]))[0])


def seen_wins(style: str, query: Query) -> float:
    """The chance that an agent of a style sees a win at once, whatever its mind thinks of it; 0 where none is known."""
    base = style.partition(":")[2]
    found = find_curve("wins", "seen", query.position.game.name, query.player.pool, base=base)
    return 0.0 if found is None or query.player.rating is None else float(found(np.array([query.player.rating]))[0])


def looks_ahead(style: str, query: Query) -> int:
    """How many positions an agent of a style looks at before it moves; 1, the one before it, where none was fitted."""
    found = looks_curve(style, query.position.game.name, query.player.pool, size_of(query.position))
    if found is None or query.player.rating is None:
        return 1
    return max(1, round(float(found(np.array([query.player.rating]))[0])))


def looks_curve(style: str, game: str, pool: str, size: int = 0) -> Curve | None:
    """How far agents of a style look over rating; None where nothing was fitted. `size` as for `level_curve`."""
    return _played_curve("looks", style, game, pool, size)


def level_curve(style: str, game: str, pool: str, size: int = 0) -> Curve | None:
    """ρ of a style over rating; None where nothing was fitted.

    `size` is that of the board, 0 for the usual one; what was fitted on one board is not believed on another.
    """
    return _played_curve("level", style, game, pool, size)


def _played_curve(method: str, style: str, game: str, pool: str, size: int) -> Curve | None:
    kind, _, base = style.partition(":")
    if size not in {0, customs_of(game).usual_size}:
        return levels_of(game, base).get(method, {}).get(kind, {}).get(sized(pool, size))
    return find_curve(method, kind, game, pool, base=base)


def sized(pool: str, size: int) -> str:
    """The name of what was fitted for a pool on boards of one size alone."""
    return f"{pool}:{size}"


def is_sized(name: str) -> bool:
    """Whether a curve of this name is for boards of one size."""
    return ":" in name


def find_curve(  # noqa: PLR0913
    method: str, knob: str, game: str, pool: str, *, size: int = 0, base: str = ""
) -> Curve | None:
    """What was fitted for players of a pool, or for those who have nothing of their own; None where nothing was.

    What was fitted on boards of this size alone comes first.
    """
    curves = levels_of(game, base).get(method, {}).get(knob, {})
    return curves.get(sized(pool, size)) or curves.get(pool) or curves.get("")


def _curve(method: str, knob: str, game: str, pool: str, base: str) -> Curve:
    found = find_curve(method, knob, game, pool, base=base)
    if found is not None:
        return found
    curves = levels_of(game, base).get(method, {}).get(knob, {})
    if not curves:
        how = f"`hitonami fit {game} all DATA --base {base}`" if base else "give it as a number or a curve in a spec"
        raise BadSpec(f"the {knob} of {method} has not been fitted for {game}{f' over {base}' if base else ''}: {how}")
    there = ", ".join(sorted(curves))
    raise BadInput(f"the {knob} of {method} in {game} was fitted for the pools {there}; {quote(pool)} is none of them")
