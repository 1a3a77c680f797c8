"""The quiz of the package: what its file holds and does not hold, and what is told when."""

import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from hitonami.agent import Agent
from hitonami.core import Player
from hitonami.specs import open_mind
from hitonami.web.studies.quiz import QUIZ_FILE, quiz_games

RECIPE = Path(__file__).parents[3] / "recipes" / "quiz.py"


def test_the_file_is_small_and_holds_no_person() -> None:
    assert QUIZ_FILE.stat().st_size < 150_000
    held = json.loads(QUIZ_FILE.read_text())
    assert {source["licence"] for source in held["sources"].values()} <= {"CC0", "MIT", "GPL-3.0-or-later"}
    for game in held["games"]:
        assert set(game) <= {"game", "size", "source", "players", "judged", "score", "moves"}
        for player in game["players"]:
            assert set(player) <= {"kind", "style", "rating", "pool"}
            assert player["kind"] == "program" or "style" not in player
            assert player.get("style", "human") in ("human", "blend", "search", "expert", "KaTrain")
            assert player["pool"] in ("", "lichess", "shogiwars", "ogs")


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
def test_games_are_legal_of_one_length_and_of_both_kinds(game: str) -> None:
    games = [each for each in quiz_games().values() if each.game == game]
    lengths = {(each.size, len(each.moves)) for each in games}
    assert len(lengths) == len({each.size for each in games})
    for each in games:
        position = each.replay()
        assert position.ply == len(each.moves)
        assert len(position.legal) > 0  # the end tells nothing
    kinds = Counter(each.is_human for each in games)
    assert min(kinds[True], kinds[False]) >= 0.3 * len(games) >= 3
    assert {each.judged for each in games} == {0, 1}


def test_the_truth_comes_with_the_answer_and_not_before(client: httpx.Client) -> None:
    listed = client.get("/api/quiz").json()
    assert {line["id"] for line in listed} == set(quiz_games())
    shapes = set()
    for line in listed[:12]:
        shown = client.get(f"/api/quiz/{line['id']}")
        shapes.add(tuple(sorted(shown.json())))
        assert not [word for word in ("lichess", "ogs", "human", "person", "CC0", "rating") if word in shown.text]
        assert len(shown.json()["boards"]) == len(shown.json()["moves"]) + 1
        game = quiz_games()[line["id"]]
        for said in (True, False):
            told = client.post(f"/api/quiz/{line['id']}", json={"called_human": said}).json()
            assert (told["right"], told["is_human"]) == (said == game.is_human, game.is_human)
            assert told["players"][game.judged]["kind"] == ("person" if game.is_human else "program")
            assert (told["source"], told["licence"]) == (game.source.name, game.source.licence)
    assert len(shapes) == 1
    assert client.get("/api/quiz/0123456789ab").status_code == 404
    assert client.get("/api/quiz/..%2fquiz.json").status_code in (404, 422)
    assert client.post(f"/api/quiz/{listed[0]['id']}", json={}).status_code == 422


def _recipe() -> Any:
    spec = importlib.util.spec_from_file_location("quiz_recipe", RECIPE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_recipe_plays_the_same_games_again(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = _recipe()
    monkeypatch.setitem(recipe.PLIES, ("chess", 0), 6)
    players = [Player(rating, "lichess", kind="human") for rating in (1200, 1800)]
    with open_mind("human") as mind:
        agent = Agent(mind, patience=None)
        first, again, other = (
            recipe.play_alone(agent, "chess", 0, players, np.random.default_rng([seed])) for seed in (7, 7, 8)
        )
    assert first == again != other
    assert [len(moves) for moves in first] == [6, 6]


def test_every_program_of_the_file_is_one_of_the_recipe() -> None:
    """Were the recipe changed without its file, or the file by hand, they would part."""
    made = Counter(
        (game, size, style, float(level)) for game, size, style, _, levels in _recipe().PROGRAMS for level in levels
    )
    own = [each for each in quiz_games().values() if each.source.name == "Hitonami"]
    held = Counter((each.game, each.size, each.players[0].style, float(each.players[0].rating or 0)) for each in own)
    assert held == made
