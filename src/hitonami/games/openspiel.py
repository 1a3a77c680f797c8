"""Any game of OpenSpiel for two players who see everything and take turns: `openspiel:NAME`, `openspiel:NAME(size=5)`.

The library is an extra, `pip install "hitonami[openspiel]"`, and imported when one of its games is played. Move ids are
OpenSpiel's actions; positions are the actions so far as numbers, with what chance did among them. Dice fall by a seed,
`Setup(rules="seed-7")`, 0 where none is named, and by how far the game has come: so a game can be played again, and a
mind that looks ahead sees the dice that will fall. Games without turns, with hidden cards or of other numbers of
players are refused.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from hitonami.core import Claims, Diagram, Moves, Setup, Square, index_of, last_touched
from hitonami.customs import Customs
from hitonami.errors import BadMove, BadPosition, BadSetup, UnknownPart, alternatives, quote
from hitonami.games._boards import NO_MOVES, refuse_move, refuse_setup
from hitonami.games._openspiel_text import Grid, draw_grid, find_grid

_SPEC: Final = re.compile(r"([a-z0-9_]{1,40})(?:\(([^()]{0,200})\))?", re.ASCII)
_SEED: Final = re.compile(r"seed-([0-9]{1,9})", re.ASCII)
_LONGEST: Final = 10_000
_OFFERED: Final = {
    "tic_tac_toe": "Tic-tac-toe",
    "checkers": "Checkers",
    "lines_of_action": "Lines of Action",
    "clobber": "Clobber",
    "oware": "Oware",
    "y(board_size=9)": "Y",
    "pentago": "Pentago",
    "amazons(board_size=6)": "Amazons on 6×6",
    "nine_mens_morris": "Nine Men's Morris",
    "backgammon": "Backgammon",
}
_JAPANESE: Final = {
    "tic_tac_toe": "三目並べ",
    "checkers": "チェッカー",
    "lines_of_action": "ラインズ・オブ・アクション",
    "clobber": "クロバー",
    "oware": "オワリ",
    "pentago": "ペンタゴ",
    "amazons(board_size=6)": "アマゾン 6×6",
    "nine_mens_morris": "ナイン・メンズ・モリス",
    "backgammon": "バックギャモン",
}
_IN_WORDS: Final = ("oware", "y(board_size=9)", "pentago", "nine_mens_morris", "backgammon")
"""Those on offer that have no board here: OpenSpiel's own text is shown."""
_MIDDLES: Final = {"checkers": (".o.", "...", "..."), "clobber": ("xox", "oxo", "xox")}
_PLACE: Final = 200


