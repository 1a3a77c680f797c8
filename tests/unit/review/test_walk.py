"""Reviews with plain minds: every field of a step, whole games, interrupted ones, and what goes into the page."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice

import numpy as np
import pytest

from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.judging.judge import open_judge
from hitonami.minds.uniform import Uniform
from hitonami.records import Record
from hitonami.report.review import as_lines
from hitonami.report.review_page import as_page
from hitonami.review.levels import level_for, pool_of
from hitonami.review.reading import Chosen
from hitonami.review.run import walk_through
from hitonami.review.walk import AskedLevel, Minds, Reviewing
from hitonami.terminal.progress import Meter

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
LEVEL = AskedLevel("lichess", (1500.0, 1600.0), (1000.0, 1500.0, 2000.0), "as given")


class Told:
    """Gives the first move the rating in thousandths of the mass left to all, and chances that lean by the same."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [_told(query) for query in queries]


def _told(query: Query) -> Opinion:
    rating = query.player.rating or 0.0
    share = (rating - 900.0) / 1500.0
    count = len(query.position.legal)
    probabilities = np.full(count, (1.0 - share) / max(count - 1, 1))
    probabilities[0] = share if count > 1 else 1.0
    wdl = np.array([0.3, 0.2, 0.5], dtype=np.float32)
    return Opinion(np.log(probabilities).astype(np.float32), wdl)


def _chosen(game: str, texts: Sequence[str], setup: Setup | None = None, **facts: object) -> Chosen:
    rules = open_game(game)
    position = rules.start(setup or Setup())
    moves = []
    for text in texts:
        moves.append(rules.parse(position, text))
        position = position.follow(moves[-1])
    players = Player(1500.0, "lichess", "</script><b>One"), Player(1600.0, "lichess", "Two")
    return Chosen(Record(game, setup or Setup(), tuple(moves), players, **facts), 1, 1)  # type: ignore[arg-type]


def test_steps_say_what_happened() -> None:
    steps = list(Reviewing(_chosen("chess", FOOLS_MATE), Minds(Told()), LEVEL))
    assert [step.name for step in steps] == ["f3", "e5", "g4", "Qh4#"]
    assert [step.side for step in steps] == [0, 1, 0, 1]
    first = steps[0]
    assert first.squares == ((6, 5), (5, 5))
    assert first.rating == 1500.0
    assert first.by_rating[0] > first.by_rating[2]  # it is not the move that strong players like
    assert len(first.candidates) == 5
    assert first.candidates[0].probability == pytest.approx(0.4, abs=1e-5)
    assert first.loss is None
    assert first.label == "unusual"
    assert steps[-1].chance_after == 1.0  # mate


def test_the_main_choice_begins_where_its_share_overtakes() -> None:
    rules = open_game("chess")
    start = rules.start()
    text = rules.format(start, int(start.legal[0]))
    [step] = Reviewing(_chosen("chess", [text]), Minds(Told()), LEVEL)
    assert step.rank == 1
    assert step.probability == pytest.approx(0.4, abs=1e-5)
    assert step.main_from == 1000.0
    assert step.main_to == 2000.0


def test_chances_are_even_handed() -> None:
    steps = Reviewing(_chosen("chess", FOOLS_MATE[:3]), Minds(Told()), LEVEL)
    list(steps)
    for step in steps.summary().steps:
        assert step.chance_before == pytest.approx(0.5)
        assert step.chance_after == pytest.approx(0.5)


def test_an_interrupted_review_is_a_shorter_one() -> None:
    reviewing = Reviewing(_chosen("chess", SHUFFLE * 4), Minds(Uniform()), LEVEL)
    assert len(list(islice(reviewing, 5))) == 5
    review = reviewing.summary()
    assert review.unfinished
    assert len(review.steps) == 5
    assert len(review.diagrams) == 6
    assert any("interrupted" in line for line in as_lines(review))


def test_a_record_that_goes_on_past_the_end_is_reviewed_to_the_end() -> None:
    once = _chosen("chess", SHUFFLE)
    chosen = replace(once, record=replace(once.record, moves=once.record.moves * 6))
    assert len(list(Reviewing(chosen, Minds(Uniform()), LEVEL))) == 16  # fivefold repetition


@pytest.mark.parametrize(
    ("game", "setup", "texts"),
    [
        ("chess", Setup(), ["e2e4", "e7e5", "g1f3"]),
        ("shogi", Setup(), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]),
        ("go", Setup(size=9), ["E5", "C3", "pass", "G7"]),
        ("go", Setup(size=19), ["Q16", "D4", "pass", "pass"]),
    ],
)
def test_pages_hold_their_games(game: str, setup: Setup, texts: list[str]) -> None:
    reviewing = Reviewing(_chosen(game, texts, setup), Minds(Uniform()), LEVEL)
    list(reviewing)
    review = reviewing.summary()
    page = as_page(review)
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    assert page.count("<script") == 2
    assert "<b>One" not in page
    _Balanced().feed(page)
    found = re.search(r'id="review">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert len(data["boards"]) == len(texts) + 1
    assert len(data["steps"]) == len(texts)
    assert all(len(board) == len(data["columns"]) * len(data["ranks"]) for board in data["boards"])
    json.dumps(review.as_json(), allow_nan=False)


class _Balanced(HTMLParser):
    """Every element is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "!doctype"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_judge_finds_the_blunder(need_program: Callable[[str], str]) -> None:
    command = need_program("stockfish")
    with ExitStack() as stack:
        judge = stack.enter_context(open_judge("chess", f"uci:{command}", nodes=2000))
        reviewing = Reviewing(_chosen("chess", FOOLS_MATE), Minds(Told(), judge=judge), LEVEL)
        steps = list(reviewing)
    assert steps[2].loss is not None
    assert steps[2].loss > 0.3
    assert steps[2].label == "rare blunder"
    assert steps[3].loss == pytest.approx(0.0)
    assert steps[3].best_name == "Qh4#"
    review = reviewing.summary()
    assert review.turning_points == (2,)
    assert "Stockfish" in review.judge
    assert "rare blunder" in "\n".join(as_lines(review))


def test_levels_come_from_the_caller_the_record_or_the_pool() -> None:
    record = _chosen("chess", FOOLS_MATE).record
    assert pool_of(record) == "lichess"
    assert pool_of(record, "fide") == "fide"
    assert level_for(record, "lichess", None, None).told == (1500.0, 1600.0)
    assert level_for(record, "lichess", 1200.0, None).told == (1200.0, 1200.0)
    other = level_for(record, "fide", None, None)  # ratings of another pool are another scale
    assert other.told == (other.mean, other.mean)
    assert "no ratings" in other.because


def test_ctrl_c_keeps_what_is_done() -> None:
    class Impatient(Uniform):
        """Somebody presses Ctrl-C when the third batch of positions is asked about."""

        def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
            if queries[0].position.ply >= 16:
                raise KeyboardInterrupt
            return super().__call__(queries, effort)

    columns = "ABCDEFGHJ"
    longer = _chosen("go", [f"{column}{row}" for row in (2, 5, 8) for column in columns], Setup(size=9))
    reviewing = Reviewing(longer, Minds(Impatient()), LEVEL)
    told: list[str] = []
    review = walk_through(reviewing, Meter, told.append)
    assert review.unfinished
    assert 0 < len(review.steps) < 16
    assert told == [f"interrupted after {len(review.steps)} of 27 moves"]
