"""Run an experiment: each step is done once for the same inputs, and its JSON kept.

A step's key is a hash of its kind and version, its options, the content of its data and the marks of its minds.
A step that reads a subset depends on the games in it, not on how it was made. What is kept under a key is never
changed, so running again changes no figure and does no work; what was interrupted goes on with the step it was at.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hitonami import __version__, disk
from hitonami.errors import BadData
from hitonami.experiments.marks import mark, mark_data, mark_mind
from hitonami.experiments.playing import Subset
from hitonami.experiments.recipe import Published, Recipe, place_data, place_mind
from hitonami.experiments.step import Found, Step, Work
from hitonami.outcomes import Beside, Claim, Outcome, StepFound
from hitonami.progress import Watching

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Site:
    """Where an experiment runs: the root of the data, the folder that keeps what was found, a progress, a voice."""

    root: Path | None
    out: Path
    watch: Watching
    tell: Tell


def run_experiment(recipe: Recipe, site: Site) -> Outcome:
    """Do what is not done yet. All inputs of a step are looked at before its work begins."""
    made: dict[str, Path] = {}
    steps = [_run_step(step, recipe, site, made) for step in recipe.steps]
    head = recipe.head
    beside = tuple(set_beside(each, steps) for each in head.published)
    return Outcome(recipe.name, head.title, head.about, recipe.size, __version__, tuple(steps), beside, head.differs)


def _run_step(step: Step, recipe: Recipe, site: Site, made: dict[str, Path]) -> StepFound:
    places = [place_data(text, site.root, made) for text in step.data]
    minds = {name: place_mind(text, recipe, site.root, site.out) for name, text in step.minds.items()}
    inputs = describe_inputs(step, places, minds)
    key = key_of(inputs)
    kept, folder = site.out / "steps" / f"{step.do}-{key[:16]}.json", site.out / "work" / f"{step.do}-{key[:16]}"
    found = _load(kept, key)
    if found is None:
        site.tell(f"{step.name}: {step.title}")
        folder.mkdir(parents=True, exist_ok=True)
        work = Work(tuple(map(str, places)), minds, site.watch, folder, site.out)
        found = _known(step.run(work))
        _keep(kept, {"key": key, "inputs": inputs, "found": found})
    else:
        site.tell(f"{step.name}: as kept")
    if isinstance(step, Subset):
        made[step.name] = folder
    plotted = tuple(step.grids(found)), tuple(step.clouds(found))
    return StepFound(step.name, step.title, step.do, key, inputs, tuple(step.figures(found)), *plotted)


def describe_inputs(step: Step, places: list[Path], minds: dict[str, str]) -> dict[str, Any]:
    """Everything that the step's figures depend on, without a path of this machine."""
    return {
        "kind": step.do,
        "version": step.VERSION,
        "options": step.options,
        "data": [{"name": place.name, "sha256": mark_data(place)} for place in places],
        "minds": {name: mark_mind(text, step.game, plays=step.plays) for name, text in minds.items()},
    }


def key_of(inputs: dict[str, Any]) -> str:
    """The names of data are for readers: their content counts."""
    return mark(inputs | {"data": [each["sha256"] for each in inputs["data"]]})


def _known(value: Any) -> Any:
    """As JSON can hold it: a figure that is not a number could not be measured."""
    match value:
        case dict():
            return {str(name): _known(each) for name, each in value.items()}
        case list() | tuple():
            return [_known(each) for each in value]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value


def _load(path: Path, key: str) -> Found | None:
    """What is kept under this key. Raises BadData for a file that was changed."""
    if not path.is_file():
        return None
    try:
        held = json.loads(path.read_bytes())
        if held["key"] != key or key_of(held["inputs"]) != key:
            raise ValueError
        found: Found = held["found"]
    except (ValueError, KeyError, TypeError):
        raise BadData(f"{path} is damaged; delete it and the step is done again") from None
    return found


def _keep(path: Path, held: dict[str, Any]) -> None:
    """Whole or not at all."""
    disk.make_folder(path.parent)
    disk.write_text(path, json.dumps(held, ensure_ascii=False, allow_nan=False) + "\n")


def set_beside(published: Published, steps: Sequence[StepFound]) -> Beside:
    """A published figure and the figure of ours that its recipe names."""
    ours = published.ours
    figures = [] if ours is None else [each for step in steps if step.name == ours.step for each in step.figures]
    meant = [each for each in figures if ours is not None and (each.group, each.column) == (ours.group, ours.figure)]
    return Beside(
        published.source,
        Claim(published.mind, published.people, published.quantity),
        published.value,
        published.to,
        published.unit,
        "" if ours is None else ours.step,
        None if ours is None else Claim(ours.mind, ours.people, ours.quantity),
        published.differs,
        published.not_run,
        meant[0] if meant else None,
    )
