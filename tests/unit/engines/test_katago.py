"""KataGo's analysis engine: a stand-in for every case, and the real one where HITONAMI_KATAGO has its command."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Effort, Player, Query, Setup, open_game
from hitonami.engines.katago import KatagoEngine
from hitonami.engines.process import ProgramSilent
from hitonami.errors import BadInput, EngineFailed
from hitonami.games.go import Go, GoPosition
from hitonami.minds.katago_human import Imitating, KatagoHuman
from hitonami.specs import mind_spec, open_mind

SCRIPT = Path(__file__).with_name("fake_katago.py")
GO = Go()
REAL = os.environ.get("HITONAMI_KATAGO", "")


@pytest.fixture
def fake() -> Callable[..., str]:
    return lambda perspective="BLACK", how="good": (
        f"'{sys.executable}' -I -S '{SCRIPT}' {perspective} {how}"  # -S: no site packages, it starts at once
    )


def position(setup: Setup = Setup(size=5), moves: str = "") -> GoPosition:  # noqa: B008
    here = GO.start(setup)
    for text in moves.split():
        here = here.play(GO.parse(here, text))
    return here


@pytest.mark.parametrize("perspective", ["BLACK", "WHITE", "SIDETOMOVE"])
@pytest.mark.parametrize("how", ["good", "inverted"])
def test_chances_are_of_the_side_to_move_whatever_is_reported(
    fake: Callable[..., str], perspective: str, how: str
) -> None:
    with KatagoEngine(fake(perspective, how)) as engine:
        black, white = engine.analyse([position(), position(moves="C3")], visits=9)
    assert black.win == pytest.approx(0.7)
    assert white.win == pytest.approx(0.3)
    assert black.lines[0].wdl == pytest.approx([0.7, 0.0, 0.3])
    assert white.lines[0].wdl == pytest.approx([0.3, 0.0, 0.7])


def test_answers_are_sorted_to_their_questions(fake: Callable[..., str]) -> None:
    boards = [position(), position(Setup(size=7), "A1 B2")]
    with KatagoEngine(fake(how="backwards")) as engine:
        small, large = engine.analyse(boards, visits=1)
    assert len(small.policy) == 26
    assert len(large.policy) == 50
    assert large.policy[GO.parse(boards[1].before or boards[1], "B2")] == 0.0


def test_lines_come_in_katagos_order_and_are_cut_where_ours_ends_them(fake: Callable[..., str]) -> None:
    here = position(moves="A5 C3")
    with KatagoEngine(fake()) as engine:
        [found] = engine.analyse([here], visits=9)
    assert [line.visits for line in found.lines] == [6, 2]
    assert [len(line.moves) for line in found.lines] == [1, 2]
    assert all(line.moves[0] in here.legal for line in found.lines)


def test_the_version_is_told_where_it_is_known(fake: Callable[..., str]) -> None:
    with KatagoEngine(fake()) as engine:
        assert engine.name == "KataGo 9.9"
    with KatagoEngine(fake(how="old")) as engine:
        assert engine.name == "KataGo"


@pytest.mark.parametrize(
    ("how", "said"), [("illegal", "A5"), ("no-policy", "no policy"), ("refuse", "Could not parse rules")]
)
def test_nonsense_is_refused_by_name(fake: Callable[..., str], how: str, said: str) -> None:
    with KatagoEngine(fake(how=how)) as engine, pytest.raises(EngineFailed, match=said):
        engine.analyse([position(moves="A5 C3")], visits=9)


def test_a_silent_engine_is_ended(fake: Callable[..., str]) -> None:
    with KatagoEngine(fake(how="hang"), timeout_seconds=0.2) as engine, pytest.raises(ProgramSilent, match=r"0\.2 s"):
        engine.analyse([position()], visits=1)


def test_the_network_alone_is_its_policy_and_a_search_its_visits(fake: Callable[..., str]) -> None:
    here = position(moves="C3")
    with open_mind({"kind": "katago", "command": fake(), "floor": 0.0}) as mind:
        [alone] = mind([Query(here)], Effort.seeded())
        [searched] = mind([Query(here)], Effort(np.random.default_rng(0), simulations=9))
        assert mind([], Effort.seeded()) == []
    assert np.exp(alone.log_probs) == pytest.approx(np.full(25, 1 / 25), abs=1e-6)
    assert not alone.lines
    shares = np.exp(searched.log_probs)
    assert shares[1] == pytest.approx(0.9 * 6 / 8 + 0.1 / 25, abs=1e-5)
    assert shares[2] == pytest.approx(0.9 * 2 / 8 + 0.1 / 25, abs=1e-5)
    assert shares.sum() == pytest.approx(1.0, abs=1e-5)
    assert searched.wdl == pytest.approx([0.3, 0.0, 0.7])


def test_a_mind_counts_its_lines_and_refuses_other_games(fake: Callable[..., str]) -> None:
    with open_mind({"kind": "katago", "command": fake(), "visits": 9, "lines": 1}) as mind:
        assert len(mind([Query(position())], Effort.seeded())[0].lines) == 1
        with pytest.raises(BadInput, match="not chess"):
            mind([Query(open_game("chess").start())], Effort.seeded())


@pytest.mark.parametrize("fields", [{"visits": 0}, {"prior": 1.5}, {"floor": -1.0}, {"lines": 0}])
def test_fields_out_of_range_are_refused(fake: Callable[..., str], fields: dict[str, float]) -> None:
    with (
        pytest.raises(BadInput, match=next(iter(fields))),
        open_mind({"kind": "katago", "command": fake()} | fields),
    ):
        pass


def test_a_spec_survives_plain_data(fake: Callable[..., str]) -> None:
    spec = mind_spec(f"katago:{fake()}")
    assert mind_spec(spec.as_dict()) == spec


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="HITONAMI_KATAGO holds no command")
@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor", "aga"])
def test_the_real_katago_plays_sensibly(rules: str) -> None:
    corner = position(Setup(size=9, rules=rules, komi=6.5), "E5 C3 E3 C5 C4 A1")
    lost = position(Setup(size=9, rules=rules, handicap=4), "A1")
    with open_mind({"kind": "katago", "command": REAL}) as mind:
        player = Player(None, "ogs")
        one, hopeless = mind([Query(corner, player), Query(lost, player)], Effort.seeded())
        [again] = mind([Query(corner, player)], Effort(np.random.default_rng(0), simulations=4))
        assert mind.origin.startswith("KataGo")  # type: ignore[attr-defined]
    assert np.exp(one.log_probs).max() > 0.1
    assert hopeless.wdl is not None
    assert hopeless.wdl[0] > 0.8, "Black, with four stones more, is to move"
    assert sum(line.visits or 0 for line in again.lines) == 3


def human(fake: str, **fields: object) -> dict[str, object]:
    return {"kind": "katago-human", "command": fake, "floor": 0.0, **fields}


def test_the_human_network_is_asked_for_players_of_the_rank(fake: Callable[..., str]) -> None:
    here = position(moves="C3")
    weak, club = (Query(here, Player(rank, "ogs"), Player(rank, "ogs")) for rank in (3.0, 25.0))
    with open_mind(human(fake())) as mind:
        first, second = mind([weak, club], Effort.seeded())
        assert mind.origin == "KataGo 9.9, human network"  # type: ignore[attr-defined]
    assert np.exp([first.log_probs[0], second.log_probs[0]]) == pytest.approx([0.9, 0.5], abs=1e-3)
    assert first.wdl == pytest.approx([0.4, 0.0, 0.6])  # White's, of the human network
    assert len(first.log_probs) == len(here.legal)


@pytest.mark.parametrize(
    ("ranks", "to_move", "era", "profile"),
    [
        ((25.0, 25.0), 0, "rank", "rank_5k"),
        ((25.0, None), 0, "preaz", "preaz_5k"),
        ((25.0, 27.0), 0, "rank", "rank_5k_3k"),
        ((25.0, 27.0), 1, "rank", "rank_3k_5k"),
        ((30.0, 12.0), 0, "rank", "rank_1d_9k"),
        ((2.0, 2.0), 0, "rank", "rank_20k"),
        ((38.4, 38.0), 0, "rank", "rank_9d"),
        ((44.0, 38.0), 0, "rank", "proyear_2023"),
    ],
)
def test_profiles_follow_both_ranks(
    fake: Callable[..., str], ranks: tuple[float, float | None], to_move: int, era: str, profile: str
) -> None:
    fields = KatagoHuman(fake(), era=era)  # type: ignore[arg-type]
    here = position(moves="C3" if to_move else "")
    asked = Query(here, Player(ranks[0], "kgs"), Player(ranks[1], "kgs"))
    assert Imitating(fields, KatagoEngine(fake())).profile_of(asked) == profile


def test_what_the_human_network_cannot_imitate_is_refused(fake: Callable[..., str]) -> None:
    here = position()
    with open_mind(human(fake())) as mind:
        for rating, said in ((None, "the player has none"), (1500.0, "is a rating")):
            with pytest.raises(BadInput, match=said):
                mind([Query(here, Player(rating, "goquest"))], Effort.seeded())
    with (
        open_mind(human(fake(how="no-human"))) as mind,
        pytest.raises(EngineFailed, match="has no human network: start it with -human-model"),
    ):
        mind([Query(here, Player(25.0))], Effort.seeded())
    with pytest.raises(BadInput, match="year must lie between 1800 and 2023"):
        KatagoHuman(fake(), year=1600)


def test_the_published_softmax_and_distance_bend_it_and_human_stands_on_it(fake: Callable[..., str]) -> None:
    here = position(moves="C3")
    query = Query(here, Player(25.0, "ogs"), Player(25.0, "ogs"))
    specs = human(fake()), human(fake(), rho=2.0), human(fake(), m=0.25), f"human:katago-human:{fake()}"
    told = []
    for spec in specs:
        with open_mind(spec) as mind:
            told.append(mind([query], Effort.seeded())[0].log_probs)
    assert told[1][0] - told[1][1] == pytest.approx(2 * (told[0][0] - told[0][1]), abs=1e-3)
    beside, far = (int(np.searchsorted(here.legal, GO.parse(here, text))) for text in ("C2", "E1"))
    assert told[2][beside] - told[2][far] > told[0][beside] - told[0][far]
    assert np.argmax(told[3]) == np.argmax(told[0])


@pytest.mark.slow
@pytest.mark.skipif("-human-model" not in REAL, reason="HITONAMI_KATAGO names no human network")
def test_the_real_human_network_knows_ranks() -> None:
    here = position(Setup(size=19), "Q16 D4 Q3 D17")
    asked = [Query(here, Player(rank, "ogs"), Player(rank, "ogs")) for rank in (12.0, 36.0)]
    with open_mind({"kind": "katago-human", "command": REAL}) as mind:
        weak, strong = mind(asked, Effort.seeded())
    assert np.exp(weak.log_probs).max() > 0.02
    assert not np.allclose(weak.log_probs, strong.log_probs, atol=0.1)
