"""Twins from records to moves: what they learn, what they refuse, what they leave behind."""

import json
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.style.conftest import PERSON

from hitonami.core import Effort, Mind, Player, Query, Setup, index_of, open_game
from hitonami.errors import BadInput
from hitonami.specs import open_mind
from hitonami.style import decisions
from hitonami.style.making import TwinWish, make_twin
from hitonami.terminal.progress import Meter
from hitonami.twins.store import MOST_BYTES, find_twin, forget_twin, list_twins, twins_store, work_folder

Games = Callable[..., Path]


def _make(file: Path, name: str = "hana", **words: object) -> object:
    return make_twin(TwinWish("chess", name, mind="uniform", **words), [str(file)], Meter)  # type: ignore[arg-type]


def test_a_twin_begins_as_the_person_does_and_likes_what_the_person_likes(own_games: Games) -> None:
    made = make_twin(TwinWish("chess", "hana", mind="uniform"), [str(own_games(40))], Meter)
    assert made.size_bytes <= MOST_BYTES
    assert made.worth.nats.high < 0 < made.worth.points.low
    chess = open_game("chess")
    start = chess.start()
    with open_mind("twin:hana") as mind:
        [first] = mind([Query(start)], Effort.seeded())
        later = chess.read("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/3P1N2/PPP2PPP/RNBQKB1R b KQkq - 0 4")
        [second] = mind([Query(later, Player(2500.0, "fide"))], Effort.seeded())
    assert np.exp(first.log_probs[index_of(start, chess.parse(start, "e2e4"))]) > 0.5
    queen = index_of(later, chess.parse(later, "d8e7"))
    assert np.exp(second.log_probs[queen]) > 2 / len(later.legal)


def test_the_base_is_told_the_persons_own_rating(own_games: Games) -> None:
    _make(own_games(12))
    told: list[Player] = []

    def base(queries: list[Query], effort: Effort) -> list[object]:
        told.extend(query.player for query in queries)
        raise InterruptedError

    from hitonami.minds.twin import TwinMind

    with pytest.raises(InterruptedError):
        TwinMind(find_twin("hana"), base)([Query(open_game("chess").start(), Player(2800.0, "fide"))], Effort.seeded())  # type: ignore[arg-type]
    assert told == [Player(1500.0, "lichess")]
    start, twin = open_game("chess").start(), find_twin("hana")
    for opponent, seen in (
        (Player(2800.0, "fide"), 1500.0),  # an equal of whoever sat there
        (Player(1200.0, "fide"), 1500.0),  # of another scale
        (Player(1200.0, "lichess"), 1200.0),
    ):
        assert twin.told(Query(start, Player(2800.0, "fide"), opponent)).opponent == Player(seen, "lichess")


def test_where_nothing_helps_the_twin_is_its_base(tmp_path: Path, own_games: Games) -> None:
    from hitonami.style.learning import _helps

    rng = np.random.default_rng(0)
    games = np.repeat(np.arange(50), 20)
    assert not _helps(np.zeros(1000), games)
    assert not _helps(-np.abs(rng.normal(size=1000)), games)
    assert _helps(np.abs(rng.normal(size=1000)), games)


def test_the_person_is_found_among_others_and_others_games_stay_out(own_games: Games) -> None:
    files = [own_games(14), own_games(12, "Somebody Else", first=100)]
    with pytest.raises(BadInput, match=r"several people: say whose they are with --player"):
        make_twin(TwinWish("chess", "hana", mind="uniform"), list(map(str, files)), Meter)
    made = make_twin(TwinWish("chess", "hana", "hana EXAMPLE", mind="uniform"), list(map(str, files)), Meter)
    assert (made.games, made.person.others) == (14, 12)
    with pytest.raises(BadInput, match=r"none of 26 games is of 'Nobody'"):
        make_twin(TwinWish("chess", "hana", "Nobody", mind="uniform"), list(map(str, files)), Meter)


def test_other_people_are_learned_from_and_oneself_is_none_of_them(own_games: Games) -> None:
    own = own_games(12, plies=16)
    others = [own_games(20, f"Somebody {at}", plies=12, first=1000 * (at + 1)) for at in range(3)]
    wish = TwinWish("chess", "hana", mind="uniform", among=tuple(map(str, [*others, own])))
    made = make_twin(wish, [str(own)], Meter)
    assert made.twin.provenance["others"] == 3
    assert made.worth.nats.high < 0
    assert not work_folder("hana").exists()
    alone = TwinWish("chess", "again", mind="uniform", among=(str(own),))
    with pytest.raises(BadInput, match=r"nobody else in .* has 20 games"):
        make_twin(alone, [str(own)], Meter)


