"""Twins asked about games that they never saw."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hitonami.dataset.reading import open_data
from hitonami.habits import habits_of
from hitonami.sights import COMMON
from hitonami.specs import open_mind
from hitonami.style.decisions import Decisions, ask_decisions, draw_plies, played_scenes
from hitonami.style.learning import Learned, learn
from hitonami.style.making import TwinWish, make_twin
from hitonami.style.person import OwnGame, find_person
from hitonami.style.unseen import Unseen, act_out, pool_people
from hitonami.terminal.progress import Meter
from hitonami.twins.store import find_twin
from hitonami.twins.twin import seen_in

SIZES = [size for _, size in habits_of("chess").kinds]


def _learned(games: tuple[OwnGame, ...], folder: Path, first: int = 0) -> tuple[Learned, Decisions]:
    drawn = list(zip(games, draw_plies(games, 4000), strict=True))
    with open_mind("uniform") as mind:
        held = ask_decisions(drawn, mind, folder, {})
    columns = (*seen_in("chess").columns, *COMMON)
    return learn(held.since(first), played_scenes(games[first:]), columns, habits_of("chess").kinds), held


def test_a_study_measures_what_the_mind_plays(own_games: Callable[..., Path], tmp_path: Path) -> None:
    """The short way over what was asked gives the figures of the mind itself on the same decisions."""
    file = own_games(24)
    games = find_person(open_data([str(file)], "chess", named=True), "").games
    learned, held = _learned(games, tmp_path / "asked")
    make_twin(TwinWish("chess", "hana", mind="uniform"), [str(file)], Meter)
    twin = find_twin("hana")
    assert set(twin.memories) == set(learned.memories)
    from hitonami.core import Effort
    from hitonami.dataset.samples import samples_at
    from hitonami.minds.twin import TwinMind
    from hitonami.minds.uniform import Uniform

    samples = [
        each
        for game, plies in zip(games, draw_plies(games, 4000), strict=True)
        for each in samples_at(game.record, plies)
    ]
    opinions = TwinMind(twin, Uniform())([sample.query for sample in samples], Effort.seeded())
    own = [each.log_probs[at] for each, at in zip(opinions, held.played, strict=True)]
    base = [-np.log(len(each.log_probs)) for each in opinions]
    unseen = act_out(learned, held, SIZES)
    assert np.allclose(unseen.nats, np.array(base) - np.array(own), atol=5e-3)  # a file keeps four digits


def test_decisions_of_the_last_games_stand_as_if_they_were_all(own_games: Callable[..., Path], tmp_path: Path) -> None:
    games = find_person(open_data([str(own_games(16))], "chess", named=True), "").games
    last, _ = _learned(games[6:], tmp_path / "last")
    cut, _ = _learned(games, tmp_path / "all", first=6)
    assert cut.chosen == last.chosen
    assert np.allclose(cut.gained, last.gained)


def test_people_are_the_unit() -> None:
    def person(points: float) -> Unseen:
        return Unseen(np.arange(10), np.arange(10) % 3, np.full(10, points), np.zeros(10))

    alike, apart = pool_people([person(2.0)] * 9)[0], pool_people([person(-6.0 + each) for each in range(17)])[0]
    assert (alike.low, alike.value, alike.high) == (2.0, 2.0, 2.0)
    assert apart.value == 2.0
    assert apart.low < 1.0
    assert apart.high > 3.0
    assert person(-1.0).is_worse
    assert not person(1.0).is_worse
