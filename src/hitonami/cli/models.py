"""`hitonami models`: the networks that are there, and how to add one."""

from pathlib import Path

import click


@click.group("models")
def command() -> None:
    """List, show and add networks."""


@command.command("list")
def list_command() -> None:
    """List the packaged models and your own."""
    from hitonami.models.store import list_models, user_store

    found = list(list_models())
    for listed in found:
        if listed.card is None:
            click.echo(f"{listed.name:<20} {listed.origin:<9} broken: {listed.problem}")
            continue
        heads = ", ".join(listed.card.heads.model_dump(exclude_none=True))
        click.echo(f"{listed.name:<20} {listed.origin:<9} {listed.card.game:<8} {heads}")
    if not found:
        click.echo(f"no models; `hitonami models add PATH` puts one into {user_store()}")


@command.command("show")
@click.argument("name")
def show_command(name: str) -> None:
    """Check the model NAME (or a file or folder) in full and print its card."""
    from hitonami.models.store import load_model

    click.echo(load_model(name).card.to_json(), nl=False)


@command.command("add")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", default="", help="What to call it; the file's own name otherwise.")
def add_command(path: Path, name: str) -> None:
    """Check a network, convert it if need be, and copy it into your store.

    PATH is a folder with model.onnx and card.json, or an Lc0 or Maia network (.pb.gz).
    """
    from hitonami.models.store import add_model

    added = add_model(path, name)
    click.echo(f"added {added.name}; use it as --mind neural:{added.name}")