def test_the_study_of_twins_runs_small_and_goes_on(own_games: Games, tmp_path: Path) -> None:
    """recipes/twins.py, whole: others who teach, then people who are studied over what they taught."""
    recipe = runpy.run_path(str(Path(__file__).parents[3] / "recipes" / "twins.py"))
    records = tmp_path / "records"
    records.mkdir()
    for at in range(3):
        own_games(14, f"Person {at}", plies=12, first=1000 * at).rename(records / f"{at}.pgn")
    words = [str(records), "--mind", "uniform", "--pool", "lichess:3", "--learned", "10"]
    recipe["main"](recipe["parse"]([*words, str(tmp_path / "others"), "--unseen", "0", "--only-ask"]))
    words += [str(tmp_path / "out"), "--unseen", "4", "--queries", "6,10", "--among", str(tmp_path / "others")]
    recipe["main"](recipe["parse"]([*words, "--only-ask"]))
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.npz")}
    recipe["main"](recipe["parse"]([*words, "--kept", "--similar", "1"]))
    worth = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.npz")}
    assert kept.items() <= worth.items()
    assert len(worth) == len(kept) + 3 * 2 * 4
    recipe["main"](recipe["parse"]([*words, "--kept", "--similar", "1"]))
    assert worth == {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.npz")}
    rows = json.loads((tmp_path / "out" / "outcome.json").read_text())
    assert {(row["twin"], row["games"]) for row in rows} == {
        (twin, games)
        for twin in ("own games alone", "prior of many", "similar, then own", "prior, similar, then own")
        for games in (6, 10)
    }
    whole = [row for row in rows if row["plies"] == "all plies" and "against" not in row]
    assert all(row["people"] == 3 and row["nats"][0] < 0 for row in whole)


@pytest.mark.parametrize("name", ["", "../up", "a b", ".hidden", "x" * 41])
def test_names_that_are_no_names_are_refused(own_games: Games, name: str) -> None:
    with pytest.raises(BadInput, match=r"a twin's name is"):
        _make(own_games(12), name)


def test_one_game_is_too_few_and_leaves_nothing(own_games: Games) -> None:
    with pytest.raises(BadInput, match=r"1 game of this person: a twin needs 10 at least"):
        make_twin(TwinWish("chess", "hana", PERSON, mind="uniform"), [str(own_games(1))], Meter)
    assert not twins_store().exists()


def test_files_that_are_no_games_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "bad.pgn"
    file.write_bytes(b"\x00\xffno game at all")
    with pytest.raises(BadInput):
        _make(file)


def test_forgetting_removes_all_of_it(own_games: Games) -> None:
    _make(own_games(12))
    work_folder("hana").mkdir()
    (work_folder("hana") / "block-00000.npz").write_bytes(b"")
    assert [kept.name for kept in list_twins()] == ["hana"]
    forget_twin("hana")
    assert list(twins_store().iterdir()) == []
    with pytest.raises(BadInput, match=r"there is no twin 'hana'"):
        forget_twin("hana")


def test_no_name_and_no_game_is_in_the_file(own_games: Games) -> None:
    import gzip

    _make(own_games(12))
    text = gzip.decompress((twins_store() / "hana.twin").read_bytes())
    assert b"Example" not in text
    assert b"Other" not in text
    assert b"2026" not in text


def test_a_twin_plays_only_its_own_game(own_games: Games) -> None:
    _make(own_games(12))
    query = Query(open_game("othello").start(Setup()))
    with open_mind("twin:hana") as mind, pytest.raises(BadInput, match=r"plays chess, not othello"):
        mind([query], Effort.seeded())


def test_a_file_of_somebody_else_starts_no_program(own_games: Games, tmp_path: Path) -> None:
    from dataclasses import replace

    from hitonami.twins.store import pack

    _make(own_games(12))
    strange = replace(find_twin("hana"), provenance={"mind": "uci:touch /tmp/never"})
    file = tmp_path / "strange.twin"
    file.write_bytes(pack(strange))
    with pytest.raises(BadInput, match=r"say which mind it shall be over"), open_mind(f"twin:{file}"):
        pass


def test_damaged_files_are_named_and_the_rest_is_listed(own_games: Games) -> None:
    _make(own_games(12))
    (twins_store() / "broken.twin").write_bytes(b"\x1f\x8b\x08nothing")
    kept = {each.name: each for each in list_twins()}
    assert kept["hana"].twin is not None
    assert kept["broken"].twin is None
    assert "broken.twin" in kept["broken"].problem


def test_a_killed_run_goes_on_with_what_it_had(own_games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    """kill -9 after the second block: the next run asks only about the rest, and the twin is the same."""
    file = own_games(60)
    command = [sys.executable, "-m", "hitonami", "twin", "chess", str(file), "--name", "hana", "--mind", "uniform"]
    work = work_folder("hana")
    running = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and not (work / "block-00001.npz").exists():
        time.sleep(0.002)
    running.send_signal(signal.SIGKILL)
    running.wait()
    if not work.is_dir():
        pytest.skip("it was done before it could be killed")
    kept = {path.name: path.stat().st_mtime_ns for path in work.glob("block-*.npz")}
    assert len(kept) >= 2 or not (work / "block-00001.npz").exists()
    asked, inner = [], decisions.ask_block

    def count(samples: Any, mind: Mind, effort: Effort) -> decisions.Decisions:
        asked.append(1)
        return inner(samples, mind, effort)

    monkeypatch.setattr(decisions, "ask_block", count)
    made = make_twin(TwinWish("chess", "hana", mind="uniform"), [str(file)], Meter)
    assert len(asked) == -(-made.decisions // decisions.BLOCK) - len(kept)
    assert not work.exists()
    make_twin(TwinWish("chess", "again", mind="uniform"), [str(file)], Meter)
    one, other = ((twins_store() / f"{name}.twin").stat().st_size for name in ("hana", "again"))
    assert abs(one - other) < 20  # their names differ


def test_a_twin_is_an_opponent_on_the_page_and_in_a_gui(own_games: Games) -> None:
    from hitonami.web.opponents import read_roster

    _make(own_games(12))
    style = read_roster(["chess:My rival=twin:hana"]).style("chess", "My rival")
    assert (style.mind, style.shown, style.follows_level) == ("twin:hana", "twin", False)
    command = [sys.executable, "-m", "hitonami", "engine", "chess", "--mind", "twin:hana"]
    told = "uci\nisready\nposition startpos\ngo nodes 1\nquit\n"
    done = subprocess.run(command, input=told, capture_output=True, text=True, env=os.environ, check=True)
    assert "bestmove" in done.stdout
