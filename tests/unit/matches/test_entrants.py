"""Players as they are written on the command line."""

import pytest

from hitonami.errors import BadInput, BadSpec, UnknownPart
from hitonami.matches.entrants import read_entrant, read_entrants, uses_engine
from hitonami.specs import mind_spec


def test_engines_play_their_best_and_others_draw() -> None:
    assert read_entrant("uci:stockfish@").draw == "best"
    assert read_entrant("uci:stockfish@2000,sample").draw == "sample"
    assert read_entrant("uniform").draw == "sample"
    assert read_entrant("uniform@1500.5,best").rating == 1500.5
    assert read_entrant("gtp:gnugo --mode gtp@").mind.fields == (("command", "gnugo --mode gtp"),)


def test_ranks_are_ratings_where_the_game_has_them() -> None:
    assert read_entrant("human@3k", game="go").rating == 27
    with pytest.raises(BadInput, match="chess has ratings"):
        read_entrant("human@3k", game="chess")


def test_an_engine_inside_is_found() -> None:
    assert uses_engine(mind_spec({"kind": "floor", "mind": {"kind": "temper", "rho": 2, "mind": "uci:stockfish"}}))
    assert uses_engine(mind_spec({"kind": "by-rating", "minds": [[1000, "uniform"], [2000, "uci:stockfish"]]}))
    assert not uses_engine(mind_spec({"kind": "floor", "mind": "uniform"}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uniform@strong", "'strong' is no rating"),
        ("uniform@nan", "no rating"),
        ("uniform@1500,luck", ",best or ,sample"),
        ("uniform@1500,rho=0", "rho is a number above 0"),
        ("uniform@1500,rho=much", "rho is a number above 0"),
    ],
)
def test_bad_players_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_entrant(text)


def test_unknown_minds_are_refused() -> None:
    with pytest.raises((BadSpec, UnknownPart), match="unifrom"):
        read_entrant("unifrom@1500")


def test_players_are_two_or_more_and_differ() -> None:
    with pytest.raises(BadInput, match="at least two"):
        read_entrants(("uniform",))
    with pytest.raises(BadInput, match="'uniform' is named twice"):
        read_entrants(("uniform", "uniform@1", "uniform"))
