"""Real engines of other games than chess, shogi and Go: Fairy-Stockfish by its variants, GRhino for Othello."""

from collections.abc import Callable

import numpy as np
import pytest

from hitonami.core import Effort, Position, Query, Setup, open_game
from hitonami.customs import customs_of, games_offered
from hitonami.dist import expected_score
from hitonami.doctor import examine
from hitonami.engines.fairy import FairyWording
from hitonami.engines.uci import UCI, describe_position
from hitonami.errors import BadInput
from hitonami.minds import default_mind, known_engine
from hitonami.parts import find_parts, load_part
from hitonami.specs import open_mind

Need = Callable[[str], str]
FAIRY = "fairy-stockfish"
_EFFORT = Effort.seeded()


def best_of(position: Position, mind: str) -> str:
    with open_mind(mind) as opened:
        opinion = opened([Query(position)], _EFFORT)[0]
    return position.game.format(position, int(position.legal[int(np.argmax(opinion.log_probs))]))


@pytest.mark.parametrize(
    ("game", "setup"),
    [
        ("xiangqi", Setup()),
        ("breakthrough", Setup()),
        ("breakthrough", Setup(size=6)),
        ("breakthrough", Setup(size=10)),
        ("heian", Setup()),
        ("heian", Setup(variant="9x8")),
        ("heian", Setup(variant="8x8 second")),
        ("variant:makruk", Setup()),
    ],
)
def test_fairy_stockfish_plays_on_by_our_rules(need_program: Need, game: str, setup: Setup) -> None:
    need_program(FAIRY)
    position, rng = open_game(game).start(setup), np.random.default_rng(3)
    with open_mind({"kind": "fairy", "nodes": 200, "multipv": 3}) as mind:
        for ply in range(24):
            if not len(position.legal):
                break
            opinion = mind([Query(position)], _EFFORT)[0]
            assert opinion.wdl is not None
            best = int(position.legal[int(np.argmax(opinion.log_probs))])
            position = position.play(best if ply % 2 else int(rng.choice(position.legal)))
    assert position.ply == 24 or position.score is not None


@pytest.mark.parametrize(
    ("game", "start", "best"),
    [
        ("xiangqi", "4k4/9/9/9/9/9/9/9/R8/R3K4 w - - 0 1", None),
        ("breakthrough", "8/w5b1/8/8/8/8/1b6/8 w", "a7a8"),
        ("heian", "4k4/9/3GSG3/9/9/9/9/p8/4K4 b - 1", None),
    ],
)
def test_it_sees_what_wins(need_program: Need, game: str, start: str, best: str | None) -> None:
    need_program(FAIRY)
    position = open_game(game).start(Setup(start=start))
    with open_mind({"kind": "fairy", "nodes": 3000}) as mind:
        opinion = mind([Query(position)], _EFFORT)[0]
    assert expected_score(opinion.wdl) > 0.7  # type: ignore[arg-type]
    if best is not None:
        assert best_of(position, f"fairy:{FAIRY}") == best


def test_one_engine_goes_from_game_to_game(need_program: Need) -> None:
    need_program(FAIRY)
    games = ["xiangqi", "heian", "breakthrough", "xiangqi"]
    with open_mind({"kind": "fairy", "nodes": 100}) as mind:
        opinions = mind([Query(open_game(game).start()) for game in games], _EFFORT)
    assert (opinions[0].log_probs == opinions[3].log_probs).all()


def test_rules_that_the_build_does_not_know_are_refused_not_played(need_program: Need) -> None:
    need_program(FAIRY)
    for game, setup, told in (
        ("breakthrough", Setup(size=12), "other rules"),
        ("heian", Setup(variant="elephant"), "other rules"),
        ("chess", Setup(), "plays breakthrough, heian, variant, xiangqi, not chess"),
    ):
        position = open_game(game).start(setup)
        with pytest.raises(BadInput, match=told), open_mind("fairy") as mind:
            mind([Query(position)], _EFFORT)


def test_a_record_is_told_in_their_words() -> None:
    heian = open_game("heian")
    position = heian.start().play(heian.parse(heian.start(), "7g7f"))
    told = "position fen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL[] w 0 1 moves c3c4"
    assert describe_position(position, UCI, FairyWording()) == told


def test_grhino_plays_othello_to_the_end_with_its_passes(need_program: Need) -> None:
    need_program("gtp-rhino")
    othello = open_game("othello")
    passed = 0
    with open_mind("gtp:gtp-rhino") as mind:
        for seed in range(3):
            position, rng = othello.start(), np.random.default_rng(seed)
            while len(position.legal):
                opinion = mind([Query(position)], _EFFORT)[0]
                passed += position.legal.tolist() == [64]
                best = int(position.legal[int(np.argmax(opinion.log_probs))])
                position = position.play(best if position.to_move == 0 else int(rng.choice(position.legal)))
            assert position.score == 1.0, "it wins against random moves"
    assert passed


def test_engines_of_gtp_refuse_what_they_cannot(need_program: Need) -> None:
    need_program("gtp-rhino")
    othello = open_game("othello")
    with pytest.raises(BadInput, match="usual start only"), open_mind("gtp:gtp-rhino") as mind:
        mind([Query(othello.start(Setup(start="8/8/8/3ox3/3xo3/8/8/8 o")))], _EFFORT)
    need_program("gnugo")
    with pytest.raises(BadInput, match="does not play othello"), open_mind("gtp:gnugo --mode gtp") as mind:
        mind([Query(othello.start())], _EFFORT)


def test_the_doctor_tries_every_engine_that_a_game_knows(need_program: Need) -> None:
    for program in (FAIRY, "gtp-rhino"):
        need_program(program)
    wanted = {f"{engine} for {game}" for game in games_offered() if (engine := known_engine(game))}
    assert {"gtp:gtp-rhino for othello", "fairy:fairy-stockfish for heian"} <= wanted
    found = {each.what: each.state for each in examine() if " for " in each.what and ":" in each.what}
    assert {name: found[name] for name in wanted} == dict.fromkeys(wanted, "works")


def test_what_nobody_has_asked_the_engine_about_is_no_default(need_program: Need) -> None:
    need_program(FAIRY)
    assert default_mind("xiangqi") == "fairy:fairy-stockfish"
    assert default_mind("variant:flipello") == "playout"


def test_every_known_engine_is_of_a_mind_that_is_here() -> None:
    for game in games_offered():
        if engine := customs_of(game).engine:
            assert load_part("minds", engine.mind.partition(":")[0])
    assert "fairy" in find_parts("minds")
