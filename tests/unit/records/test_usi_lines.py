"""Lines of USI: what is a game, what is not."""

import pytest

from hitonami.core import Setup
from hitonami.records import Document, Record, Rejected
from hitonami.records.usi_lines import UsiLines, read_usi

LINES = UsiLines()


def read(text: str) -> Record | Rejected:
    (found,) = LINES.read(Document("test", 0, text.encode()))
    return found


def test_every_usi_move_has_its_id() -> None:
    assert read_usi("7g7f") == 59 | 60 << 7
    assert read_usi("8h2b+") == 10 | 70 << 7 | 1 << 14
    assert read_usi("P*5e") == 40 | 81 << 7
    assert read_usi("G*5e") == 40 | 87 << 7
    for wrong in ("", "7g", "7g7f-", "7g7j", "0g7f", "K*5e", "P*5e+", "7g7f++", "pass"):
        assert read_usi(wrong) == -1


@pytest.mark.parametrize(
    ("text", "setup", "moves"),
    [
        ("startpos moves 7g7f 3c3d", Setup(), 2),
        ("position startpos moves 7g7f", Setup(), 1),
        ("sfen lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3a4b", Setup(variant="bishop"), 1),
    ],
)
def test_lines(text: str, setup: Setup, moves: int) -> None:
    found = read(text)
    assert isinstance(found, Record)
    assert (found.setup, len(found.moves), found.marks) == (setup, moves, frozenset({"prefix"}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("startpos", "no moves"),
        ("startpos 7g7f", "not a line of USI"),
        ("hello", "not a line of USI"),
        ("startpos moves 7g7f 7g7e", "illegal move"),
        ("startpos moves 7g7f hello", "not a move"),
        ("sfen 9/9 b - 1 moves 7g7f", "not a shogi position"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    found = read(text)
    assert isinstance(found, Rejected)
    assert found.reason == reason


def test_comments_and_blank_lines_are_passed_over() -> None:
    data = b"# openings\n\nstartpos moves 7g7f\r\nstartpos moves 2g2f\n"
    found = list(LINES.read(Document("test", 5, data)))
    assert [each.offset for each in found] == [17, 38]
    assert [isinstance(each, Record) for each in found] == [True, True]
