"""Learning: what is there to be learned is found, and a run that was interrupted goes on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Effort, Position, Query, Setup, open_game
from hitonami.errors import BadInput
from hitonami.intuition.analysis import Analysis, Found, Manner
from hitonami.intuition.endings import list_sound, list_winning
from hitonami.intuition.growth import Sample, grow_moves, teach_choice
from hitonami.intuition.knowledge import Knowledge, begin, read
from hitonami.intuition.learning import Learner, Plan, wanted_chances
from hitonami.intuition.lessons import Lessons, take_lessons
from hitonami.intuition.patterns import read_pattern, write_pattern
from hitonami.minds.dual import Dual
from hitonami.minds.intuition import Intuition
from hitonami.terminal.progress import Meter

QUICK = Plan(nodes=8, blind_games=2, grow_every=3, grown=4)


def test_growth_finds_the_condition_that_decides() -> None:
    """Whoever teaches answers beside the last stone: nothing else matters."""
    knowledge = begin("hex", Setup(size=5))
    rng = np.random.default_rng(0)
    samples = []
    for _ in range(60):
        here = open_game("hex").start(Setup(size=5))
        for _ in range(4):
            here = here.play(int(rng.choice(here.legal)))
        view = knowledge.eyes.look(here)
        beside = np.isin(view.landings[:, 1], [here.last_move + 1, here.last_move - 1])
        if beside.any():
            samples.append(Sample(view, beside / beside.sum(), int(np.argmax(beside)), 1.0, 0.5))
    assert grow_moves(knowledge, samples, 4, 3) == 4
    found = [write_pattern(pattern) for pattern in knowledge.moves.known.patterns]
    assert {"to(0,1)=last", "to(0,-1)=last"} & set(found)
    losses = [sum(teach_choice(knowledge, sample, 0.2) for sample in samples) for _ in range(12)]
    assert losses[-1] < 0.8 * losses[0]  # two of the moves are wanted alike, so more cannot be told


def test_the_same_seed_learns_the_same_and_a_run_goes_on(tmp_path: Path) -> None:
    def learned(name: str, games: int, resume: bool = False) -> Knowledge:
        lessons = Lessons("connect-four", Setup(), QUICK, games)
        return take_lessons(lessons, tmp_path / name, Meter, resume=resume)

    one, other = learned("a.json", 7), learned("b.json", 7)
    assert one.moves.known.patterns == other.moves.known.patterns
    assert np.allclose(one.moves.weights, other.moves.weights)
    assert len(one.moves.known.patterns) > 1
    with pytest.raises(BadInput, match="--resume goes on with it"):
        learned("a.json", 9)
    with pytest.raises(BadInput, match="nothing to go on with"):
        learned("c.json", 9, resume=True)
    assert learned("a.json", 9, resume=True).experience.games == 9
    assert read(tmp_path / "a.json").experience.games == 9


def test_what_interrupts_keeps_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Learner.play_and_learn

    def interrupted(self: Learner) -> int:
        if self.knowledge.experience.games == 3:
            raise KeyboardInterrupt
        return played(self)

    monkeypatch.setattr(Learner, "play_and_learn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        take_lessons(Lessons("connect-four", Setup(), QUICK, 50), tmp_path / "a.json", Meter)
    assert read(tmp_path / "a.json").experience.games == 3


def test_doubt_falls_with_experience() -> None:
    falling = [Plan().epsilon(games) for games in (0, 100, 1000, 100_000)]
    assert falling == sorted(falling, reverse=True)
    assert falling[0] == Plan().first_epsilon


def test_an_analysis_finds_a_win_and_a_defence() -> None:
    knowledge = begin("connect-four", Setup())
    game = open_game("connect-four")
    for text, best in (("7/7/7/7/ooo4/xxx4 x", "d1"), ("7/7/7/7/o6/xxx3o o", "d1")):
        position = game.read(text)
        analysis = Analysis(knowledge, position, Manner(nodes=120), np.random.default_rng(0))
        analysis.run()
        found = analysis.found()
        assert game.format(position, int(position.legal[int(found.visits.argmax())])) == best or found.proved.max() > 0
        if found.proved.max() > 0:
            assert found.score == 1


def test_a_position_is_worth_what_its_best_move_brings_and_an_end_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """One look after another move than d1 is enough to see that the other side wins there."""
    knowledge = begin("connect-four", Setup())
    position = open_game("connect-four").read("7/7/7/7/o6/xxx3o o")

    def sure(self: Knowledge, here: Position) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        chances = np.full(len(here.legal), np.log(0.05))
        chances[here.legal.tolist().index(3) if here.ply > position.ply else 0] = np.log(0.7)
        return np.stack([chances, np.full(len(here.legal), 0.5)])

    monkeypatch.setattr(Knowledge, "judge", sure)
    analysis = Analysis(knowledge, position, Manner(nodes=1, epsilon=50.0, by_doubt=False), np.random.default_rng(0))
    analysis.run()
    found = analysis.found()
    assert (found.spent, found.visits[0], found.values[0], found.proved[0]) == (1, 1, 0, -1)


def test_a_line_is_gone_along_before_a_position_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides go on in column a: four plies on the position is judged, and six plies on the column is full."""
    knowledge = begin("connect-four", Setup())
    position = open_game("connect-four").start()

    def leftmost(self: Knowledge, here: Position) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        chances = np.full(len(here.legal), np.log(0.05))
        chances[0] = np.log(0.7)
        return np.stack([chances, np.full(len(here.legal), 0.1 * here.ply)])

    monkeypatch.setattr(Knowledge, "judge", leftmost)
    for along, value in ((0, 0.1), (1, 1 - 0.2), (2, 0.3), (3, 1 - 0.4)):
        manner = Manner(nodes=1, epsilon=50.0, by_doubt=False, along=along)
        analysis = Analysis(knowledge, position, manner, np.random.default_rng(0))
        analysis.run()
        assert analysis.found().values[0] == pytest.approx(1 - value)  # of the side that moved there


