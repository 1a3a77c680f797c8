"""Events: kept block by block, resumed to the same games, stopped by a sequential test, drawn up into standings."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hitonami.core import Setup, open_game
from hitonami.errors import BadData, BadInput
from hitonami.matches import tournament
from hitonami.matches.block import Played, play_block
from hitonami.matches.elo import Anchor
from hitonami.matches.entrants import read_entrants
from hitonami.matches.openings import Opening, read_openings
from hitonami.matches.pairing import Judge, Schedule
from hitonami.matches.sprt import Sprt
from hitonami.matches.standings import draw_up
from hitonami.matches.tournament import Event, Store, record_of, run_tournament, try_out
from hitonami.records import Record, open_format
from hitonami.report.tournament import as_json, as_lines
from hitonami.report.tournament_page import as_page
from hitonami.specs import mind_spec

START = (Opening(Setup()),)


def plan_of(*players: str, **fields: Any) -> Schedule:
    names = players or ("uniform@1500", "uniform@1400", "uniform@1300,best")
    return Schedule(
        fields.pop("game", "chess"),
        read_entrants(names),
        fields.pop("games", 4),
        fields.pop("openings", START),
        **{"max_plies": 24, "block_games": 2} | fields,
    )


def test_an_event_is_kept_and_read_back(tmp_path: Path) -> None:
    plan = plan_of()
    event = run_tournament(plan, Store(tmp_path / "event", plan))
    again = run_tournament(plan, Store(tmp_path / "event", plan, resume=True))
    assert len(event.games) == 12
    assert again == event
    assert run_tournament(plan) == event
    assert not list((tmp_path / "event").rglob("*.part"))


def test_blocks_that_are_there_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, folder, asked = plan_of(), tmp_path / "event", []
    event = run_tournament(plan, Store(folder, plan))
    lost = sorted((folder / "games").glob("00-02-*.json"))[0]
    lost.unlink()

    def watched(plan: Schedule, block: Any) -> list[Played]:
        asked.append(block.name)
        return play_block(plan, block)

    monkeypatch.setattr(tournament, "play_block", watched)
    assert run_tournament(plan, Store(folder, plan, resume=True)) == event
    assert asked == [lost.stem]


def test_processes_play_the_same_games() -> None:
    plan = plan_of("uniform@1500", "uniform@1400", games=8, max_plies=10)
    assert run_tournament(plan, jobs=2) == run_tournament(plan)


def test_another_event_is_not_mixed_in(tmp_path: Path) -> None:
    plan = plan_of()
    Store(tmp_path, plan)
    with pytest.raises(BadInput, match="holds a tournament already: go on with --resume"):
        Store(tmp_path, plan)
    with pytest.raises(BadInput, match="holds another tournament: its max_plies, seed differ"):
        Store(tmp_path, replace(plan, seed=5, max_plies=2), resume=True)


def test_an_event_goes_on_with_more_games(tmp_path: Path) -> None:
    plan = plan_of()
    event = run_tournament(plan, Store(tmp_path / "event", plan))
    more = replace(plan, games=6)
    longer = run_tournament(more, Store(tmp_path / "event", more, resume=True))
    assert len(longer.games) == 18
    assert set(event.games) < set(longer.games)
    assert longer == run_tournament(more)


def test_only_those_meet_who_are_to(tmp_path: Path) -> None:
    plan = plan_of(meetings=((0, 2), (1, 2)))
    event = run_tournament(plan, Store(tmp_path / "event", plan))
    assert {frozenset((game.first, game.second)) for game in event.games} == {frozenset((0, 2)), frozenset((1, 2))}
    assert "meetings" not in plan_of().describe()
    assert plan.describe()["meetings"] == ((0, 2), (1, 2))


def test_a_damaged_block_is_named(tmp_path: Path) -> None:
    plan = plan_of()
    store = Store(tmp_path, plan)
    run_tournament(plan, store)
    block = next((tmp_path / "games").glob("*.json"))
    block.write_text("[{}]")
    with pytest.raises(BadData, match=f"{block.name} is damaged"):
        run_tournament(plan, Store(tmp_path, plan, resume=True))


@pytest.mark.parametrize(
    ("game", "suffix", "setup"), [("chess", "pgn", Setup()), ("shogi", "csa", Setup()), ("go", "sgf", Setup(size=9))]
)
def test_every_game_is_written_as_a_record(tmp_path: Path, game: str, suffix: str, setup: Setup) -> None:
    book = read_openings("book", open_game(game), setup)
    plan = plan_of("uniform@1500", "uniform@1400", game=game, setup=setup, openings=book)
    event = run_tournament(plan, Store(tmp_path, plan))
    files = sorted((tmp_path / "games").glob(f"*.{suffix}"))
    assert len(files) == (4 if suffix == "sgf" else 2)
    reader, read = open_format(suffix), []
    for file in files:
        with file.open("rb") as stream:
            read += [record for each in reader.documents(file.name, stream) for record in reader.read(each)]
    assert len(read) == 4
    for record, played in zip(read, event.games, strict=True):
        wanted = record_of(plan, played)
        assert isinstance(record, Record)
        assert (record.moves, record.score) == (wanted.moves, wanted.score)
        assert [player.name for player in record.players] == [player.name for player in wanted.players]


def test_a_sequential_test_stops_early(made: None, tmp_path: Path) -> None:
    hopeless = plan_of("uniform", str(_toml(tmp_path)), games=100, max_plies=60, block_games=4)
    event = run_tournament(hopeless, sprt=Sprt(0, 100))
    assert event.sprt is not None
    assert event.sprt.verdict == "H1"
    assert 4 <= len(event.games) < 100
    with pytest.raises(BadInput, match="between two players, got 3"):
        run_tournament(plan_of(), sprt=Sprt(0, 100))


def _toml(folder: Path) -> Path:
    """A mind that always thinks it has lost."""
    path = folder / "loser.toml"
    path.write_text('kind = "made"\nfirst = 0.0\nfails_at = 30\n')
    return path


def test_minds_are_tried_before_the_first_game(tmp_path: Path) -> None:
    try_out(plan_of())
    curve = tmp_path / "curve.toml"
    curve.write_text('kind = "temper"\nrho = [[1000, 1.0], [2000, 2.0]]\nmind = "uniform"\n')
    with pytest.raises(BadInput, match=r"player .*curve\.toml: .* give a rating"):
        try_out(plan_of(str(curve), "uniform"))
    with pytest.raises(BadInput, match="judge has no view of results"):
        try_out(plan_of(judge=Judge(mind_spec("uniform"))))


def game(first: int, second: int, number: int, score: float, **fields: Any) -> Played:
    moves = (number,) if "moves" not in fields else fields.pop("moves")
    return Played(first, second, number, score, fields.pop("termination", "checkmate"), Setup(), moves, 0, **fields)


@pytest.fixture
def event() -> Event:
    plan = plan_of("uniform@1500", "uniform@1400", "uniform@1300,best")
    games = [
        game(0, 1, 0, 1.0),
        game(1, 0, 1, 0.5, termination="move limit"),
        game(0, 1, 2, 0.0),
        game(1, 0, 3, 0.0),
        game(0, 2, 0, 1.0),
        game(2, 0, 1, 0.5),
        game(1, 2, 0, 0.0, termination="forfeit", forfeit="it crashed"),
        game(2, 1, 1, 0.0),
        game(2, 1, 3, 0.0, moves=(1,)),
    ]
    return Event(plan, tuple(games))


def test_standings_add_up(event: Event) -> None:
    found = draw_up(event)
    assert (found.cross[0, 1].wins, found.cross[0, 1].draws, found.cross[0, 1].losses) == (2, 1, 1)
    assert (found.cross[1, 0].wins, found.cross[1, 0].losses) == (1, 2)
    assert [score.games for score in found.totals] == [6, 7, 5]
    assert sum(score.points for score in found.totals) == 9
    assert found.order[0] == 0
    assert found.fit.ratings.mean() == pytest.approx(1400)
    assert found.forfeits == ((1, "it crashed"),)
    assert found.repeated == 1
    assert found.endings == {"checkmate": 7, "forfeit": 1, "move limit": 1}
    assert found.nominal is not None
    low, high = found.comparisons[0].interval
    assert 0 < low < found.comparisons[0].actual == 0.625 < high < 1


def test_ranks_are_not_taken_for_elo() -> None:
    plan = plan_of("uniform@20", "uniform@25", game="go", setup=Setup(size=9), openings=(Opening(Setup(size=9)),))
    found = draw_up(Event(plan, (game(0, 1, 0, 1.0), game(1, 0, 1, 1.0), game(0, 1, 2, 0.0))))
    assert found.nominal is None
    assert [each.expected for each in found.comparisons] == [None]
    assert found.fit.ratings.mean() == pytest.approx(0.0)
    text = "\n".join(as_lines(found))
    assert "Elo scale: mean 0" in text
    assert "chi-square" not in text
    assert "squares: as given" not in as_page(found)


def test_anchors_fix_the_scale(event: Event) -> None:
    found = draw_up(event, {2: Anchor(1000.0)})
    assert found.fit.ratings[2] == 1000
    assert "anchored: uniform@1300,best = 1000" in "\n".join(as_lines(found))
    assert not found.without  # one anchor has no other to be held against


def test_anchors_are_held_against_each_other(event: Event) -> None:
    found = draw_up(event, {0: Anchor(1500.0, 40.0), 2: Anchor(1000.0, 50.0)})
    other = found.without[2]
    assert other.error > 40.0  # no game tells more of it than the other anchor is known by
    low, high = found.fit.interval(2)
    assert min(1000.0, other.elo) <= found.fit.ratings[2] <= max(1000.0, other.elo)
    assert high - low < 4 * 50.0
    text = "\n".join(as_lines(found))
    assert "uniform@1300,best = 1000 ± 50" in text
    assert "standard errors" in text
    assert as_json(found)["anchors"][1]["told"] == {"elo": 1000.0, "error": 50.0}


def test_the_text_says_what_matters(event: Event) -> None:
    lines = list(as_lines(draw_up(event)))
    text = "\n".join(lines)
    assert lines[0].startswith("chess, round robin, 9 games; the first side scored 33.3%")
    assert lines[2].split()[0] == "uniform@1500"
    assert "forfeited by uniform@1400 (1): it crashed" in text
    assert "1 games repeat an earlier one" in text
    assert "chi-square" in text


def test_json_and_page_hold_the_same(event: Event) -> None:
    found = draw_up(event)
    data = json.loads(json.dumps(as_json(found)))
    assert data["players"][0]["player"] == "uniform@1500"
    assert data["pairs"][0] | {"score": None, "elo_difference": None} == {
        "a": "uniform@1500", "b": "uniform@1400", "wins": 2, "draws": 1, "losses": 1, "score": None,
        "expected_by_given": pytest.approx(0.64, abs=0.001), "expected_by_fit": pytest.approx(0.6, abs=0.15),
        "elo_difference": None,
    }  # fmt: skip
    assert data["superiority"]["uniform@1500"]["uniform@1400"] > 0.5
    page = as_page(found)
    for word in ("uniform@1500", "it crashed", "chi-square", "+2 =1 −1", "<svg"):
        assert word in page
