"""Options that several commands share: --json, which human moves are drawn, and checks of what was typed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hitonami.cli._files import FILE, JSON_FILE, PAGE_FILE, STANDARD_OUTPUT, check_folders, warn
from hitonami.errors import BadInput, quote

if TYPE_CHECKING:
    from hitonami.evaluate.selection import Selection

    _Type = click.ParamType[float, str]
else:
    _Type = click.ParamType  # takes no arguments at run time before click 8.5

Command = Callable[..., None]


class Rating(_Type):
    """A number, or a rank where the game has ranks. The command's GAME is read first: `game_argument`."""

    name = "rating"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        from hitonami.ranks import read_rating

        if isinstance(value, float):  # a default
            return value
        game = "" if ctx is None else str(ctx.params.get("game") or "")
        try:
            return read_rating(str(value), game)
        except BadInput as wrong:
            self.fail(str(wrong), param, ctx)


RATING = Rating()
game_argument = click.argument("game", is_eager=True)  # before the options, which may depend on it
SPLITS = ("train", "validation", "test", "all")


class Reporting(click.Command):
    """A command with results: `--json [FILE]` writes them for programs; what it has to tell goes through `tell`.

    The word after --json is its FILE where it looks like one: `-`, or with a dot or a slash in it. Any other word is
    an argument of the command, as in `hitonami predict --json chess startpos`; `--json=WORD` takes every WORD.
    """

    def __init__(self, *words: Any, **fields: Any) -> None:
        super().__init__(*words, **fields)
        self.params.append(
            click.Option(
                ["--json"],
                type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
                metavar="[FILE]",
                expose_value=False,
                callback=_keep_json_file,
                help="All figures, as JSON; without FILE, or with -, alone on standard output.",
            )
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        typed = [
            f"--json={STANDARD_OUTPUT}" if word == "--json" and not _looks_like_a_file(after) else word
            for word, after in zip(args[:end], [*args[1:end], ""], strict=False)
        ]
        return super().parse_args(ctx, [*typed, *args[end:]])


def _looks_like_a_file(word: str) -> bool:
    return word == str(STANDARD_OUTPUT) or (not word.startswith("-") and any(mark in word for mark in "./"))


def _keep_json_file(context: click.Context, _: click.Parameter, file: Path | None) -> None:
    """Raises BadInput, before any work, for a file that cannot be written, or that holds something else: a record."""
    if file is None:
        return
    if file != STANDARD_OUTPUT:
        check_folders((file,))
        if file.is_file() and _first_byte(file) not in (b"", b"{"):
            raise BadInput(f"--json {file}: holds something that is not JSON, and is not written over")
    context.meta[JSON_FILE] = file


def _first_byte(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(1)
    except OSError as wrong:
        raise BadInput(f"--json {file}: {wrong.strerror}") from None


def html_option(about: str = "A page.") -> Callable[[Command], Command]:
    """Add --html FILE, where `tell` writes the page."""
    return click.option("--html", type=FILE, expose_value=False, callback=_keep_page_file, help=about)


def _keep_page_file(context: click.Context, _: click.Parameter, file: Path | None) -> None:
    """Raises BadInput, before any work, for a file that cannot be written."""
    check_folders((file,))
    context.meta[PAGE_FILE] = file


@dataclass(frozen=True)
class SelectionWish:
    """What was typed about the moves to draw."""

    by: str | None
    band: float
    positions: int
    chosen: str
    pool: str
    size: int | None
    split: str
    seed: int
    per_game: int | None = None

    def plan(self, game: str) -> "Selection":
        """The plan for a game, whose own groups stand where none were asked for. Raises BadInput."""
        from hitonami.core import open_game
        from hitonami.evaluate.grouping import default_by
        from hitonami.evaluate.selection import Selection

        name = open_game(game).name
        by = self.by or default_by(name)
        plan = Selection(name, by, self.positions, self.chosen, self.pool, self.size, self.seed, self.split, self.band)  # type: ignore[arg-type]  # click.Choice
        return plan if self.per_game is None else replace(plan, most_of_a_game=self.per_game)


def selection_options(
    *,
    positions: int = 1000,
    counted: str = "--positions",
    of_each: str = "Moves of each group.",
    chosen: str = "maia-like",
    split: str = "all",
    band: float = 200.0,
    several: bool = True,
) -> Callable[[Command], Command]:
    """Add --by, --band, --positions, --filter, --pool, --size, --split, --seed; the command gets them as `drawing`.

    `counted` is another name for --positions. Where `chosen` is "", the command has a filter of its own. With `several`
    there is also --per-game.
    """
    rules = "See `hitonami data rules`." if chosen else "See `hitonami data rules`; else what suits the command."
    options = [
        click.option("--by", type=click.Choice(["rating", "rank", "none"]), help="Groups; else as the game has."),
        click.option(
            "--band", type=click.FloatRange(1), default=band, show_default=True, help="Width of rating groups."
        ),
        click.option(counted, "positions", type=click.IntRange(1), default=positions, show_default=True, help=of_each),
        click.option("--filter", "chosen", default=chosen, show_default=bool(chosen), help=rules),
        click.option("--pool", default="", help="Take this pool; also for records that name none."),
        click.option(
            "--size", type=click.IntRange(1), help="The board size, where there are several; else the filter's."
        ),
        click.option("--split", type=click.Choice(SPLITS), default=split, show_default=True),
        click.option(
            "--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draw and the intervals."
        ),
    ]
    if several:
        options.append(click.option("--per-game", type=click.IntRange(1), help="Moves of a game, at most; else 6."))

    def decorate(command: Command) -> Command:
        @wraps(command)
        def collected(**words: Any) -> None:
            own = {name: words.pop(name) for name in SelectionWish.__dataclass_fields__ if name in words}
            command(**words, drawing=SelectionWish(**own))

        for option in reversed(options):
            option(collected)
        return collected

    return decorate


base_option = click.option(
    "--base", default="", metavar="NAME", help="What human and blend stand on: a model, its file, or a mind."
)


def on_base(mind: str | None, base: str) -> str | None:
    """The mind as text, standing on the base where one is named. Raises BadInput for a mind that stands on none."""
    if not base:
        return mind
    if mind not in (None, "human", "blend"):
        raise BadInput(f"--base is for human and blend, not {quote(str(mind))}")
    return f"{mind or 'human'}:{base}"


def chosen_mind(named: str | None, game: str) -> str:
    """The mind that was named, else the game's own; on standard error where it stands in for a human network."""
    from hitonami.minds import default_mind

    mind = named or default_mind(game)
    if named is None and mind != "human":
        warn(f"no human network for {game} comes with this version: asking {mind} (--mind)")
    return mind


def check_minds(minds: Sequence[str]) -> None:
    """Raises BadInput for a mind that is given twice: its figures would stand under one name."""
    if len(set(minds)) < len(minds):
        raise BadInput(f"a mind is given twice: {quote(max(minds, key=minds.count))}")