class OpenspielPosition:
    """A state of OpenSpiel, with the one before it. The state is never changed."""

    __hash__ = None  # type: ignore[assignment]  # use `key`

    def __init__(
        self,
        game: "Openspiel",
        state: Any,
        setup: Setup,
        before: "OpenspielPosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        self.game: Final = game
        self.state: Final = state
        self.setup: Final = setup
        self.before: Final = before
        self.last_move: Final = last_move
        self.ply: Final[int] = 0 if before is None else before.ply + 1
        self.over: Final[bool] = state.is_terminal()
        self.to_move: Final[int] = 1 - _last_player(state) if self.over else state.current_player()

    @cached_property
    def legal(self) -> Moves:
        return NO_MOVES if self.over else np.array(self.state.legal_actions(), np.int32)

    @property
    def score(self) -> float | None:
        if not self.over:
            return None
        first, second = self.state.returns()
        return (1 + (first > second) - (first < second)) / 2

    @property
    def ending(self) -> str | None:
        return None if not self.over else "draw" if self.score == 0.5 else "win"

    @cached_property
    def key(self) -> tuple[str, int]:
        return str(self.state), self.to_move

    @cached_property
    def texts(self) -> dict[str, int]:
        """Legal moves by how OpenSpiel writes them, without spaces; with the number where two are written alike."""
        plain = {int(move): self.game.write_action(self.state, int(move)) for move in self.legal}
        written = list(plain.values())
        return {text if written.count(text) == 1 else f"{text}#{move}": move for move, text in plain.items()}

    @cached_property
    def grid(self) -> Grid | None:
        return find_grid(str(self.state))

    def play(self, move: int) -> "OpenspielPosition":
        move = int(move)
        if not (self.legal == move).any():
            refuse_move(self, move)
        return self.follow(move)

    def follow(self, move: int) -> "OpenspielPosition":
        state = self.state.clone()
        state.apply_action(int(move))
        return OpenspielPosition(self.game, self.game.roll(state, self.setup), self.setup, self, int(move))


class Openspiel:
    """One game of OpenSpiel. Raises UnknownPart for a name that it does not have, or that is no game for two."""

    sides = ("First", "Second")
    offered = tuple(_OFFERED) if find_spec("pyspiel") is not None else ()

    def __init__(self, spec: str) -> None:
        self.spec: Final = spec.replace(" ", "")
        self.name: Final = f"openspiel:{self.spec}"
        title = _OFFERED.get(self.spec, self.spec.partition("(")[0].replace("_", " ").capitalize())
        words = {"First": "先手", "Second": "後手", **({title: _JAPANESE[self.spec]} if self.spec in _JAPANESE else {})}
        self.customs: Final = Customs(
            title=title,
            place=_PLACE,
            japanese=words,
            diagram_style="text" if self.spec in _IN_WORDS else "grid",
            middle=_MIDDLES.get(self.spec, ()),
        )
        if self.spec not in _OFFERED:
            assert self.rules is not None  # a name that is not known to be right is tried at once

    @cached_property
    def rules(self) -> Any:
        """The game as OpenSpiel has it; loaded at its first use, because the library takes a second."""
        library = _load_library()
        found = _SPEC.fullmatch(self.spec)
        known = list_names()
        if found is None or found[1] not in known:
            raise UnknownPart(
                f"OpenSpiel has no such game for two: {quote(self.spec)}; {alternatives(self.spec, known)}"
            )
        given = _read_parameters(found[2] or "", found[1])
        try:
            game = library.load_game(found[1], given)
            assert str(game.new_initial_state()) is not None  # a size that is none is found here, not at a move
        except (library.SpielError, ValueError, MemoryError) as wrong:
            reason = (str(wrong).strip() or "no such size").splitlines()[-1]
            raise UnknownPart(f"OpenSpiel refuses {quote(self.spec)}: {reason}") from None
        if game.num_players() != 2:
            raise UnknownPart(f"{quote(self.spec)} is a game for {game.num_players()}, not for two")
        return game

    @staticmethod
    def names() -> list[str]:
        """Every name that may follow the colon; none where the library is not installed."""
        return list_names() if find_spec("pyspiel") is not None else []

    @property
    def examples(self) -> Sequence[Setup]:
        return (Setup(), Setup(rules="seed-7")) if self._has_chance else (Setup(),)

    @property
    def _has_chance(self) -> bool:
        return bool(self.rules.get_type().chance_mode != _load_library().GameType.ChanceMode.DETERMINISTIC)

    def start(self, setup: Setup = Setup()) -> OpenspielPosition:  # noqa: B008  (frozen)
        refuse_setup(setup, self.name, ("rules",) if self._has_chance else ())
        if setup.rules and _SEED.fullmatch(setup.rules) is None:
            raise BadSetup(f"unknown rules {quote(setup.rules)}; known: seed-NUMBER, by which dice fall")
        state = self.rules.new_initial_state()
        text = setup.start.strip()
        for word in text.split() if text != "startpos" else ():
            if state.is_terminal() or not (word.isascii() and word.isdigit() and len(word) < 10):
                raise BadPosition(f"not the numbers of actions of {self.name}: {quote(text)}")
            if int(word) not in state.legal_actions() or len(text) > _LONGEST:
                raise BadPosition(f"action {word} is not legal there: {quote(text)}")
            state.apply_action(int(word))
        return OpenspielPosition(self, self.roll(state, setup), setup)

    def roll(self, state: Any, setup: Setup) -> Any:
        """The state after chance has had its turns, by the seed and by how far the game has come."""
        seed = int(setup.rules.removeprefix("seed-") or 0)
        while not state.is_terminal() and state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            rng = np.random.default_rng([seed, len(state.history())])
            state.apply_action(int(rng.choice(outcomes, p=np.array(chances) / sum(chances))))
        return state

    def read(self, text: str) -> OpenspielPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: OpenspielPosition) -> str:
        return " ".join(str(action) for action in position.state.history()) or "startpos"

    def write_action(self, state: Any, action: int) -> str:
        return "-".join(state.action_to_string(state.current_player(), action).split())

    def format(self, position: OpenspielPosition, move: int) -> str:
        index_of(position, move)
        return next(text for text, known in position.texts.items() if known == move)

    def parse(self, position: OpenspielPosition, text: str) -> int:
        """A move as OpenSpiel writes it, with - for spaces."""
        plain = "-".join(text.split())
        if plain not in position.texts:
            raise BadMove(f"not a legal move: {quote(text)}; {alternatives(plain, list(position.texts)[:200])}")
        return position.texts[plain]

    def describe(self, position: OpenspielPosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: OpenspielPosition) -> Claims:
        return Claims()

    def diagram(self, position: OpenspielPosition) -> Diagram:
        """The board, where OpenSpiel prints one on which every move can be shown, else what it prints."""
        if position.grid is None or not self._has_board:
            return Diagram(rows=(), columns=(), ranks=(), text=str(position.state))
        return draw_grid(position.grid, self._signs, frozenset(last_touched(position)))

    def touches(self, position: OpenspielPosition, move: int) -> tuple[Square, ...]:
        if position.grid is None or not self._has_board:
            return ()
        text = self.write_action(position.state, move)
        return position.grid.squares_of(text, move, self.rules.num_distinct_actions())

    @cached_property
    def _has_board(self) -> bool:
        """Whether the moves of the start can be shown on a board."""
        start = self.start()
        count = self.rules.num_distinct_actions()
        return start.grid is not None and all(
            start.grid.squares_of(self.write_action(start.state, int(move)), int(move), count) for move in start.legal
        )

    @cached_property
    def _signs(self) -> dict[str, int]:
        """Whose the signs are: what moves first in the start is the first player's, x where it is empty."""
        start = self.start()
        assert start.grid is not None
        squares = [self.touches(start, int(move))[0] for move in start.legal]
        own = {start.grid.rows[row][column] for row, column in squares} - set(".-_ ")
        if not own:
            return {"x": 0, "X": 0, "o": 1, "O": 1}
        other = set("".join(start.grid.rows)) - own - set(".-_ ")
        return dict.fromkeys(own, start.to_move) | dict.fromkeys(other, 1 - start.to_move)


