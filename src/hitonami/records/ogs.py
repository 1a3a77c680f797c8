"""Games of Go as the OGS server gives them: one JSON object a line.

Ranks are OGS's own numbers, on which 30 is 1 dan, as everywhere here. Moves are `[x, y, milliseconds]`
with -1 for a pass; the times become `think_seconds`. The first moves of a handicap game are Black's given
stones. Where White moves first without a handicap the board was set up by hand and the line does not say
how: such games are rejected. Clocks cannot be worked out from the times alone and are not made up.

Two passes end a game here. On OGS both sides can go on after them; such games are rejected.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO, ClassVar, Final, Literal

from hitonami.core import Player, Setup
from hitonami.errors import BadRecord, quote
from hitonami.games.go_rules.rulesets import LARGEST, SMALLEST, find_rules
from hitonami.games.go_rules.sgf import resolve, with_stones
from hitonami.records import Document, Record, Rejected, cut_at_lines
from hitonami.records._go_facts import kind_of
from hitonami.records._go_replay import replay_moves
from hitonami.records._json_lines import MISSING, read_lines

NOT_SQUARE: Final = "not a square board"
NOT_A_MOVE: Final = "not a move"
NO_START: Final = "start position missing"
DEFAULT_RANK: Final = (17.6, 17.8)
"""Where the rank of a new account lies: such a rank says nothing yet."""
_ENDINGS: Final = {
    "resignation": "resignation",
    "timeout": "time",
    "disconnection": "abandoned",
    "cancellation": "cancelled",
    "moderator decision": "adjudication",
    "0 points": "jigo",
}
_SPEEDS: Final = {"blitz": "blitz", "live": "rapid", "correspondence": "correspondence"}
_SIDES: Final = ("black", "white")


class Ogs:
    """OGS game JSON, one game a line."""

    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    game: ClassVar[str] = "go"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        yield from read_lines(document, _read_game)

    def write(self, record: Record) -> str:
        """The fields that `read` reads, on one line. Raises BadRecord for another game's."""
        if record.game != "go":
            raise BadRecord(f"OGS has games of Go, not of {quote(record.game)}")
        start = resolve(record.setup)
        if start.white or len(start.black) not in (0, start.handicap) or start.to_move != (start.handicap >= 2):
            raise BadRecord("OGS lines hold even and handicap games, not other positions")
        spent = [*(None for _ in start.black), *(record.think_seconds or [None] * len(record.moves))]
        points = [
            [-1, -1] if move == start.points else [move % start.size, move // start.size]
            for move in (*start.black, *record.moves)
        ]
        game = {side: _write_player(player) for side, player in zip(_SIDES, record.players, strict=True)} | {
            "ranked": "casual" not in record.marks,
            "handicap": start.handicap,
            "komi": start.komi,
            "width": start.size,
            "height": start.size,
            "rules": start.rules.name,
            "moves": [[*xy, round(1000 * (seconds or 0))] for xy, seconds in zip(points, spent, strict=True)],
            "outcome": record.termination,
            "winner": None if record.score in (None, 0.5) else "white" if record.score == 0.0 else "black",
            "initial_player": "black",
        }
        return json.dumps(game, ensure_ascii=False, separators=(",", ":")) + "\n"


def _read_game(game: dict[str, Any], offset: int) -> Record:
    size = _read_size(game)
    moves, seconds = _read_moves(game, size)
    setup, given = _read_setup(game, size, moves)
    moves, seconds = moves[given:], seconds[given:]
    replay_moves(setup, moves)
    players = _read_players(game)
    score, termination = _read_result(game)
    return Record(
        game="go",
        setup=setup,
        moves=tuple(moves),
        players=players,
        score=score,
        termination=termination,
        time_control=_read_time(game.get("tc")),
        speed=_read_speed(game.get("tc")),
        date=_read_date(game.get("start")),
        think_seconds=tuple(seconds[: len(moves)]) if any(seconds) else (),
        marks=_read_marks(game, players),
        offset=offset,
    )


def _number(game: dict[str, Any], name: str, low: float, high: float) -> float:
    value = game.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadRecord(f"{MISSING}: {name} {quote(str(value))}")
    return value


def _read_size(game: dict[str, Any]) -> int:
    wide, tall = (int(_number(game, name, 1, 100)) for name in ("width", "height"))
    if wide != tall or not SMALLEST <= wide <= LARGEST:
        raise BadRecord(f"{NOT_SQUARE}: {wide}×{tall}")
    return wide


def _read_moves(game: dict[str, Any], size: int) -> tuple[list[int], list[float | None]]:
    listed = game.get("moves")
    if not isinstance(listed, list):
        raise BadRecord(f"{MISSING}: moves")
    moves: list[int] = []
    seconds: list[float | None] = []
    for each in listed:
        if not isinstance(each, list) or len(each) < 2 or not all(type(part) is int for part in each[:2]):
            raise BadRecord(f"{NOT_A_MOVE}: {quote(str(each))}")
        x, y = each[:2]
        if (x, y) == (-1, -1):
            moves.append(size * size)
        elif 0 <= x < size and 0 <= y < size:
            moves.append(y * size + x)
        else:
            raise BadRecord(f"{NOT_A_MOVE}: {quote(str(each))}")
        spent = each[2] if len(each) > 2 else None
        seconds.append(spent / 1000 if isinstance(spent, int | float) and 0 <= spent < 1e10 else None)
    return moves, seconds


def _read_setup(game: dict[str, Any], size: int, moves: list[int]) -> tuple[Setup, int]:
    """The setup, and how many of the moves are given stones."""
    komi = _number(game, "komi", -400, 400)
    given = int(_number(game, "handicap", 0, 100))
    rules = find_rules(str(game.get("rules", "")))
    setup = Setup(size=size, komi=float(komi), rules="record" if rules is None else rules.name)
    if game.get("initial_player", "black") != "black":
        raise BadRecord(f"{NO_START}: {quote(str(game.get('initial_player')))} moves first")
    if given < 2:
        return setup, 0
    black = set(moves[:given])
    if len(black) < given or size * size in black:
        raise BadRecord(f"{NO_START}: {len(black)} of {given} given stones")
    return with_stones(setup, given, black, set(), 1), given


def _read_players(game: dict[str, Any]) -> tuple[Player, Player]:
    """Where exactly one side is a known bot, OGS lets nobody but a person sit opposite."""
    facts = [game.get(side) for side in _SIDES]
    names = [str(fact.get("username") or "")[:200] if isinstance(fact, dict) else "" for fact in facts]
    bots = [kind_of(name) == "bot" for name in names]
    players = []
    for side, (fact, name) in enumerate(zip(facts, names, strict=True)):
        rank = fact.get("rank") if isinstance(fact, dict) else None
        known = isinstance(rank, int | float) and not isinstance(rank, bool) and -20 <= rank <= 60
        kind: Literal["human", "bot", "unknown"] = "bot" if bots[side] else "human" if bots[1 - side] else "unknown"
        players.append(Player(float(rank) if known and rank is not None else None, "ogs", name or None, kind))
    return players[0], players[1]


def _read_marks(game: dict[str, Any], players: tuple[Player, Player]) -> frozenset[str]:
    low, high = DEFAULT_RANK
    marks = {
        f"provisional-{side}"
        for side, player in enumerate(players)
        if player.rating is not None and low <= player.rating <= high
    }
    return frozenset(marks | ({"casual"} if game.get("ranked") is False else set()))


def _read_result(game: dict[str, Any]) -> tuple[float | None, str]:
    outcome = str(game.get("outcome") or "")[:60]
    ending = _ENDINGS.get(outcome.lower(), outcome)
    if ending in ("jigo", "cancelled"):
        return (0.5, ending) if ending == "jigo" else (None, ending)
    winner = game.get("winner")
    for side, name in enumerate(_SIDES):
        fact = game.get(name)
        if winner is not None and (winner == name or (isinstance(fact, dict) and winner == fact.get("id"))):
            return float(side == 0), ending
    return None, ending


def _read_time(control: object) -> str:
    """Seconds: 120+30 adds 30 a move, 600+30/5 has five periods of 30, other kinds as SGF writes them."""
    if not isinstance(control, dict):
        return ""
    match control.get("system"), control:
        case "byoyomi", {"main_time": int(main), "period_time": int(period), "periods": int(periods)}:
            return f"{main}+{period}/{periods}"
        case "fischer", {"initial_time": int(main), "time_increment": int(increment)}:
            return f"{main}+{increment}"
        case "canadian", {"main_time": int(main), "period_time": int(period), "stones_per_period": int(stones)}:
            return f"{main}+{stones}/{period} Canadian"
        case "simple", {"per_move": int(each)}:
            return f"0+{each}/1"
        case "absolute", {"total_time": int(main)}:
            return str(main)
        case "none", _:
            return "-"
    return ""


def _read_speed(control: object) -> str:
    return _SPEEDS.get(str(control.get("speed")), "") if isinstance(control, dict) else ""


def _read_date(start: object) -> str:
    if isinstance(start, bool) or not isinstance(start, int) or not 0 < start < 1 << 35:
        return ""
    return datetime.fromtimestamp(start, UTC).date().isoformat()


def _write_player(player: Player) -> dict[str, Any]:
    return {"username": player.name or "", "rank": player.rating}
