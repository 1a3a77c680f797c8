"""The small-data ladder: subset, train, measure, tell, for every rung of recipes/experiments/ladder.toml.

    python recipes/experiments/ladder.py train   --data DATA=PATH --out DIR
    python recipes/experiments/ladder.py measure --expert NAME=MIND … --out DIR
    python recipes/experiments/ladder.py tell    --out DIR --svg FILE

Every step is a function of its own, skips what is there already, and goes on after a kill. `train` runs one network at
a time. `measure` fits the blend's weight on the validation split and judges it on the test split; it never looks at the
test split before the weight stands.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
import numpy as np
from ladder_figures import RungFigures, as_lines, as_svg, fit_one_weight
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from hitonami.dataset.groups import Split
from hitonami.dataset.reading import open_data
from hitonami.dataset.subset import MANIFEST, write_subset
from hitonami.errors import BadInput, HitonamiError, quote
from hitonami.evaluate.selection import Selection, select
from hitonami.fits.sheet import Sheet, fill_sheet
from hitonami.minds.uniform import Uniform
from hitonami.specs import open_mind
from hitonami.terminal.progress import Meter
from hitonami.train.recipe import Recipe, read_recipe, resolve
from hitonami.train.run import MODEL_FOLDER, open_run

TABLE: Final = Path(__file__).with_suffix(".toml")
FIGURES: Final = "figures.json"
_ROWS: Final = TypeAdapter(list[RungFigures])


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

        with Meter(run.recipe.training.steps, "positions") as meter:
            # from its last checkpoint, where there is one
            run_training(run, resume=True, report=lambda news: meter.show(news.step, news.positions))
        export_run(run)
    return run.model


def asked(base: Base, ladder: Ladder, split: Split, minds: Mapping[str, str], out: Path) -> Sheet:
    """What the minds say of the split's decisions. Answers are kept, so a mind is asked once."""
    smallest = out / "games" / Rung(base=base, games=min(ladder.sizes)).name  # all sizes share their held-out games
    positions = ladder.positions * (1 if split == "test" else 2)
    plan = Selection("chess", "none", positions, ladder.filter, split=split)
    drawn = select(open_data([str(smallest)], plan.game), plan)
    sheet = fill_sheet(drawn, {"uniform": Uniform()})
    rows = []
    for name, text in minds.items():
        path = out / "answers" / f"{base.name}-{split}-{name}-{_mark(text)}.npy"
        kept = np.load(path) if path.is_file() else None
        if kept is None or kept.shape != sheet.log_probs[0].shape:
            with open_mind(text) as mind, Meter(drawn.positions, "answers") as meter:
                kept = fill_sheet(drawn, {name: mind}, report=meter.show).log_probs[0]
            path.parent.mkdir(exist_ok=True)
            np.save(path, kept)
        rows.append(kept)
    return replace(sheet, log_probs=np.stack(rows))


def _mark(text: str) -> str:
    """Of the mind's text, and of what a file of that name says: another spec is another mind."""
    path = Path(text)
    held = path.read_bytes() if path.is_file() else b""
    return hashlib.blake2b(text.encode() + held, digest_size=4).hexdigest()


def measure_base(base: Base, ladder: Ladder, experts: Mapping[str, str], out: Path) -> list[RungFigures]:
    """Every trained rung with every expert: weights from the validation split, figures of the test split."""
    trained = {size: out / "runs" / Rung(base=base, games=size).name / MODEL_FOLDER for size in ladder.sizes}
    rungs = {f"rung-{size}": str(path) for size, path in trained.items() if path.is_dir()}
    if not rungs:
        return []
    names = [*rungs, *experts]
    sheets = [asked(base, ladder, split, {**rungs, **experts}, out) for split in ("validation", "test")]
    found = []
    for rung in rungs:
        for expert in experts:
            pair = [names.index(rung), names.index(expert)]
            validation, test = (replace(sheet, log_probs=sheet.log_probs[pair]) for sheet in sheets)
            games = int(rung.removeprefix("rung-"))
            found.append(RungFigures(base.name, games, expert, fit_one_weight(validation, test)))
    return found


def read_roots(words: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE words."""
    pairs = [word.partition("=") for word in words]
    for word, (name, _, value) in zip(words, pairs, strict=True):
        if not (name and value):
            raise click.BadParameter(f"written as NAME=VALUE, got {quote(word)}")
    return {name: value for name, _, value in pairs}


@click.group()
def command() -> None:
    """The small-data ladder."""


_OUT = click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder of the experiment.")


@command.command("train")
@click.option("--data", "words", multiple=True, metavar="NAME=PATH", help="Where the table's $NAME is.")
@_OUT
def train_command(words: tuple[str, ...], out: Path) -> None:
    """Make every subset and train every rung, one after the other."""
    ladder = read_ladder()
    roots = {name: Path(path) for name, path in read_roots(words).items()}
    for rung in ladder.rungs():
        click.echo(f"{rung.name}: {train_rung(rung, ladder, roots, out)}")


@command.command("measure")
@click.option("--expert", "words", multiple=True, required=True, metavar="NAME=MIND", help="A mind to blend with.")
@_OUT
def measure_command(words: tuple[str, ...], out: Path) -> None:
    """Fit the weight of each rung's blend with each expert, and judge it: OUT/figures.json."""
    ladder = read_ladder()
    rows = [row for base in ladder.bases for row in measure_base(base, ladder, read_roots(words), out)]
    if not rows:
        raise BadInput(f"{out}: no rung is trained yet")
    (out / FIGURES).write_bytes(_ROWS.dump_json(rows, indent=1))
    click.echo(f"{len(rows)} rows in {out / FIGURES}")


@command.command("tell")
@click.option("--svg", type=click.Path(path_type=Path), default=None, help="Also write the plot.")
@_OUT
def tell_command(svg: Path | None, out: Path) -> None:
    """The table of OUT/figures.json as Markdown."""
    rows = _ROWS.validate_json((out / FIGURES).read_bytes())
    for line in as_lines(rows):
        click.echo(line)
    if svg is not None:
        svg.write_text(as_svg(rows), encoding="utf-8")


if __name__ == "__main__":
    try:
        command()
    except HitonamiError as wrong:
        raise SystemExit(f"ladder: {wrong}") from None
