"""Positions and games as the browser sees them. Computes nothing that the rules do not say."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hitonami.core import Position, open_game, size_of, walk_back
from hitonami.customs import customs_in, customs_of, title_of
from hitonami.games.go import GoPosition
from hitonami.games.go_rules.count import Count
from hitonami.games.go_rules.points import vertex
from hitonami.play.clocks import Watch
from hitonami.scales import scale_of
from hitonami.web.board_schemas import Board
from hitonami.web.drawing import draw_position
from hitonami.web.held import held_by
from hitonami.web.opponents import Roster
from hitonami.web.schemas import ShownClock, ShownCount, ShownGame, ShownHandicap, ShownStyle
from hitonami.web.styles import Style

LARGE_BELOW = 10
"""Places of games that stand with the first."""
_STONES = str.maketrans({"\0": ".", "\1": "B", "\2": "W"})


def show_board(position: Position, movable: bool = True) -> Board:
    """The position for a board of its game; without its legal moves where nobody is to move on it."""
    game = position.game
    kind = customs_in(game).board
    own: dict[str, Any] = {"text": "", "size": size_of(position), "stones": "", "captures": (0, 0)}
    match kind:
        case "fen":
            own |= {"size": 8, "text": game.write(position), "check": position.board.is_check()}  # type: ignore[attr-defined]
        case "sfen":
            own |= {"size": 9, "text": position.sfen, "check": position.in_check}  # type: ignore[attr-defined]
        case "stones":
            own |= _show_stones(position)
        case "drawing":
            own["drawing"] = drawing = draw_position(position, movable)
    if kind == "drawing":
        own["legal"] = [each.move for each in drawing.moves]
    else:
        own["legal"] = [game.format(position, int(move)) for move in position.legal] if movable else []
    return Board(kind=kind, to_move=position.to_move, last=last_move(position), **{"check": False, "ko": None} | own)


def _show_stones(position: Any) -> dict[str, Any]:
    return {
        "captures": position.captures,
        "stones": position.board.tobytes().decode("ascii").translate(_STONES),
        "ko": vertex(position.size, position.ko_point) if position.ko_point >= 0 else None,
    }


def show_past(position: Position) -> list[Board]:
    """Every position up to this one, first to last, to look at."""
    return [show_board(each, movable=False) for each in walk_back(position)][::-1]


def count_with(position: Position, dead: Iterable[str]) -> Count | None:
    """The count of a Go board with these stones dead; None where there is nothing to count."""
    if not isinstance(position, GoPosition) or position.ending is None:
        return None
    return position.game.count(position, [position.game.read_point(position, each) for each in dead])


def show_count(count: Count | None) -> ShownCount | None:
    return None if count is None else ShownCount(black=count.black, white=count.white, komi=count.komi)


def show_owners(count: Count | None) -> str:
    return "" if count is None else "".join(".BW"[owner] for owner in count.owners.tolist())


def show_clock(watch: Watch | None, over: bool) -> ShownClock | None:
    if watch is None:
        return None
    return ShownClock(
        seconds=watch.shown(),
        running=not over and watch.running,
        increment_seconds=watch.control.increment_seconds,
        byoyomi_seconds=watch.control.byoyomi_seconds,
    )


def last_move(position: Position) -> str | None:
    """The move that led here, as programs write it."""
    if position.before is None or position.last_move is None:
        return None
    return position.game.format(position.before, position.last_move)


def show_style(style: Style, held: Mapping[str, tuple[float, float]] | None = None) -> ShownStyle:
    return ShownStyle(
        name=style.name,
        mind=style.shown,
        follows_level=style.follows_level,
        strengths=style.strengths,
        usual_strength=style.usual_strength,
        held=dict(held or {}),
    )


def show_game(name: str, roster: Roster, twins: Sequence[Style] = ()) -> ShownGame:
    """What the game says of itself: its rules, which may need a large library, are not opened."""
    customs, sides = customs_of(name), open_game(name).sides
    return ShownGame(
        name=name,
        title=title_of(name),
        japanese=dict(customs.japanese),
        board=customs.board,
        diagram_style=customs.diagram_style,
        middle=list(customs.middle),
        large=customs.place < LARGE_BELOW,
        pairs=customs.pairs,
        passes=customs.passes,
        draws=customs.can_draw and not customs.passes,
        sides=sides,
        called=dict(zip(sides, customs.called or sides, strict=True)),
        sizes=list(customs.sizes),
        variants=customs.variants,
        formats=list(customs.records),
        scale=scale_of(name),
        styles=[show_style(style, held_by(style, name)) for style in (*roster.styles(name), *twins)],
        rules=customs.rules,
        letters=dict(customs.letters),
        openings=customs.openings,
        handicaps=[
            ShownHandicap(name=each.name, giver=each.giver, title=each.title or each.name, japanese=each.japanese)
            for each in customs.handicaps
        ],
        controls=list(customs.controls),
    )
