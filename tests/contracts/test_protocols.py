"""What every protocol promises: it introduces itself, ends on `quit` and at the end of input, and survives anything."""

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import open_game
from hitonami.customs import customs_of, games_offered
from hitonami.errors import BadInput
from hitonami.parts import find_parts, load_part
from hitonami.protocols import protocol_of

_HANDSHAKES = {
    "uci": ("uci", "uciok"),
    "usi": ("usi", "usiok"),
    "gtp": ("protocol_version", "= 2"),
    "plain": ("protocol_version", "= 1"),
}
every_protocol = pytest.mark.parametrize("name", sorted(find_parts("protocols")))


def _own(name: str) -> dict[str, str]:
    """What only this protocol has to be told."""
    return {"game": "chess"} if name == "plain" else {}


def _open(name: str, **options: Any) -> tuple[Any, list[str]]:
    said: list[str] = []
    return load_part("protocols", name)(said.append, mind="uniform", **_own(name), **options), said


@pytest.mark.parametrize("game", games_offered())
def test_every_game_is_spoken_of_in_its_customary_protocol(game: str) -> None:
    session = protocol_of(game)(lambda _: None, mind="uniform")
    assert session.game == open_game(game).name
    assert isinstance(session, load_part("protocols", customs_of(game).protocol))
    session.close()


@every_protocol
def test_it_introduces_itself(name: str) -> None:
    session, said = _open(name)
    question, answer = _HANDSHAKES[name]
    session.receive(question)
    session.wait()
    session.close()
    assert answer in said


@every_protocol
def test_quit_finishes_it_and_nothing_is_heard_after(name: str) -> None:
    session, said = _open(name)
    session.receive("quit")
    assert session.finished
    session.close()
    before = list(said)
    session.receive(_HANDSHAKES[name][0])
    session.receive("quit")
    assert said == before


@every_protocol
def test_closing_ends_its_threads_and_may_be_repeated(name: str) -> None:
    session, _ = _open(name)
    for line in ("isready", "go infinite", "genmove b", "genmove w"):
        session.receive(line)
    assert session.close()
    assert session.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "hitonami-thinking"]


@every_protocol
@settings(max_examples=60)
@given(lines=st.lists(st.text(max_size=40), max_size=5))
def test_no_text_makes_it_raise(name: str, lines: list[str]) -> None:
    session, said = _open(name)
    for line in lines:
        session.receive(line)
    question, answer = _HANDSHAKES[name]
    finished = session.finished
    session.receive(question)
    session.close()
    assert finished or answer in said


@every_protocol
def test_every_line_it_says_is_one_line_of_ascii(name: str) -> None:
    session, said = _open(name)
    for line in (
        "position fen ★",
        "setoption name Mind value 人並み",
        "go",
        "人並み",
        "stop",
        "loadsgf ★",
        "showboard",
    ):
        session.receive(line)
    session.close()
    assert said
    assert all(line.isascii() and "\n" not in line for line in said)


@every_protocol
@pytest.mark.parametrize("options", [{"rating": 1e9}, {"rating": float("nan")}, {"seed": -5}, {"seed": 2**40}])
def test_it_refuses_options_out_of_range(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        _open(name, **options)


@every_protocol
def test_it_refuses_an_unknown_mind(name: str) -> None:
    with pytest.raises(BadInput, match="unifrm"):
        load_part("protocols", name)(print, mind="unifrm", **_own(name))


@every_protocol
def test_a_reader_that_goes_away_ends_it(name: str) -> None:
    def broken(line: str) -> None:
        raise BrokenPipeError

    session = load_part("protocols", name)(broken, mind="uniform", **_own(name))
    session.receive(_HANDSHAKES[name][0])
    session.wait()
    assert session.finished
    assert session.close()
