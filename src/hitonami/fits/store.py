"""Fitted curves into a file of levels: what is there stays, what was fitted is replaced, with where it came from.

The file is what `levels` reads. Provenance holds no date and no path, so that the same fit gives the same file: the
minds, what was drawn, and a hash over the decisions themselves.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from hitonami import disk
from hitonami.bases import origin_of
from hitonami.core import Mind
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.selection import Selected
from hitonami.fits.knobs import Fitted, rows_of_pool
from hitonami.fits.sheet import Sheet
from hitonami.knobs import Curve
from hitonami.levels import is_sized, read_levels
from hitonami.models.fitted import origin_of as origin_of_model
from hitonami.models.fitted import packaged_origin
from hitonami.models.shipped import shipped_models
from hitonami.specs import mind_spec

_NOTES = {
    "blend": "α of P ∝ first^α · second^(1−α) of the two minds that provenance names, by rating",
    "softmax": "ρ of P ∝ P^ρ, by rating",
    "restrict": "least probability of a move that counts, by rating",
    "result": "V_cal ∝ (win, draw, loss)^(1/temperature) · exp(lean/2, draws, −lean/2), by rating",
    "opening": "how many games the mind's opinion counts for beside people's own first moves",
    "distance": "m of the weight 0.1 + m · (far − distance), by rating",
    "level": "ρ with which an agent draws, P ∝ P^ρ: it loses as much a move as people, or is as strong by games",
    "looks": "how many positions an agent looks at before a move, so that levels are as far apart by games as told",
    "search": "Θ of a PUCT search over the expert: τ of visits, t of priors, c_puct, by rating",
}

_POINT = re.compile(r"\[\s+(-?[\d.e+-]+),\s+(-?[\d.e+-]+)\s+\]")
"""A point of a curve, which is read best on one line."""


def provenance_of(
    fitted: Fitted, drawn: Selected, sheet: Sheet, minds: Mapping[str, str], base: str = ""
) -> dict[str, dict[str, Any]]:
    """For each pool with a curve, what it was fitted on. `minds` are names and origins, `base` what they stand on."""
    plan = drawn.plan
    network = {"network": base or packaged_origin(plan.game)} if {"human", "expert"} & set(minds) else {}
    found = {}
    for each in fitted.curves:
        rows = rows_of_pool(sheet.facts, each.pool)
        found[each.pool] = {
            "minds": list(minds.values()),
            **network,
            "aim": fitted.aim,
            **plan.drawn_from,
            "decisions": len(rows),
            "games": len(np.unique(sheet.facts.game[rows])),
            "decisions_sha256": digest_of(sheet.facts, rows),
        }
    return found


def digest_of(facts: Facts, rows: Any) -> str:
    """Over the games' hashes and plies, in order: the same decisions give the same digest."""
    pairs = np.stack([facts.game[rows], facts.ply[rows].astype(np.uint64)], axis=1)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return sha256(pairs[order].astype("<u8").tobytes()).hexdigest()


def update_levels(path: Path, fitted: Fitted, provenance: Mapping[str, Mapping[str, Any]], default_pool: str) -> None:
    """Write the curves to the file, beside what it has. Raises BadInput where that is no file of levels.

    The curve of `default_pool` also serves the pools that have none of their own; "" leaves that as it is, unless there
    is one pool alone.
    """
    curves = {each.pool: each.curve for each in fitted.curves}
    update_curves(path, (fitted.knob.method, fitted.knob.name), curves, provenance, default_pool)


def update_curves(
    path: Path,
    where: tuple[str, str],
    curves: Mapping[str, Curve],
    provenance: Mapping[str, Mapping[str, Any]],
    default_pool: str,
) -> None:
    """The same for the curves of any method and knob, by pool."""
    if not curves:
        raise BadInput("nothing to write: no pool has enough rated decisions for a curve")
    if default_pool and default_pool not in curves:
        raise BadInput(f"no curve was fitted for the pool {default_pool!r}; there are: {', '.join(sorted(curves))}")
    update_knobs(path, where[0], {where[1]: curves}, provenance, default_pool)


def _put_curves(
    data: dict[str, Any],
    where: tuple[str, str],
    curves: Mapping[str, list[list[float]]],
    provenance: Mapping[str, Mapping[str, Any]],
    default_pool: str,
) -> None:
    """Put curves, by pool, where their method and knob belong in a file's data, as `update_levels` says."""
    method, knob = where
    entry = data.setdefault(method, {}).setdefault(knob, {"pool": {}})
    own = entry["pool"] | curves
    made = entry.get("provenance", {}) | {pool: dict(provenance[pool]) for pool in curves}
    alone = len(curves) == 1 and set(own) <= {"", *curves}
    chosen = default_pool or next((pool for pool in curves if alone and not is_sized(pool)), "")
    if chosen:
        own[""], made[""] = curves[chosen], {"pool": chosen} | dict(provenance[chosen])
    entry |= {"pool": dict(sorted(own.items())), "note": _NOTES[method]}
    entry["provenance"] = dict(sorted(made.items()))


def update_knobs(
    path: Path,
    method: str,
    knobs: Mapping[str, Mapping[str, Curve]],
    provenance: Mapping[str, Mapping[str, Any]],
    default_pool: str = "",
) -> None:
    """Write several knobs of a method at once: for each its curves by pool. `provenance` is by pool."""
    data = _read_file(path)
    for knob, curves in knobs.items():
        points = {pool: [list(point) for point in curve.points] for pool, curve in curves.items()}
        _put_curves(data, (method, knob), points, provenance, default_pool)
    _write_file(path, data)


def _read_file(path: Path) -> dict[str, Any]:
    """The data of a file of levels, empty where there is none yet. Raises BadInput for anything else."""
    if not path.exists():
        return {}
    read_levels(path)  # refuses anything else
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def _write_file(path: Path, data: Mapping[str, Any]) -> None:
    """All or nothing."""
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
    try:
        disk.write_text(path, _POINT.sub(r"[\1, \2]", text) + "\n")
    except OSError as wrong:
        raise BadInput(f"{path}: cannot be written: {wrong.strerror}") from None


def mind_origin(name: str, game: str, mind: Mind) -> str:
    """What provenance calls a mind: the packaged network where it is one of its heads, else what it says of itself."""
    spec = mind_spec(name)
    own = shipped_models("expert" if spec.kind == "expert" else "human")
    if spec.kind in ("human", "expert", "blend") and "base" not in dict(spec.fields) and game in own:
        return origin_of_model(own[game])
    return origin_of(mind, PurePath(name).name)
