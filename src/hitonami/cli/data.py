"""`hitonami data`: look at datasets."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from hitonami.cli._files import PLACE, tell, warn
from hitonami.cli._options import Reporting, html_option
from hitonami.errors import WorkFailed


@click.group("data")
def command() -> None:
    """Look at datasets."""


@command.command("describe", cls=Reporting)
@click.argument("folder", type=PLACE)
@html_option("Also write a page with plots.")
def describe_command(folder: Path) -> None:
    """Say what the dataset in FOLDER holds: counts, ratings, lengths, results, clocks, players."""
    from hitonami.dataset.describe import describe
    from hitonami.report.dataset import as_json, as_lines, as_page

    summary = describe(folder)
    tell(as_lines(summary), lambda: as_json(summary), lambda _: as_page(summary, f"Dataset {folder.name}"))


@command.command("levels", cls=Reporting)
@click.argument("folder", type=PLACE)
@click.argument("labels", type=PLACE)
@click.option("--out", type=PLACE, required=True, help="The folder for the new dataset.")
@click.option("--low", type=float, default=20.0, show_default=True, help="The level of those who lose most (20 = 10k).")
@click.option(
    "--high", type=float, default=35.0, show_default=True, help="The level of those who lose least (35 = 6d)."
)
@click.option("--moves", type=click.IntRange(min=2), default=30, show_default=True, help="Judged moves that it takes.")
def levels_command(folder: Path, labels: Path, out: Path, low: float, high: float, moves: int) -> None:
    """Give the unrated players of the dataset in FOLDER estimated levels, from the LABELS of their moves.

    A level is a player's place among the others by mean loss, as `hitonami label` judged
    their moves: by a search (--played), or by a network (--policy).
    """
    from hitonami.dataset.levels import Scale, write_levels

    levels = write_levels(folder, labels, out, Scale(low, high, moves))
    line = (
        f"{len(levels.by_name):,} of {levels.players:,} players have an estimated level, from {levels.judged:,} moves; "
        f"{levels.reliability:.0%} of the spread between them is not chance"
    )
    found = {"players": levels.players, "with_level": len(levels.by_name), "judged_moves": levels.judged}
    tell([line], lambda: found | {"reliability": levels.reliability})


@command.command("subset", cls=Reporting)
@click.argument("folders", nargs=-1, required=True, type=PLACE)
@click.option("--out", type=PLACE, required=True, help="The folder for the new dataset.")
@click.option("--games", type=click.IntRange(min=1), required=True, help="Training games.")
@click.option("--filter", "chosen", default="none", show_default=True, help="See `hitonami data rules`.")
@click.option("--held-out", type=click.IntRange(min=0), default=1000, show_default=True, help="Of each other split.")
def subset_command(folders: tuple[Path, ...], out: Path, games: int, chosen: str, held_out: int) -> None:
    """Take some games of the datasets in FOLDERS; smaller subsets are parts of larger ones."""
    from hitonami.dataset.subset import write_subset

    taken = write_subset(folders, out, games, chosen, held_out)
    line = f"{taken.train:,} training games, {taken.validation:,} for validation, {taken.test:,} for test"
    tell([line], lambda: asdict(taken))


@command.command("people", cls=Reporting)
@click.argument("folders", nargs=-1, required=True, type=PLACE)
@click.option("--out", type=PLACE, required=True, help="The folder for both halves and the list.")
@click.option("--targets", type=click.IntRange(min=1), default=100, show_default=True, help="People a pool, at most.")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="Games that a target has.")
@click.option("--known", type=PLACE, default=None, help="A list of before: its pools stay as it says.")
def people_command(folders: tuple[Path, ...], out: Path, targets: int, games: int, known: Path | None) -> None:
    """Choose the people of individual studies and keep them out of everything else.

    In each pool of the datasets in FOLDERS those with the most games are targets. Writes OUT/targets.json (pseudonyms),
    and each dataset in two halves: OUT/base without any of their games, to train, validate and fit on, and
    OUT/people with only theirs.
    """
    from hitonami.dataset.people import Wanted, part_people

    chosen, parts = part_people(folders, out, Wanted(targets, games, known))
    counts = {pool: len(names) for pool, names in chosen.items()}
    lines = [f"{part.name}: {part.base:,} games of others, {part.people:,} of targets" for part in parts]
    lines.append("targets: " + ", ".join(f"{count} of {pool or 'no pool'}" for pool, count in counts.items()))
    tell(lines, lambda: {"datasets": [asdict(part) for part in parts], "targets": counts})


@command.command("verify", cls=Reporting)
@click.argument("folders", nargs=-1, required=True, type=PLACE)
def verify_command(folders: tuple[Path, ...]) -> None:
    """Compare every byte of the datasets and labels in FOLDERS with the hashes of their manifests.

    Exit code 1 where a shard is damaged, missing or not in the manifest.
    """
    from hitonami.dataset.verify import Verdict, verify

    verdicts: dict[str, Verdict] = {}

    def lines() -> Iterator[str]:
        for folder in folders:
            verdict = verdicts[str(folder)] = verify(folder)
            for problem in verdict.problems:
                warn(problem)
            told = "damaged" if verdict.problems else "whole"
            yield f"{folder}: {told}, {verdict.shards:,} shards, {verdict.rows:,} rows of them as they were written"

    tell(lines(), lambda: {folder: asdict(verdict) for folder, verdict in verdicts.items()})
    problems = sum(len(verdict.problems) for verdict in verdicts.values())
    if problems:
        raise WorkFailed(f"{problems:,} shards are not what their manifests say")


@command.command("rules", cls=Reporting)
def rules_command() -> None:
    """List the rules that a filter may be made of."""
    from hitonami.dataset.filters import explain_rules

    rules = explain_rules()
    tell((f"{name:<16} {meaning}" for name, meaning in rules.items()), lambda: rules)
