"""Filters: named rules over games and moves, joined by commas into one filter.

    >>> chosen = parse_filter("maia-like, pool:lichess")
    >>> chosen.text
    'human,plies:10,no-bullet,clock:30,rated-both,gap:200,no-handicap,size:19,pool:lichess'

A rule either drops whole games or single moves. `explain_rules` lists them all; docs and `--help` are made
from it. A rule about something that a record does not say keeps the move: unknown clocks are not low clocks.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitonami.customs import customs_of
from hitonami.dataset.names import is_same_person
from hitonami.dataset.shards import clocks_before, movers_of
from hitonami.errors import BadInput, alternatives, quote
from hitonami.ranks import read_rating
from hitonami.records import Record

Mask = NDArray[np.bool_]
GameRule = Callable[[Record, str], bool]
MoveRule = Callable[[Record, str], Mask]

PRESETS = {
    "none": "",
    "maia-like": "human,plies:10,no-bullet,clock:30,rated-both,gap:200,no-handicap,size:19",
    "results": "finished,no-bots,no-bullet,no-handicap",
    "paper-chess": "no-bullet,plies:10,clock:30,same-band:100",
    "paper-shogi": "no-time-loss,gap:50,plies:50",
    "paper-go": "no-handicap,same-rank",
}


@dataclass(frozen=True)
class Rule:
    """One named rule. `argument` is how its argument is written: "", "N", "R-R" or "NAME"."""

    name: str
    argument: str
    meaning: str
    keeps_game: GameRule | None = None
    keeps_moves: MoveRule | None = None

    @property
    def usage(self) -> str:
        return f"{self.name}:{self.argument}" if self.argument else self.name


_RULES: dict[str, Rule] = {}


def _game_rule(name: str, meaning: str, argument: str = "") -> Callable[[GameRule], GameRule]:
    def register(test: GameRule) -> GameRule:
        _RULES[name] = Rule(name, argument, meaning, keeps_game=test)
        return test

    return register


def _move_rule(name: str, meaning: str, argument: str = "") -> Callable[[MoveRule], MoveRule]:
    def register(test: MoveRule) -> MoveRule:
        _RULES[name] = Rule(name, argument, meaning, keeps_moves=test)
        return test

    return register


@dataclass(frozen=True)
class Filter:
    """Some rules, each with its argument."""

    rules: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        return ",".join(f"{name}:{argument}" if argument else name for name, argument in self.rules)

    @property
    def reads_names(self) -> bool:
        """Whether it asks who plays: only then are names kept while games are read."""
        return any(name == "player" for name, _ in self.rules)

    def with_size(self, size: int | None) -> "Filter":
        """The same for boards of another size; None leaves it as it is."""
        if size is None:
            return self
        return Filter((*(rule for rule in self.rules if rule[0] != "size"), ("size", str(size))))

    def keeps_game(self, record: Record) -> bool:
        return self.reason_against(record) is None

    def reason_against(self, record: Record) -> str | None:
        """The first rule that drops the whole game, or None."""
        for name, argument in self.rules:
            test = _RULES[name].keeps_game
            if test is not None and not test(record, argument):
                return name
        return None

    def keeps_moves(self, record: Record) -> Mask:
        """[moves] which moves stay; none where the game is dropped."""
        keep = np.full(len(record.moves), self.keeps_game(record))
        for name, argument in self.rules:
            test = _RULES[name].keeps_moves
            if test is not None and keep.any():
                keep &= test(record, argument)
        return keep


def parse_filter(text: str) -> Filter:
    """Read a filter: rule names and presets, `name` or `name:argument`, joined by commas."""
    rules: list[tuple[str, str]] = []
    for word in (piece.strip() for piece in text.split(",")):
        if not word:
            continue
        name, _, argument = word.partition(":")
        if name in PRESETS:
            rules += parse_filter(PRESETS[name]).rules
            continue
        _check_rule(name, argument, word)
        rules.append((name, argument))
    return Filter(tuple(dict.fromkeys(rules)))


def _check_rule(name: str, argument: str, word: str) -> None:
    if name not in _RULES:
        raise BadInput(f"there is no filter rule {quote(name)}; {alternatives(name, [*_RULES, *PRESETS])}")
    rule = _RULES[name]
    if bool(rule.argument) != bool(argument):
        raise BadInput(f"filter rule {quote(word)}: written as {rule.usage}")
    if rule.argument in ("N", "R-R"):
        for number in argument.split("-"):
            try:
                float(number) if rule.argument == "N" else read_rating(number)
            except ValueError:
                other = "" if rule.argument == "N" else ", and not a rank such as 3k or 2d"
                raise BadInput(f"filter rule {quote(word)}: {quote(number)} is not a number{other}") from None


def explain_rules() -> dict[str, str]:
    """Every rule, as it is written, and every preset, with its meaning."""
    rules = {rule.usage: rule.meaning for rule in _RULES.values()}
    return rules | {name: f"the same as {text or 'no rule at all'}" for name, text in PRESETS.items()}


def _ratings(record: Record) -> tuple[float, float] | None:
    first, second = record.players[0].rating, record.players[1].rating
    return None if first is None or second is None else (first, second)


@_game_rule("no-bullet", "no bullet or faster, where the record says")
def _no_bullet(record: Record, _: str) -> bool:
    return record.speed not in ("bullet", "ultrabullet")


@_game_rule("speed", "only games of this speed", "NAME")
def _speed(record: Record, wanted: str) -> bool:
    return record.speed == wanted


@_game_rule("rated-both", "both ratings are known")
def _rated_both(record: Record, _: str) -> bool:
    return _ratings(record) is not None or not customs_of(record.game).ratings_known  # without ranks, all games stay


@_game_rule("gap", "ratings differ by at most N, where both are known", "N")
def _gap(record: Record, most: str) -> bool:
    ratings = _ratings(record)
    return ratings is None or abs(ratings[0] - ratings[1]) <= float(most)


@_game_rule("same-band", "both ratings in the same band of width N", "N")
def _same_band(record: Record, width: str) -> bool:
    ratings = _ratings(record)
    return ratings is not None and ratings[0] // float(width) == ratings[1] // float(width)


@_game_rule("same-rank", "both players of the same rank (rounded)")
def _same_rank(record: Record, _: str) -> bool:
    ratings = _ratings(record)
    return ratings is not None and round(ratings[0]) == round(ratings[1])


@_game_rule("rating", "both ratings (or ranks, such as 5k-2d) within the range", "R-R")
def _rating(record: Record, span: str) -> bool:
    ratings = _ratings(record)
    low, _, high = span.partition("-")
    return ratings is not None and all(read_rating(low) <= rating <= read_rating(high or low) for rating in ratings)


@_game_rule("no-time-loss", "the game was not lost on time")
def _no_time_loss(record: Record, _: str) -> bool:
    return record.termination != "time"


@_game_rule("no-handicap", "even games only, from the standard start")
def _no_handicap(record: Record, _: str) -> bool:
    setup = record.setup
    return setup.handicap == 0 and not setup.start and setup.variant in ("", "standard", "even")


@_game_rule("size", "only boards of this size, where the game has several", "N")
def _size(record: Record, wanted: str) -> bool:
    customs = customs_of(record.game)
    return not customs.sizes or (record.setup.size or customs.usual_size) == float(wanted)


@_game_rule("no-provisional", "neither rating is provisional")
def _no_provisional(record: Record, _: str) -> bool:
    return not any(mark.startswith("provisional") for mark in record.marks)


@_game_rule("no-casual", "rated games only")
def _no_casual(record: Record, _: str) -> bool:
    return "casual" not in record.marks


@_game_rule("pool", "both players belong to this pool", "NAME")
def _pool(record: Record, wanted: str) -> bool:
    return all(player.pool == wanted for player in record.players)


@_game_rule("no-bots", "neither player is a bot or assisted by an engine, where the record says")
def _no_bots(record: Record, _: str) -> bool:
    return all(_play_alone(record))


def _play_alone(record: Record) -> list[bool]:
    """Of each side, whether a person without help plays it."""
    return [
        player.kind != "bot" and f"assisted-{side}" not in record.marks for side, player in enumerate(record.players)
    ]


@_game_rule("finished", "the record says who won")
def _finished(record: Record, _: str) -> bool:
    return record.score is not None


@_game_rule("clocked", "the record tells what time the moves took, or what was left")
def _clocked(record: Record, _: str) -> bool:
    return bool(record.clocks or record.think_seconds)


@_move_rule("plies", "leaves out the first N plies", "N")
def _plies(record: Record, first: str) -> Mask:
    return np.arange(len(record.moves)) >= float(first)


@_move_rule("clock", "leaves out moves made with less than N seconds left", "N")
def _clock(record: Record, least: str) -> Mask:
    return clocks_before(record) >= float(least)


@_move_rule("human", "leaves out moves of bots and engine-assisted players")
def _human(record: Record, _: str) -> Mask:
    return np.array(_play_alone(record))[movers_of(record)]


@_move_rule("known-rating", "leaves out moves of players without a rating")
def _known_rating(record: Record, _: str) -> Mask:
    return np.array([player.rating is not None for player in record.players])[movers_of(record)]


@_move_rule("player", "only the moves of this person, by the name in the records", "NAME")
def _player(record: Record, handle: str) -> Mask:
    return np.array([is_same_person(player, handle) for player in record.players])[movers_of(record)]
