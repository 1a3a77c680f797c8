"""`hitonami ingest`: game records into a dataset."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from hitonami.cli._files import FOLDER, PLACE, tell, warn
from hitonami.cli._options import Reporting


@click.command("ingest", cls=Reporting)
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--out", type=FOLDER, required=True, help="The folder to make.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to use.")
@click.option("--cluster", default=None, help="A Ray cluster: auto on one of its machines, its address, or local.")
@click.option("--keep-names", is_flag=True, help="Keep players' names and events as they are.")
@click.option("--key-file", type=PLACE, default=None, help="The key for pseudonyms.")
def command(
    game: str,
    data: tuple[str, ...],
    out: Path,
    jobs: int,
    cluster: str | None,
    keep_names: bool,
    key_file: Path | None,
) -> None:
    """Turn records of GAME in DATA (files, folders, archives) into a dataset of Parquet shards."""
    from hitonami.dataset.ingest import IngestPlan, ingest_files
    from hitonami.dataset.names import load_key
    from hitonami.terminal.progress import Meter

    plan = IngestPlan(game, out, None if keep_names else load_key(key_file), jobs, cluster)
    manifest = ingest_files(plan, data, Meter)
    for broken in manifest["broken"]:
        warn(broken)
    tell(_lines(manifest), lambda: manifest)


def _lines(manifest: dict[str, Any]) -> Iterator[str]:
    """The counts by reason; the last line is for scripts."""
    if passed_over := manifest["passed_over"]:
        listed = ", ".join(f"{count:,} {suffix or 'without a suffix'}" for suffix, count in passed_over.items())
        yield f"files that are no records of the game: {listed}"
    for reason, count in sorted(manifest["rejected"].items(), key=lambda item: -item[1]):
        if count:
            yield f"  {count:>9,}  {reason}"
    yield f"accepted {manifest['accepted']}, rejected {sum(manifest['rejected'].values())}"
