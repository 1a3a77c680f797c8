"""Turns of games: who had what before them, and what became of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Found
from hitonami.errors import BadData, BadInput
from hitonami.fits.manners_run import groups_of, part_people
from hitonami.fits.pace import fit_pace, flags_of, measure_pace, spread_seconds, timed
from hitonami.fits.published import published_thresholds
from hitonami.fits.resign import cross_samples, fit_resignation, measure_resignation
from hitonami.fits.resign_bound import LAXEST, MOST_THROWN_AWAY, choose_bound
from hitonami.fits.resign_sample import Sample, columns_of, join_samples, usable
from hitonami.fits.turns import NUMBERS, WORDS, Turns, Wish, ask_turns, is_given_up, join_turns, read_turns
from hitonami.knobs import Curve
from hitonami.manners.resignation import resign_features
from hitonami.records import Record

MadeUp = Callable[[int, int], Turns]
RNG = np.random.default_rng(3)


def played(texts: str, **facts: object) -> Record:
    game = open_game("chess")
    position, moves = game.start(), []
    for text in texts.split():
        moves.append(game.parse(position, text))
        position = position.play(moves[-1])
    players = (Player(1500, "lichess", "ann"), Player(1300, "lichess", "bob"))
    return replace(Record("chess", Setup(), tuple(moves), players), **facts)  # type: ignore[arg-type]


def even(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    wdl = np.array([0.2, 0.2, 0.6], dtype=np.float32)
    return [Opinion(dist.uniform(len(query.position.legal)), wdl) for query in queries]


def ask(*records: Record, first_ply: int = 0) -> Turns:
    found = [Found(at, record) for at, record in enumerate(records)]
    return ask_turns(found, even, Wish(len(found), parse_filter(""), first_ply=first_ply))


LOST = played(
    "e2e4 e7e5 d1h5 b8c6 h5f7 e8f7", score=0.0, termination="resignation", time_control="60+2",
    clocks=(60.0, 60.0, 57.0, 50.5, 50.0, 40.0),
)  # fmt: skip


def test_rows_tell_clocks_material_and_who_gave_up(tmp_path: Path) -> None:
    turns = ask(LOST)
    assert len(turns) == 7, "six moves, and the turn at which White gave up"
    assert turns["resigned"].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert turns["balance"].tolist() == [0, 0, 0, 0, 0, -1, -8]
    assert turns["captures"].tolist() == [0, 0, 0, 0, 1, 1, 0]
    assert turns["recaptures"].tolist() == [0, 0, 0, 0, 0, 1, 0]
    assert turns["remaining"][2:].tolist() == [60.0, 60.0, 57.0, 50.5, 50.0]
    assert turns["seconds"][2:6].tolist() == [5.0, 11.5, 9.0, 12.5]
    assert turns["hope"].tolist() == pytest.approx([0.3] * 7)
    assert turns.back_own("balance", 1).tolist()[2:] == [0, 0, 0, 0, 0]
    assert turns["score"].tolist() == [0, 1, 0, 1, 0, 1, 0]
    assert turns["spent"][4:].tolist() == [5.0, 11.5, 9.0]
    assert turns["opponent_spent"][4:].tolist() == [11.5, 9.0, 12.5]
    assert turns["usual"][6] == pytest.approx(np.sqrt(5.5 * 9.5) - 0.5)
    assert turns["taken"].tolist() == [0, 0, 0, 0, 0, 1, 9]
    turns.save(tmp_path / "turns.npz")
    again = read_turns(tmp_path / "turns.npz")
    for name in (*NUMBERS, *WORDS):
        np.testing.assert_array_equal(again[name], turns[name])
    (tmp_path / "broken.npz").write_bytes(b"no table")
    with pytest.raises(BadData, match=r"broken\.npz"):
        read_turns(tmp_path / "broken.npz")


def test_turns_that_nobody_was_asked_about_have_boards_and_clocks() -> None:
    found = [Found(at, LOST) for at in range(9)]
    wish = Wish(9, parse_filter(""), first_ply=2, run=2, asked=4)
    turns = ask_turns(found, even, wish)
    asked = ~np.isnan(turns["entropy"])
    assert (len(turns), asked.sum(), len(set(turns["game"][asked]))) == (45, 8, 4)
    assert not np.isnan(turns["hope"][asked]).any()
    assert (np.diff(np.flatnonzero(asked))[::2] == 1).all(), "runs of two"
    assert not np.isnan(turns["balance"]).any()

    def nobody(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        raise AssertionError("asked")

    assert len(ask_turns(found, nobody, replace(wish, asked=0))) == 45


def test_what_is_left_follows_from_the_times_that_moves_took() -> None:
    spent = (1.0, 2.0, 3.0, 4.0, 70.0, 6.0)
    timed_only = replace(LOST, clocks=(), think_seconds=spent, time_control="60+2")
    assert ask(timed_only)["remaining"].tolist() == [60, 60, 61, 60, 60, 58, 0]
    byoyomi = ask(replace(timed_only, time_control="60+10/5"))
    assert byoyomi["remaining"].tolist() == [60, 60, 59, 58, 56, 54, 0]
    assert (byoyomi["increment"] == 10).all()
    assert np.isnan(ask(replace(timed_only, time_control="-"))["remaining"]).all()


def test_resigning_on_the_opponents_time_is_no_given_up_turn() -> None:
    assert not ask(replace(LOST, score=1.0))["resigned"].any(), "White is to move, and Black gave up"


def test_flags_are_told_from_clocks_alone() -> None:
    flags = flags_of([replace(LOST, termination="time"), replace(LOST, termination="time", score=1.0), played("e2e4")])
    assert flags.remaining.tolist() == [60.0, 57.0, 50.0, 60.0, 50.5] * 2
    assert flags.flagged.tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]


def test_think_time_is_learned_and_its_distribution_is_right(made_up: MadeUp) -> None:
    turns, everyone = timed(made_up(200, 1)), np.ones(4000, dtype=np.bool_)
    flags = flags_of([replace(LOST, termination="time")] * 50)
    model = fit_pace(turns, everyone, flags)
    unseen = timed(made_up(100, 2))
    groups = np.array([f"{rating:.0f}" for rating in unseen["rating"]])
    found = measure_pace([(model, np.ones(2000, dtype=np.bool_))], unseen, [flags], groups)
    every = found.groups[-1]
    assert [each.group for each in found.groups] == ["1000", "2000", "all"]
    assert every.r.value > 0.8
    assert max(found.pit) < 0.15
    assert min(found.pit) > 0.06
    assert every.quick.low - 0.03 <= every.model_quick <= every.quick.high + 0.03
    assert found.forfeit_ratio == pytest.approx(1.0, abs=0.5)
    with pytest.raises(BadInput, match="too few"):
        fit_pace(turns, turns["game"] < 5, flags)


def test_boards_and_clocks_teach_where_a_mind_was_asked_about_few(made_up: MadeUp) -> None:
    """Seconds follow what the last move took, and doubt, which is known of one turn in four."""
    turns, rng = made_up(400, 3), np.random.default_rng(0)
    spent = np.exp(rng.normal(1.0, 1.0, len(turns)))
    seconds = np.exp(0.6 * np.log(spent + 0.5) + 0.5 * turns["entropy"] + rng.normal(0, 0.4, len(turns)))
    some = np.where(turns["game"] % 4 == 0, turns["entropy"], np.nan)
    turns = Turns(turns.columns | {"spent": spent, "seconds": seconds, "entropy": some})
    flags = flags_of([replace(LOST, termination="time")] * 50)
    groups = np.array(["all"] * len(turns))
    learns = turns["game"] < 300
    r = {}
    for name, columns in (("both", {}), ("clocks", {"entropy": np.full(len(turns), np.nan)})):
        held = Turns(turns.columns | columns)
        tests = ~learns & ~np.isnan(turns["entropy"])
        r[name] = measure_pace([(fit_pace(held, learns, flags), tests)], held, [flags], groups).groups[-1].r.value
    assert r["clocks"] > 0.5
    assert r["both"] > r["clocks"] + 0.1


def test_resignation_is_learned_and_beats_thresholds_that_do_not_know_when(made_up: MadeUp) -> None:
    train, test = usable(made_up(400, 1)), usable(made_up(300, 2))
    model = fit_resignation(Sample(train))
    found = measure_resignation(model, Sample(test), np.array(["all"] * len(test)))
    assert abs(found.ece_excess) < 0.01
    fitted = found.rules[0]
    assert fitted.tpr.low <= fitted.tpr.value <= fitted.tpr.high
    assert found.rules[1].name.endswith("opponent-aware")
    assert [fpr for fpr, _ in found.gains] == [0.001, 0.01]
    with pytest.raises(BadInput, match="too few"):
        fit_resignation(Sample(train.where(train["resigned"] == 0)))


def test_ends_of_other_games_teach_who_gives_up_and_not_how_often(made_up: MadeUp) -> None:
    whole, other = usable(made_up(400, 1)), usable(made_up(1200, 5))
    sample = Sample(whole, other)
    assert len(sample.turns) == len(whole) + len(other)
    assert sample.decides.sum() == len(whole) + (sample.resigned - whole["resigned"].sum())
    test = usable(made_up(600, 2))
    groups = np.array(["all"] * len(test))
    alone, both = (measure_resignation(fit_resignation(each), Sample(test), groups) for each in (Sample(whole), sample))
    share = whole["resigned"].mean()
    assert sample.resigned > 2 * whole["resigned"].sum(), "else nothing would have to be undone"
    assert abs(both.ece_excess) < 0.3 * share
    assert abs(alone.ece_excess) < 0.3 * share
    [rare, _] = cross_samples(Sample(whole), Sample(test))
    assert (rare.turns, rare.resigned) == (len(whole) + len(test), whole["resigned"].sum() + test["resigned"].sum())
    assert rare.gain.value == pytest.approx(rare.fitted.value - rare.threshold.value)


def test_the_bound_lets_no_more_games_slip_than_it_was_asked_to(made_up: MadeUp) -> None:
    sample = Sample(usable(made_up(400, 1)))
    bounds = [choose_bound(sample, most=most) for most in (0.0, 0.05, 0.2, 1.0)]
    assert bounds[-1] == 1.0
    assert max(bounds[:2]) < 1.0, "whatever people throw away themselves, no agent throws away all of it"
    lost = usable(made_up(400, 1))
    never = Sample(Turns(lost.columns | {"score": np.where(lost["hope"] < 0.5, 0.0, lost["score"])}))
    assert choose_bound(never, haste=3.0) <= MOST_THROWN_AWAY, "a chance that is right keeps what was asked by itself"


def test_what_is_saved_is_learned_from_games_that_the_mind_never_learned_from(made_up: MadeUp) -> None:
    known, fresh = usable(made_up(400, 1)), usable(made_up(300, 2))
    luckier = Turns(fresh.columns | {"score": np.where(fresh["resigned"] == 1, 0.0, 1.0)})
    sample = Sample(known)
    believed, honest = fit_resignation(sample), fit_resignation(sample, luckier)
    assert believed.gives_up == honest.gives_up
    features = resign_features(columns_of(fresh))
    lost = fresh["hope"] < 0.2
    assert honest.saved(features)[lost].mean() > believed.saved(features)[lost].mean()
    assert choose_bound(sample, luckier) <= LAXEST, "however much people throw away"
    both = join_samples(Sample(known, fresh), Sample(fresh))
    assert len(both.whole) == len(known) + len(fresh)
    assert both.ends is not None
    assert both.resigned == sample.resigned + 2 * fresh["resigned"].sum()
    prices = measure_resignation(honest, both, np.array(["all"] * len(both.whole)), priced=known).prices
    assert prices == measure_resignation(honest, sample, np.array(["all"] * len(known))).prices


def test_only_the_last_turns_of_the_side_to_move_are_asked_about() -> None:
    found = [Found(at, LOST) for at in range(2)]
    turns = ask_turns(found, even, Wish(2, parse_filter(""), only_last=True))
    assert turns["ply"].tolist() == [2, 4, 6] * 2
    assert turns["side"].tolist() == [0] * 6
    assert turns["resigned"].tolist() == [0, 0, 1] * 2
    both = join_turns(turns, turns)
    assert both["game"].tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    late = ask_turns(found[:1], even, Wish(1, parse_filter(""), first_ply=5, only_last=True))
    assert late["ply"].tolist() == [6]
    assert is_given_up(LOST)
    assert not is_given_up(replace(LOST, score=1.0))
    assert not is_given_up(replace(LOST, termination="time"))


def test_programs_turns_are_not_asked_about() -> None:
    bot = replace(LOST, players=(LOST.players[0], replace(LOST.players[1], kind="bot")))
    assert set(ask(bot)["side"].tolist()) == {0.0}


def test_levels_are_named_where_ratings_are_not_known() -> None:
    unrated = replace(LOST, players=(replace(LOST.players[0], rating=None), LOST.players[1]))
    names = groups_of(ask(unrated, unrated), "chess")
    assert sorted(set(names.tolist())) == ["1200", "unrated"]


def test_the_published_threshold_is_what_losers_never_had(made_up: MadeUp) -> None:
    turns = made_up(60, 4)
    steady = Turns(turns.columns | {"hope": np.where(turns["side"] == 1, 0.55 - 0.03 * (turns["ply"] - 20), 0.8)})
    [row] = published_thresholds(steady, np.array(["1500"] * len(turns)))
    assert (row.games, row.clean) == (60, 60)
    assert row.best == pytest.approx(0.52), "what the second side, which loses, had at its first turn"
    assert row.bound == pytest.approx(1 - 0.52 - 0.01)
    assert (row.length, row.length_after) == (39, 23)
    assert row.v_after > row.v
    assert (row.given_up, row.saved) == (60, 0)
    rough = Turns(turns.columns | {"hope": np.where(turns["ply"] < 30, 0.9, 0.1)})
    [wild] = published_thresholds(rough, np.array(["1500"] * len(turns)))
    assert (wild.clean, wild.bound, wild.given_up) == (0, 0.0, 0)


def test_regulars_are_kept_apart_from_what_is_learned(made_up: MadeUp) -> None:
    turns = made_up(300, 5)
    people = turns["person"].copy()
    strangers = np.arange(len(people)) % 2 == 0
    people[strangers] = 1000 + np.arange(strangers.sum())
    others = np.where(strangers, np.roll(people, -1), np.roll(people, 1))
    turns = Turns(turns.columns | {"person": people, "opponent_person": others})
    halves, how = part_people(turns, [])
    assert how.startswith("by person")
    assert np.sum([tests for _, tests in halves], axis=0).min() == 1, "everybody is unseen once"
    for learns, tests in halves:
        assert not set(people[learns].tolist()) & set(range(10)), "nobody who is often there teaches"
        assert not (learns & tests).any()
        assert learns.any()
    many = Turns(turns.columns | {"person": 1.0 + turns["game"], "opponent_person": 1e6 + turns["game"]})
    fifths, how = part_people(many, [])
    assert how == "by person, 300 people"
    assert np.sum([tests for _, tests in fifths], axis=0).tolist() == [1] * len(people)
    for learns, tests in fifths:
        assert not set(many["person"][learns].tolist()) & set(many["person"][tests].tolist())
        assert not set(many["opponent_person"][learns].tolist()) & set(many["person"][tests].tolist())
    few = Turns(turns.columns | {"person": np.full(len(people), np.nan)})
    found = [Found(int(RNG.integers(1 << 60)), LOST) for _ in range(300)]
    [(learns, tests)], how = part_people(few, found)
    assert how == "by game"
    assert not set(few["game"][learns].tolist()) & set(few["game"][tests].tolist())


def test_models_are_measured_each_on_its_own_turns(made_up: MadeUp) -> None:
    """Of two models one is right; told together they stand between what each has alone."""
    turns = timed(made_up(200, 6))
    flags = flags_of([replace(LOST, termination="time")] * 50)
    groups = np.array(["all"] * len(turns))
    first = turns["game"] < 100
    right = fit_pace(timed(made_up(200, 1)), np.ones(4000, dtype=np.bool_), flags)
    wrong = replace(right, expected=replace(right.expected, terms={"ply": Curve(((0.0, 0.0), (100.0, 1.0)))}))
    alone = [measure_pace([(model, first)], turns, [flags], groups).groups[-1].r.value for model in (right, wrong)]
    both = measure_pace([(right, first), (wrong, ~first)], turns, [flags, flags], groups).groups[-1]
    assert both.turns == len(turns)
    assert alone[1] < both.r.value < alone[0]


def test_whole_seconds_are_spread_and_finer_ones_are_not() -> None:
    held = spread_seconds(np.array([0.0, 3.0, 2.25]))
    assert held[2] == 2.25
    assert 0 <= held[0] <= 0.5
    assert 2.5 <= held[1] <= 3.5
