"""`hitonami data`: look at datasets."""

from pathlib import Path

import click


@click.group("data")
def command() -> None:
    """Look at datasets."""


@command.command("describe")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), default=None, help="Also write a page with plots.")
def describe_command(folder: Path, html: Path | None) -> None:
    """Say what the dataset in FOLDER holds: counts, ratings, lengths, results, clocks, players."""
    from hitonami.dataset.describe import describe
    from hitonami.report.dataset import as_page, as_text

    summary = describe(folder)
    for line in as_text(summary):
        click.echo(line)
    if html is not None:
        html.write_text(as_page(summary, f"Dataset {folder.name}"), encoding="utf-8")
        click.echo(f"wrote {html}")


@command.command("rules")
def rules_command() -> None:
    """List the rules that a filter may be made of."""
    from hitonami.dataset.filters import explain_rules

    for name, meaning in explain_rules().items():
        click.echo(f"{name:<16} {meaning}")
