"""A game as it is asked for, checked against what there is and completed to what is stored."""

import secrets
from dataclasses import replace

from hitonami.core import Position, Setup
from hitonami.customs import customs_of
from hitonami.errors import BadInput, alternatives, quote
from hitonami.models.self_played import expert_sees
from hitonami.play.clocks import read_control
from hitonami.scales import scale_of
from hitonami.twins.store import find_twin
from hitonami.web.database import new_id
from hitonami.web.games_store import StoredGame
from hitonami.web.move_log import move_texts
from hitonami.web.openings import opening_moves, with_handicap
from hitonami.web.opponents import Roster
from hitonami.web.pasted import read_line
from hitonami.web.refusals import Refusal
from hitonami.web.schemas import Beginning, ChosenBoard, NewGame
from hitonami.web.styles import Style
from hitonami.web.twins import TWIN, store_of


def plan_game(wanted: NewGame, roster: Roster, visitor: str) -> StoredGame:
    """What is asked for, checked and completed. Raises BadInput."""
    control = read_control(wanted.time_control)
    first = first_position(wanted)
    if not len(first.legal):
        raise BadInput("the game would be over before it begins")
    texts = move_texts(first)
    side = {"first": 0, "second": 1, "random": secrets.randbelow(2)}[wanted.side]
    style = _style_for(first, wanted.style, roster, visitor)
    rating, pool = _level_of(style, visitor, wanted)
    return StoredGame(
        id=new_id(),
        game=wanted.game,
        setup=first.setup,
        human_side=side,
        style=style.name,
        rating=rating,
        pool=pool,
        pace=wanted.pace,
        moves=tuple(texts),
        time_control="" if control is None else str(control),
        clocks=() if control is None else (float(control.main_seconds),) * len(texts),
        visitor=visitor,
    )


def plan_again(before: StoredGame, roster: Roster, visitor: str) -> StoredGame:
    """The same game from its start with the sides changed. Raises BadInput where its style is not offered any more."""
    return StoredGame(
        id=new_id(),
        game=before.game,
        setup=before.setup,
        human_side=1 - before.human_side,
        style=roster.style(before.game, before.style, visitor).name,
        rating=before.rating,
        pool=before.pool,
        pace=before.pace,
        time_control=before.time_control,
        visitor=visitor,
    )


def _style_for(first: Position, name: str, roster: Roster, visitor: str) -> Style:
    """The one that is named; else the first that knows the board. Raises BadInput where the one named does not."""
    if not name:
        return next(style for style in roster.styles(first.game.name) if style.mind != "expert" or expert_sees(first))
    style = roster.style(first.game.name, name, visitor)
    if style.mind == "expert" and not expert_sees(first):
        raise Refusal(
            "other-board", "this opponent learned on another board and does not know this one: choose another"
        )
    return style


def _level_of(style: Style, visitor: str, wanted: NewGame) -> tuple[float, str]:
    """A twin is of its own level, as near as the scale has it."""
    if not style.name.startswith(TWIN):
        return check_level(wanted.game, wanted.rating, wanted.pool)
    player, scale = find_twin(style.name.removeprefix(TWIN), store_of(visitor)).player, scale_of(wanted.game)
    if player.rating is None or player.pool not in scale.pools:
        return check_level(wanted.game, wanted.rating, wanted.pool)
    return min(max(player.rating, scale.low), scale.high), player.pool


def check_level(game: str, rating: float | None, pool: str) -> tuple[float, str]:
    """The level and its pool, the usual ones where none is given. Raises BadInput."""
    scale = scale_of(game)
    pool = pool or scale.pools[0]
    if pool not in scale.pools:
        raise BadInput(f"{game} has no pool {quote(pool)} here; {alternatives(pool, scale.pools)}")
    level = scale.default if rating is None else rating
    if not scale.low <= level <= scale.high:
        raise BadInput(f"a level in {game} lies between {scale.low:g} and {scale.high:g}, got {level:g}")
    return level, pool


def chosen_setup(board: ChosenBoard) -> Setup:
    """Raises BadInput."""
    game = board.game
    plain = Setup(size=check_size(game, board.size), variant=check_variant(game, board.variant))
    return with_handicap(game, plain, board.handicap)


def check_size(game: str, size: int) -> int:
    """A board size that the page has. Raises BadInput."""
    sizes = customs_of(game).sizes
    if size and size not in sizes:
        known = ", ".join(map(str, sizes)) or "its own"
        raise BadInput(f"{game} has no board size {size} here; known: {known}")
    return size


def check_variant(game: str, name: str) -> str:
    """A board or array that the page has. Raises BadInput."""
    known = [variant.name for variant in customs_of(game).variants]
    if name and name not in known:
        raise BadInput(f"{game} has no variant {quote(name)} here; {alternatives(name, filter(None, known))}")
    return name


def first_position(wanted: Beginning) -> Position:
    """Where the game begins. Raises BadInput."""
    game, setup = wanted.game, chosen_setup(wanted)
    line = opening_moves(game, wanted.size, wanted.opening)
    if line and (wanted.start.strip() or wanted.handicap):
        raise BadInput("a game begins with a named opening, a handicap or a line of your own, not with two of them")
    if wanted.handicap and wanted.start.strip():
        raise BadInput("a game begins from a position or with a handicap, not both")
    if wanted.start.strip():
        return read_line(game, replace(setup, handicap=0), wanted.start)
    return read_line(game, setup, line)
