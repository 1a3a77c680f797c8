"""Results as targets: what a game against a bot teaches."""

from dataclasses import replace
from typing import Any

import pytest

from hitonami.core import Player, Query, open_game
from hitonami.dataset.samples import Sample
from hitonami.dataset.targets import result_target
from hitonami.train.recipe import DataSpec

START = open_game("go").start()
PERSON, BOT = Player(15.0, "ogs", kind="human"), Player(30.0, "ogs", kind="bot")


def sample(player: Player, opponent: Player, score: float | None) -> Sample:
    return Sample(Query(START, player, opponent), int(START.legal[0]), score)


@pytest.mark.parametrize(("score", "target"), [(1.0, (1, 0, 0)), (0.5, (0, 1, 0)), (0.0, (0, 0, 1)), (None, (0, 0, 0))])
def test_results_between_people_are_always_learned(score: float | None, target: tuple[int, ...]) -> None:
    for results in ("all", "between-people"):
        assert result_target(sample(PERSON, PERSON, score), results) == target
        unknown = replace(PERSON, kind="unknown")
        assert result_target(sample(unknown, unknown, score), results) == target


def test_a_game_against_a_bot_teaches_no_result_where_a_recipe_says_so() -> None:
    for query in (sample(PERSON, BOT, 0.0), sample(BOT, PERSON, 1.0)):
        assert result_target(query, "between-people") == (0.0, 0.0, 0.0)
        assert sum(result_target(query, "all")) == 1.0


def test_a_recipe_without_the_key_reads_as_it_did() -> None:
    given: dict[str, Any] = {"folders": ("$DATA/go",)}
    assert "results" not in DataSpec(**given).model_dump(mode="json", exclude_none=True)
    assert DataSpec(**given, results="between-people").results == "between-people"
