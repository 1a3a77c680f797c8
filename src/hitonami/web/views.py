"""Positions and games as the browser sees them. Computes nothing that the rules do not say."""

from typing import cast

from hitonami.core import Position, walk_back
from hitonami.customs import customs_of
from hitonami.games.chess import ChessPosition
from hitonami.games.go import GoPosition, vertex
from hitonami.games.go_rules.count import Count
from hitonami.games.shogi import ShogiPosition
from hitonami.web.clocks import Watch
from hitonami.web.opponents import Roster, Style, scale_of
from hitonami.web.schemas import (
    Board,
    GameName,
    Outcome,
    ShownClock,
    ShownCount,
    ShownGame,
    ShownHandicap,
    ShownOpening,
    ShownScale,
    ShownStyle,
)

_STONES = str.maketrans({"\0": ".", "\1": "B", "\2": "W"})


def show_board(position: Position, movable: bool = True) -> Board:
    """The position for a board of its game; without its legal moves where nobody is to move on it."""
    game = position.game
    size, stones, captures, text, check, ko = 0, "", (0, 0), "", False, None
    match position:
        case ChessPosition():
            size, text, check = 8, game.write(position), position.board.is_check()
        case ShogiPosition():
            size, text, check = 9, position.sfen, position.in_check
        case GoPosition():
            size, captures = position.size, position.captures
            stones = position.board.tobytes().decode("ascii").translate(_STONES)
            ko = vertex(size, position.ko_point) if position.ko_point >= 0 else None
    return Board(
        text=text,
        size=size,
        stones=stones,
        captures=captures,
        to_move=position.to_move,
        legal=[game.format(position, int(move)) for move in position.legal] if movable else [],
        last=last_move(position),
        check=check,
        ko=ko,
    )


def show_past(position: Position) -> list[Board]:
    """Every position up to this one, first to last, to look at."""
    return [show_board(each, movable=False) for each in walk_back(position)][::-1]


def show_count(count: Count | None) -> ShownCount | None:
    return None if count is None else ShownCount(black=count.black, white=count.white, komi=count.komi)


def show_owners(count: Count | None) -> str:
    return "" if count is None else "".join(".BW"[owner] for owner in count.owners.tolist())


def show_clock(watch: Watch | None, over: bool) -> ShownClock | None:
    if watch is None:
        return None
    return ShownClock(
        seconds=watch.shown(),
        running=not over and len(watch.left) >= 2,
        increment_seconds=watch.control.increment_seconds,
        byoyomi_seconds=watch.control.byoyomi_seconds,
    )


def last_move(position: Position) -> str | None:
    """The move that led here, as programs write it."""
    if position.before is None or position.last_move is None:
        return None
    return position.game.format(position.before, position.last_move)


def show_outcome(score: float | None, reason: str) -> Outcome | None:
    return None if score is None else Outcome(score=score, reason=reason)


def show_style(style: Style) -> ShownStyle:
    return ShownStyle(name=style.name, mind=style.shown, follows_level=style.follows_level)


def show_game(name: str, sides: tuple[str, str], roster: Roster) -> ShownGame:
    scale, customs = scale_of(name), customs_of(name)
    return ShownGame(
        name=cast("GameName", name),
        sides=sides,
        sizes=list(customs.sizes),
        formats=list(customs.records),
        scale=ShownScale(
            kind=scale.kind,
            pools=list(scale.pools),
            low=scale.low,
            high=scale.high,
            step=scale.step,
            default=scale.default,
        ),
        styles=[show_style(style) for style in roster.styles(name)],
        openings=[ShownOpening(**vars(opening)) for opening in customs.openings],
        handicaps=[ShownHandicap(name=each.name, giver=each.giver) for each in customs.handicaps],
        controls=list(customs.controls),
    )
