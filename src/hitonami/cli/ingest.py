"""`hitonami ingest`: game records into a dataset."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting


@click.command("ingest", cls=Reporting)
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to make.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to use.")
@click.option("--cluster", default=None, help="A Ray cluster: auto, ray://host:port, or local.")
@click.option("--keep-names", is_flag=True, help="Keep players' names and events as they are.")
@click.option("--key-file", type=click.Path(path_type=Path), default=None, help="The key for pseudonyms.")
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
    from hitonami.dataset.ingest import IngestPlan, Tally, ingest
    from hitonami.dataset.names import load_key
    from hitonami.dataset.sources import Progress, find_sources
    from hitonami.terminal.progress import Meter

    found = find_sources(data, game)
    plan = IngestPlan(game, out, None if keep_names else load_key(key_file), jobs, cluster)
    inputs = [{"name": source.name, "size": source.size, "mark": source.fingerprint()} for source in found.sources]
    progress = Progress()
    with Meter(found.bytes_total, "games") as meter:

        def show(tally: Tally) -> None:
            meter.show(progress.bytes_read, tally.accepted + tally.rejected.total())

        def troubles() -> dict[str, Any]:
            return {
                "passed_over": dict(sorted((Counter(found.skipped) + progress.skipped).items())),
                "broken": [str(broken) for broken in progress.broken],
            }

        manifest = ingest(plan, found.documents(progress), inputs, show, troubles)
    for broken in manifest["broken"]:
        click.echo(f"hitonami: {broken}", err=True)
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
