"""Lanes: batches, failures, the end."""

from collections.abc import Callable

import pytest

from hitonami.core import Effort, Query, open_game
from hitonami.errors import HitonamiError, WorkFailed
from hitonami.web.thinking import Thinkers


def test_each_asker_gets_its_own_answers() -> None:
    thinkers = Thinkers()
    games = [open_game(name).start() for name in ("chess", "shogi", "go")]
    asked = [thinkers.ask("uniform", [Query(position)] * count) for count, position in enumerate(games * 5, start=1)]
    for count, (answer, position) in enumerate(zip(asked, games * 5, strict=True), start=1):
        assert [len(opinion.log_probs) for opinion in answer.answer.result(60)] == [len(position.legal)] * count
    thinkers.close()


def test_a_bad_question_fails_alone() -> None:
    thinkers = Thinkers()
    query = Query(open_game("chess").start())
    bad, good = thinkers.ask("no-such-mind", [query]), thinkers.ask("uniform", [query])
    assert isinstance(bad.answer.exception(60), HitonamiError)
    assert len(good.answer.result(60)) == 1
    with pytest.raises(HitonamiError):
        thinkers.mind("no-such-mind")([query], Effort.seeded())
    thinkers.close()


def test_an_engine_that_dies_is_an_error_and_not_the_end(misbehave: Callable[..., str]) -> None:
    thinkers = Thinkers()
    query = Query(open_game("chess").start())
    spec = f"uci:{misbehave('uci', 'crash-in-search')}"
    for _ in range(2):
        assert isinstance(thinkers.ask(spec, [query]).answer.exception(60), WorkFailed)
    assert len(thinkers.ask("uniform", [query]).answer.result(60)) == 1
    thinkers.close()