def _last_player(state: Any) -> int:
    return next((each.player for each in reversed(state.full_history()) if each.player in (0, 1)), 1)


def _load_library() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise UnknownPart('games of OpenSpiel need its library: pip install "hitonami[openspiel]"') from None
    return pyspiel


def list_names() -> list[str]:
    """Every game of OpenSpiel that can be played here."""
    library = _load_library()
    kinds = library.GameType
    return sorted(
        each.short_name
        for each in library.registered_games()
        if each.min_num_players <= 2 <= each.max_num_players
        and each.information == kinds.Information.PERFECT_INFORMATION
        and each.dynamics == kinds.Dynamics.SEQUENTIAL
        and each.chance_mode != kinds.ChanceMode.SAMPLED_STOCHASTIC
        and each.default_loadable
    )


def _read_parameters(text: str, name: str) -> dict[str, Any]:
    """Parameters with the types that the game's own have. Raises UnknownPart."""
    types = next(each for each in _load_library().registered_games() if each.short_name == name).parameter_specification
    given: dict[str, Any] = {"ansi_color_output": False} if "ansi_color_output" in types else {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key not in types:
            raise UnknownPart(f"openspiel:{name} has no parameter {quote(key)}; {alternatives(key, types)}")
        kind = type(types[key])
        try:
            given[key] = {"true": True, "false": False}[value.lower()] if kind is bool else kind(value)
        except (KeyError, ValueError, TypeError):
            raise UnknownPart(f"openspiel:{name}: {quote(value)} is no {kind.__name__} for {key}") from None
    return given
