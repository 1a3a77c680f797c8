"""The small-data ladder: subset, train, measure, tell, for every rung of recipes/experiments/ladder.toml.

    python recipes/experiments/ladder.py train   --data DATA=PATH --out DIR
    python recipes/experiments/ladder.py measure --data DATA=PATH --out DIR --expert NAME=MIND …
    python recipes/experiments/ladder.py tell    --out DIR --svg FILE

Every step is a function of its own, skips what is there already, and goes on after a kill. `train` runs one network at
a time. `measure` fits the blend's weight on the validation split and judges it on the test split; it never looks at the
test split before the weight stands.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click
from pydantic import BaseModel, ConfigDict, Field

from hitonami.dataset.subset import MANIFEST, write_subset
from hitonami.errors import HitonamiError, quote
from hitonami.train.recipe import Recipe, read_recipe, resolve
from hitonami.train.run import open_run

TABLE: Final = Path(__file__).with_suffix(".toml")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Base(_Part):
    """One kind of players: where their games are, and which of them."""

    name: str
    folders: tuple[str, ...] = Field(min_length=1)
    filter: str


class Ladder(_Part):
    """The whole experiment."""

    recipe: str
    sizes: tuple[int, ...] = Field(min_length=1)
    first: tuple[int, ...] = ()
    held_out: int = Field(ge=1)
    positions: int = Field(ge=1)
    filter: str
    bases: tuple[Base, ...] = Field(min_length=1)

    def rungs(self) -> list["Rung"]:
        """In the order of training."""
        order = [*self.first, *(size for size in self.sizes if size not in self.first)]
        return [Rung(base=base, games=size) for size in order for base in self.bases]


class Rung(_Part):
    """A base and a number of training games."""

    base: Base
    games: int

    @property
    def name(self) -> str:
        return f"{self.base.name}-{self.games}"


def read_ladder(path: Path = TABLE) -> Ladder:
    return Ladder(**tomllib.loads(path.read_text(encoding="utf-8")))


def take_games(rung: Rung, ladder: Ladder, roots: Mapping[str, Path], out: Path) -> Path:
    """The rung's subset, made where it is not there. Subsets are nested: the smaller ones come out of the largest."""
    folder, most = out / "games" / rung.name, max(ladder.sizes)
    if not (folder / MANIFEST).is_file():
        for left in folder.glob("shard-*"):  # a run that was killed between the shard and its manifest
            left.unlink()
        if rung.games < most:
            sources = [take_games(Rung(base=rung.base, games=most), ladder, roots, out)]
        else:
            sources = [resolve(text, roots) for text in rung.base.folders]
        write_subset(sources, folder, rung.games, rung.base.filter, ladder.held_out)
    return folder


def rung_recipe(rung: Rung, ladder: Ladder) -> Recipe:
    """The recipe of all rungs under this one's name."""
    return read_recipe(TABLE.parent / ladder.recipe).model_copy(update={"name": f"ladder-{rung.name}"})


def train_rung(rung: Rung, ladder: Ladder, roots: Mapping[str, Path], out: Path) -> Path:
    """The rung's model, trained on from where it was."""
    folder = out / "runs" / rung.name
    games = {"GAMES": take_games(rung, ladder, roots, out)}
    run = open_run(rung_recipe(rung, ladder), games, folder, resume=(folder / "run.json").is_file())
    if not run.model.exists():
        from hitonami.train.export import export_run  # torch: seconds that a finished ladder need not pay
        from hitonami.train.loop import run_training

        run_training(run, resume=True)  # from its last checkpoint, where there is one
        export_run(run)
    return run.model


def read_roots(words: Sequence[str]) -> dict[str, Path]:
    """NAME=PATH words."""
    pairs = [word.partition("=") for word in words]
    for name, _, path in pairs:
        if not (name and path):
            raise click.BadParameter(f"written as NAME=PATH, got {quote(name)}")
    return {name: Path(path) for name, _, path in pairs}


@click.group()
def command() -> None:
    """The small-data ladder."""


_DATA = click.option("--data", "roots", multiple=True, metavar="NAME=PATH", help="Where the table's $NAME is.")
_OUT = click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder of the experiment.")


@command.command("train")
@_DATA
@_OUT
def train_command(roots: tuple[str, ...], out: Path) -> None:
    """Make every subset and train every rung, one after the other."""
    ladder = read_ladder()
    for rung in ladder.rungs():
        click.echo(f"{rung.name}: {train_rung(rung, ladder, read_roots(roots), out)}")


if __name__ == "__main__":
    try:
        command()
    except HitonamiError as wrong:
        raise SystemExit(f"ladder: {wrong}") from None
