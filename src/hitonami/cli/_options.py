"""Options that several commands share: which human moves are drawn, and checks of what was typed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from hitonami.errors import BadInput, quote

if TYPE_CHECKING:
    from hitonami.evaluate.drawing import Plan

Command = Callable[..., None]


class Rating(click.ParamType[float, str]):
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


@dataclass(frozen=True)
class Draw:
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

    def plan(self, game: str) -> "Plan":
        """The plan for a game, whose own groups stand where none were asked for. Raises BadInput."""
        from hitonami.core import open_game
        from hitonami.evaluate.drawing import Plan
        from hitonami.evaluate.grouping import default_by

        name = open_game(game).name
        by = self.by or default_by(name)
        plan = Plan(name, by, self.positions, self.chosen, self.pool, self.size, self.seed, self.split, self.band)  # type: ignore[arg-type]  # click.Choice
        return plan if self.per_game is None else replace(plan, most_of_a_game=self.per_game)


def draw_options(
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
        click.option("--size", type=click.IntRange(1), help="Go: the board size, instead of the filter's."),
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
            own = {name: words.pop(name) for name in Draw.__dataclass_fields__ if name in words}
            command(**words, drawing=Draw(**own))

        for option in reversed(options):
            option(collected)
        return collected

    return decorate


def chosen_mind(named: str | None, game: str) -> str:
    """The mind that was named, else the game's own; on standard error where it stands in for a human network."""
    from hitonami.minds import default_mind

    mind = named or default_mind(game)
    if named is None and mind != "human":
        click.echo(f"hitonami: no human network for {game} comes with this version: asking {mind} (--mind)", err=True)
    return mind


def check_minds(minds: Sequence[str]) -> None:
    """Raises BadInput for a mind that is given twice: its figures would stand under one name."""
    if len(set(minds)) < len(minds):
        raise BadInput(f"a mind is given twice: {quote(max(minds, key=minds.count))}")
