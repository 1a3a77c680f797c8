"""`hitonami experiment`: named studies from data to a report, each step done once for the same inputs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami import disk
from hitonami.cli._files import say, tell, write_file
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.experiments.recipe import Recipe


@click.command("experiment", cls=Reporting)
@click.argument("name")
@click.option("--quick", is_flag=True, help="On the sample games of the package, in minutes: shows that it works.")
@click.option("--data", "root", type=click.Path(path_type=Path, file_okay=False), default=None, help="The data's root.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("experiments"),
    show_default=True,
    help="Keeps steps, outcomes and pages.",
)
@click.option(
    "--results",
    "results_file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="results: the file.",
)
@click.option(
    "--readme",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=None,
    help="results: also write the table of predictions between the marks of this file.",
)
def command(
    name: str, quick: bool, root: Path | None, out: Path, results_file: Path | None, readme: Path | None
) -> None:
    """Run the experiment NAME, or a recipe's file: OUT/NAME.json and OUT/NAME.html.

    `list` names the experiments. `results` writes the outcomes in --out as one Markdown file (--results, else
    OUT.md beside the folder).
    """
    if name == "list":
        _list()
    elif name == "results":
        _write_results(out, results_file or out.with_name(out.name + ".md"), readme)
    elif results_file is not None or readme is not None:
        raise BadInput(f"{'--readme' if results_file is None else '--results'} is for `hitonami experiment results`")
    else:
        _run(name, quick, root, out)


def _list() -> None:
    from hitonami.experiments.recipe import find_recipes, read_recipe

    known = {name: read_recipe(name, "full") for name in find_recipes()}
    told = {
        name: {"title": recipe.head.title, "steps": [step.name for step in recipe.steps]}
        for name, recipe in known.items()
    }
    width = max(map(len, known))
    lines = (f"{name:<{width}}  {each['title']} ({', '.join(each['steps'])})" for name, each in told.items())
    tell(lines, lambda: told)


def _run(name: str, quick: bool, root: Path | None, out: Path) -> None:
    from hitonami.experiments.recipe import read_recipe
    from hitonami.experiments.run import Site, run_experiment
    from hitonami.report.experiment import as_lines, write_outcome
    from hitonami.report.experiment_page import as_page
    from hitonami.terminal.progress import Meter

    if root is not None and not root.is_dir():
        raise BadInput(f"--data {root}: there is no such folder")
    recipe = read_recipe(name, "quick" if quick else "full")
    _refuse_file(out)
    outcome = run_experiment(recipe, Site(root, out, Meter, lambda text: click.echo(text, err=True)))
    stem, written = _stem(recipe), write_outcome(outcome)
    disk.write_bytes(out / f"{stem}.json", written)
    disk.write_text(out / f"{stem}.html", as_page(outcome))
    tell(as_lines(outcome), lambda: json.loads(written))
    say(f"wrote {out / stem}.json and {out / stem}.html")


def _stem(recipe: "Recipe") -> str:
    """Sizes lie beside each other."""
    return recipe.name if recipe.size == "full" else f"{recipe.name}-quick"


def _refuse_file(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadInput(f"--out {out}: {wrong.strerror}") from None


def _write_results(out: Path, results_file: Path, readme: Path | None) -> None:
    from hitonami.report.experiment import read_outcome, results_document
    from hitonami.report.readme import put_table

    paths = sorted(out.glob("*.json"))
    if not paths:
        raise BadInput(f"{out}: no outcome of an experiment is there")
    outcomes = [read_outcome(path.read_bytes(), str(path)) for path in paths]
    table = None if readme is None else put_table(readme.read_text(encoding="utf-8"), outcomes, str(readme))
    tell([f"{len(outcomes)} outcomes"], lambda: {"outcomes": [str(path) for path in paths], "file": str(results_file)})
    write_file(results_file, results_document(outcomes))
    if readme is not None and table is not None:
        write_file(readme, table)
