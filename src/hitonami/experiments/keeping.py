"""Outcomes in a folder: an experiment run and kept as NAME.json and NAME.html, and all of them as one document."""

from dataclasses import dataclass
from pathlib import Path

from hitonami import disk
from hitonami.errors import BadInput
from hitonami.experiments.recipe import find_recipes, read_recipe
from hitonami.experiments.run import Site, run_experiment
from hitonami.outcomes import Outcome, Size, read_outcome, write_outcome
from hitonami.report.experiment import results_document
from hitonami.report.experiment_page import as_page
from hitonami.report.readme import put_table


@dataclass(frozen=True)
class Kept:
    """An outcome, its JSON, and its files without their endings."""

    outcome: Outcome
    json: bytes
    stem: Path


@dataclass(frozen=True)
class Results:
    """The outcomes of a folder as one document, and the text of a README with the table of predictions put in."""

    paths: list[Path]
    document: str
    readme: str | None


def list_experiments() -> dict[str, tuple[str, list[str]]]:
    """Title and names of the steps, by name."""
    known = {name: read_recipe(name, "full") for name in find_recipes()}
    return {name: (recipe.head.title, [step.name for step in recipe.steps]) for name, recipe in known.items()}


def keep_experiment(name: str, size: Size, site: Site) -> Kept:
    """Run it and write both files; sizes lie beside each other. Raises BadInput before any work."""
    if site.root is not None and not site.root.is_dir():
        raise BadInput(f"--data {site.root}: there is no such folder")
    recipe = read_recipe(name, size)
    try:
        site.out.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadInput(f"--out {site.out}: {wrong.strerror}") from None
    outcome = run_experiment(recipe, site)
    kept = Kept(outcome, write_outcome(outcome), site.out / (recipe.name if size == "full" else f"{recipe.name}-quick"))
    disk.write_bytes(kept.stem.with_name(kept.stem.name + ".json"), kept.json)
    disk.write_text(kept.stem.with_name(kept.stem.name + ".html"), as_page(outcome))
    return kept


def gather_results(out: Path, readme: Path | None) -> Results:
    """Raises BadInput where there is no outcome, BadData for a file that is none."""
    paths = sorted(out.glob("*.json"))
    if not paths:
        raise BadInput(f"{out}: no outcome of an experiment is there")
    outcomes = [read_outcome(path.read_bytes(), str(path)) for path in paths]
    table = None if readme is None else put_table(readme.read_text(encoding="utf-8"), outcomes, str(readme))
    return Results(paths, results_document(outcomes), table)