def test_the_end_of_a_line_is_believed_and_not_taken_for_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Second on the move, first completes four in column a two plies later if nobody leaves the line."""
    knowledge = begin("connect-four", Setup())
    position = open_game("connect-four").read("7/7/7/7/xo5/xo5 x")

    def turns(self: Knowledge, here: Position) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        chances = np.full(len(here.legal), np.log(0.05))
        chances[0 if here.to_move == position.to_move else 2] = np.log(0.7)
        return np.stack([chances, np.full(len(here.legal), 0.5)])

    monkeypatch.setattr(Knowledge, "judge", turns)
    for along, value in ((0, 0.5), (1, 1.0)):
        manner = Manner(nodes=1, epsilon=50.0, by_doubt=False, along=along)
        analysis = Analysis(knowledge, position, manner, np.random.default_rng(0))
        analysis.run()
        found = analysis.found()
        assert (found.values[0], found.proved[0]) == (value, 0)


def test_how_far_a_line_is_gone_along_is_kept_with_what_was_learned(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    take_lessons(Lessons("connect-four", Setup(), replace(QUICK, along=2), 12), path, Meter)
    assert take_lessons(Lessons("connect-four", Setup(), QUICK, 12), path, Meter, resume=True).along == 2
    with pytest.raises(BadInput, match="begun with 2 plies along"):
        take_lessons(Lessons("connect-four", Setup(), replace(QUICK, along=3), 12), path, Meter, resume=True)
    assert read(path).along == 2
    position = open_game("connect-four").read("7/7/7/7/3o3/2xx3 o")
    opinions = [
        Dual(file=str(path), simulations=8, along=along)([Query(position)], Effort.seeded())[0]
        for along in (None, 2, 0)
    ]
    answers = [[line.wdl.tolist() for line in opinion.lines if line.wdl is not None] for opinion in opinions]
    assert answers[0] == answers[1] != answers[2]


def test_few_looks_at_many_moves_teach_what_they_found() -> None:
    found = Found(
        chances=np.log(np.full(5, 0.2)),
        visits=np.array([1.0, 1.0, 0.0, 0.0, 1.0]),
        values=np.array([0.9, 0.2, 0.7, 0.1, 0.0]),
        proved=np.array([0.0, 0.0, 0.0, 0.0, -1.0]),
        places=np.arange(5),
        spent=3,
        effort=1.0,
        score=0.5,
    )
    wanted = wanted_chances(found)
    assert wanted[0] > wanted[2] == wanted[3] > wanted[1] > wanted[4] == 0
    assert wanted.sum() == pytest.approx(1)
    assert wanted_chances(replace(found, proved=np.array([-1.0] * 4 + [1.0]))).tolist() == [0, 0, 0, 0, 1]


def test_the_rules_teach_the_last_two_moves_though_nobody_analysed() -> None:
    """Who won should have made a move that wins; who lost one after which nothing wins at once."""
    learner = Learner(begin("connect-four", Setup()), plan=Plan(blind_games=100))
    taught = []
    for _ in range(8):
        learner.play_and_learn()
        taught += [sample for sample in list(learner.samples)[-2:] if len(sample.wanted)]
    won = [sample for sample in taught if sample.result == 1]
    lost = [sample for sample in taught if sample.result == 0]
    assert 6 <= len(won) <= 8  # a draw is rare
    assert lost
    assert all(sample.wanted[sample.chosen] > 0 and sample.score == 1 for sample in won)
    assert all(sample.wanted[sample.chosen] == 0 for sample in lost)
    assert all(sample.wanted.sum() == pytest.approx(1) for sample in taught)


def test_ends_by_the_rules() -> None:
    game = open_game("connect-four")
    three = game.read("7/7/7/7/ooo4/xxx4 x")
    assert [game.format(three, move) for move in three.legal[list_winning(three)].tolist()] == ["d1"]
    threatened = game.read("7/7/7/7/o6/xxx3o o")
    sound = list_sound(threatened, int(game.parse(threatened, "d1")))
    assert [game.format(threatened, move) for move in threatened.legal[sound].tolist()] == ["d1"]


def test_games_begin_after_moves_at_random() -> None:
    learner = Learner(begin("connect-four", Setup()), plan=replace(QUICK, opening_plies=3))
    first = []
    for _ in range(12):
        count = learner.play_and_learn()
        first.append(int((list(learner.samples)[-count].view.bits >> np.uint64(2) & np.uint64(3) > 0).sum()))
    assert set(first) <= {0, 1, 2, 3}
    assert len(set(first)) > 1


def test_patterns_that_say_least_make_room_for_others() -> None:
    knowledge = begin("connect-four", Setup())
    texts = ["to(0,1)=friend", "to(0,1)=friend to(0,2)=friend", "to(1,0)=enemy", "to(1,0)=off", "to(1,1)=enemy"]
    for weight, text in zip((0.0, 0.9, 0.1, 0.5, 0.0), texts, strict=True):
        knowledge.moves.add(read_pattern(text), [weight, 0.0], [1.0, 1.0])
    knowledge.moves.drop(1, spared=1)
    knowledge.compile()
    kept = [write_pattern(pattern) for pattern in knowledge.moves.known.patterns]
    assert kept == ["move(0)", texts[0], texts[1], texts[3], texts[4]]  # others begin with the first, the last is new
    assert knowledge.moves.weights[:, 0].tolist() == [0.0, 0.0, 0.9, 0.5, 0.0]


def test_a_full_sheet_stays_full_and_changes() -> None:
    plan = replace(QUICK, grow_every=2, grown=2, most_patterns=14, most_board_patterns=14)
    learner = Learner(begin("connect-four", Setup()), plan=plan)
    seen = set()
    for _ in range(30):
        learner.play_and_learn()
        assert len(learner.knowledge.moves.known.patterns) <= 14
        assert len(learner.knowledge.board.known.patterns) <= 14
        seen |= set(learner.knowledge.board.known.patterns)
    assert len(seen) > 14


def test_effort_grows_with_doubt_and_is_none_without(tmp_path: Path) -> None:
    take_lessons(Lessons("connect-four", Setup(), QUICK, 1), tmp_path / "a.json", Meter)
    query = Query(open_game("connect-four").start())
    [sure] = Dual(str(tmp_path / "a.json"), epsilon=0.0)([query], Effort.seeded())
    [torn] = Dual(str(tmp_path / "a.json"), epsilon=5.0)([query], Effort.seeded())
    assert (sure.effort, sure.lines) == (0.0, ())
    assert torn.effort == 1.0
    assert sum(line.visits or 0 for line in torn.lines) == 200
    assert np.exp(sure.log_probs).max() > 0.98


def test_a_game_without_a_board_is_learned_by_the_numbers_of_its_moves() -> None:
    pytest.importorskip("pyspiel")
    knowledge = begin("openspiel:nim", Setup())
    learner = Learner(knowledge, plan=Plan(nodes=16, blind_games=2, grow_every=20))
    for _ in range(20):
        learner.play_and_learn()
    assert any(text.startswith("move(") for text in map(write_pattern, knowledge.moves.known.patterns))


def test_moves_are_drawn_by_their_chances(tmp_path: Path) -> None:
    take_lessons(Lessons("connect-four", Setup(), QUICK, 8), tmp_path / "a.json", Meter)
    mind, query = Intuition(str(tmp_path / "a.json"), temperature=2.0), Query(open_game("connect-four").start())
    [opinion] = mind([query], Effort.seeded())
    draw, rng = mind.drawer(query), np.random.default_rng(0)
    counts = np.bincount([draw(query.position, rng) for _ in range(3000)], minlength=7)
    assert np.abs(counts / 3000 - np.exp(opinion.log_probs)).max() < 0.03
