"""PGN tags: ratings, pools, speeds, endings, dates and names."""

from collections.abc import Callable

import pytest

from hitonami.core import Player
from hitonami.records import Record, Rejected
from hitonami.records import _pgn_tags as tags

ReadPgn = Callable[[bytes], list[Record | Rejected]]
ReadGame = Callable[[str], Record]


@pytest.mark.parametrize(
    ("text", "rating", "provisional"),
    [("1500", 1500.0, False), ("1500?", 1500.0, True), ("887P", 887.0, True), ("1512.5", 1512.5, False)]
    + [(nothing, None, False) for nothing in ("", "?", "-", "0", "unr", "12345", "٣٤٥")],
)
def test_ratings(text: str, rating: float | None, provisional: bool, read_game: ReadGame) -> None:
    found = read_game(f'[WhiteElo "{text}"]\n\n1. e4 *')
    assert found.players[0].rating == rating
    assert ("provisional-0" in found.marks) == provisional


@pytest.mark.parametrize(
    ("change", "ratings", "score", "loose"),
    [
        ("-171", (1500, 1510), 0.0, True),
        ("-20", (1452, 1227), 0.0, False),  # an upset costs as much
        ("+24", (1500, 1500), 1.0, False),
        ("+60", (1500, 1500), 1.0, True),
        ("+60", (1500, 1900), 1.0, False),
        ("+10", (1500, 1000), 1.0, False),  # too little to tell
        ("nonsense", (1500, 1500), 1.0, False),
        ("-60", (1500, 1500), 1.0, False),  # a refund, not a result
    ],
)
def test_lichess_ratings_that_jump_are_provisional(
    change: str, ratings: tuple[int, int], score: float, loose: bool, read_game: ReadGame
) -> None:
    result = {1.0: "1-0", 0.0: "0-1"}[score]
    said = f'[WhiteElo "{ratings[0]}"]\n[BlackElo "{ratings[1]}"]\n[WhiteRatingDiff "{change}"]'
    found = read_game(f'[Site "https://lichess.org/a"]\n{said}\n\n1. e4 {result}')
    assert found.marks == ({"provisional-0"} if loose else set())


@pytest.mark.parametrize(
    ("time_control", "speed"),
    [
        ("15+0", "ultrabullet"),
        ("29", "ultrabullet"),
        ("30+0", "bullet"),
        ("60+2", "bullet"),
        ("0+1", "bullet"),
        ("180+0", "blitz"),
        ("300+4", "blitz"),
        ("300+5", "rapid"),
        ("480+0", "rapid"),
        ("1499", "rapid"),
        ("1500", "classical"),
        ("40/7200:20/3600:900+30", "classical"),
        ("20/120", "blitz"),
        ("*180", "blitz"),
        ("-", "correspondence"),
        ("1/86400", "correspondence"),
        ("?", ""),
        ("", ""),
        ("five minutes", ""),
    ],
)
def test_speeds_are_lichess_s(time_control: str, speed: str) -> None:
    assert tags.read_time_control(time_control.encode())[1] == speed


@pytest.mark.parametrize(
    ("said", "speed"),
    [
        ("Rated Bullet game", "bullet"),
        ("World Rapid & Blitz", ""),
        ("Rapidly Open", ""),
        ("Hourly UltraBullet Arena", "ultrabullet"),
    ],
)
def test_events_name_speeds(said: str, speed: str, read_game: ReadGame) -> None:
    assert read_game(f'[Event "{said}"]\n\n1. e4 *').speed == speed


@pytest.mark.parametrize(
    ("said", "termination"),
    [
        ("Time forfeit", "time"),
        ("Rules infraction", "rules infraction"),
        ("checkmaster won by resignation", "resignation"),
        ("abandoned_hope won on time", "time"),
        ("x won - game abandoned", "abandoned"),
        ("Game drawn by agreement", "agreement"),
        ("Game drawn by timeout vs insufficient material", "time"),
        ("Game drawn by 50-move rule", "fifty-move rule"),
        ("Game drawn by repetition", "threefold repetition"),
        ("first did something", ""),
    ],
)
def test_terminations_have_no_names(said: str, termination: str, read_game: ReadGame) -> None:
    assert read_game(f'[Termination "{said}"]\n\n1. e4 1-0').termination == termination


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026.11.15", "2026-11-15"),
        ("2026.11.??", "2026-11"),
        ("2026.??.15", "2026"),
        ("2026", "2026"),
        ("????.??.??", ""),
        ("2026.13.45", "2026"),
        ("2026-01-02", "2026-01-02"),
        ("yesterday", ""),
    ],
)
def test_dates_are_iso(text: str, date: str) -> None:
    assert tags.read_date(text.encode()) == date


def test_fide_ids_go_before_the_site(read_game: ReadGame) -> None:
    text = '[Site "https://lichess.org/broadcast/x"]\n[WhiteElo "2700"]\n[WhiteFideId "1"]\n\n1. e4 *'
    assert [player.pool for player in read_game(text).players] == ["fide", "fide"]


def test_names_are_decoded_and_unescaped(read_pgn: ReadPgn) -> None:
    data = b'[White "M\xfcller \\"the \\\\ axe\\""]\n'
    data += b'[Black "An \xe2\x80\x9cunescaped\xe2\x80\x9d "quote" here"]\n\n1. e4 *'
    (found,) = read_pgn(data)
    assert isinstance(found, Record)
    assert [player.name for player in found.players] == ['Müller "the \\ axe"', 'An “unescaped” "quote" here']


def test_the_first_of_two_tags_counts(read_game: ReadGame) -> None:
    assert read_game('[White "one"]\n[White "two"]\n\n1. e4 *').players[0] == Player(name="one")
