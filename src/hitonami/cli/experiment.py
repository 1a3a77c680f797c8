"""`hitonami experiment`: named studies from data to a report, each step done once for the same inputs."""

import json
from pathlib import Path

import click

from hitonami.cli._files import FILE, FOLDER, say, tell, write_file
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput


@click.command("experiment", cls=Reporting)
@click.argument("name")
@click.option("--quick", is_flag=True, help="On the sample games of the package, in minutes: shows that it works.")
@click.option("--data", "root", type=FOLDER, default=None, help="The data's root.")
@click.option(
    "--out", type=FOLDER, default=Path("experiments"), show_default=True, help="Keeps steps, outcomes and pages."
)
@click.option("--results", "results_file", type=FILE, default=None, help="results: the file.")
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
    from hitonami.experiments.keeping import list_experiments

    known = list_experiments()
    width = max(map(len, known))
    lines = (f"{name:<{width}}  {title} ({', '.join(steps)})" for name, (title, steps) in known.items())
    tell(lines, lambda: {name: {"title": title, "steps": steps} for name, (title, steps) in known.items()})


def _run(name: str, quick: bool, root: Path | None, out: Path) -> None:
    from hitonami.experiments.keeping import keep_experiment
    from hitonami.experiments.run import Site
    from hitonami.report.experiment import as_lines
    from hitonami.terminal.progress import Meter

    site = Site(root, out, Meter, lambda text: click.echo(text, err=True))
    kept = keep_experiment(name, "quick" if quick else "full", site)
    tell(as_lines(kept.outcome), lambda: json.loads(kept.json))
    say(f"wrote {kept.stem}.json and {kept.stem}.html")


def _write_results(out: Path, results_file: Path, readme: Path | None) -> None:
    from hitonami.experiments.keeping import gather_results

    found = gather_results(out, readme)
    told = {"outcomes": [str(path) for path in found.paths], "file": str(results_file)}
    tell([f"{len(found.paths)} outcomes"], lambda: told)
    write_file(results_file, found.document)
    if readme is not None and found.readme is not None:
        write_file(readme, found.readme)
