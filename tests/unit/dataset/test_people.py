"""Targets are chosen by games played and are in no game of the base, under whatever name a copy of it goes."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from hitonami.cli.data import command
from hitonami.core import Player, Setup, open_game
from hitonami.dataset.batches import Batches, BatchPlan
from hitonami.dataset.names import Names, pseudonym
from hitonami.dataset.people import BASE, PEOPLE, TARGETS_FILE, Wanted, choose_targets, part_people, read_targets
from hitonami.dataset.shards import read_records, shards_in, table_of, write_shard
from hitonami.errors import BadInput
from hitonami.records import Record

KEY = b"k" * 32
SCHEDULE = {"anna": 6, "bela": 5, "carl": 4, "dora": 2}


def game_of(number: int, white: str, black: str, pool: str = "lichess") -> Record:
    """A game of its own: the number is in the moves, four a digit."""
    position, moves = open_game("chess").start(), []
    for digit in f"{number:08d}":
        moves.append(int(position.legal[int(digit)]))
        position = position.play(moves[-1])
    return Record("chess", Setup(), tuple(moves), (Player(1500.0, pool, white), Player(1600.0, pool, black)), 1.0)


def write(folder: Path, records: list[Record], key: bytes | None = KEY) -> Path:
    folder.mkdir(parents=True)
    write_shard(table_of(records, ["made up"] * len(records), Names(key)), folder / "shard-00000.parquet")
    return folder


def schedule() -> Iterator[Record]:
    number = 0
    for name, count in SCHEDULE.items():
        for _ in range(count):
            number += 1
            white, black = (name, f"other{number}") if number % 2 else (f"other{number}", name)
            yield game_of(number, white, black)


def names_in(folder: Path) -> set[str | None]:
    return {player.name for path in shards_in(folder) for record in read_records(path) for player in record.players}


def hidden(name: str, pool: str = "lichess") -> str:
    return pseudonym(name, pool, KEY)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write(tmp_path / "club", list(schedule()))


def test_no_game_of_a_target_is_in_the_base(data: Path, tmp_path: Path) -> None:
    targets, [part] = part_people([data], tmp_path / "apart", Wanted(targets=2, least_games=1))
    assert targets == {"lichess": (hidden("anna"), hidden("bela"))}
    assert (part.base, part.people) == (6, 11)
    base, people = tmp_path / "apart" / BASE / "club", tmp_path / "apart" / PEOPLE / "club"
    assert not names_in(base) & set(targets["lichess"])
    assert hidden("carl") in names_in(base)
    for path in shards_in(people):
        assert all({player.name for player in each.players} & set(targets["lichess"]) for each in read_records(path))
    assert read_targets(tmp_path / "apart" / TARGETS_FILE) == targets
    Batches([base], BatchPlan("lc0", batch_size=2, split="train"))  # both halves are datasets like others
    assert json.loads((base / "manifest.json").read_text())["people"]["half"] == BASE


def test_a_copy_without_names_is_theirs_too(data: Path, tmp_path: Path) -> None:
    nameless = [
        replace(record, players=(Player(1500.0, "lichess"), Player(1600.0, "lichess")))
        for record in [*list(schedule())[:3], game_of(999, "", "")]
    ]
    bare = write(tmp_path / "bare", nameless)
    _, parts = part_people([data, bare], tmp_path / "apart", Wanted(targets=2, least_games=1))
    assert [(part.name, part.base, part.people) for part in parts] == [("club", 6, 11), ("bare", 1, 3)]


def test_each_pool_has_its_own_and_bots_are_nobody(tmp_path: Path) -> None:
    over_the_board = [game_of(100 + at, "anna", f"p{at}", "fide") for at in range(3)]
    bots = [
        replace(each, players=(replace(each.players[0], name="machine", kind="bot"), each.players[1]))
        for each in (game_of(200 + at, "", f"q{at}") for at in range(9))
    ]
    data = write(tmp_path / "mixed", [*schedule(), *over_the_board, *bots])
    chosen = choose_targets([data], Wanted(targets=1, least_games=3))
    assert chosen == {"fide": (hidden("anna", "fide"),), "lichess": (hidden("anna"),)}
    assert choose_targets([data, data], Wanted(targets=1, least_games=4)) == {"lichess": (hidden("anna"),)}, (
        "a game that two datasets hold counts once"
    )


def test_who_was_chosen_before_stays_chosen(data: Path, tmp_path: Path) -> None:
    part_people([data], tmp_path / "first", Wanted(targets=1, least_games=1))
    later = write(tmp_path / "later", [game_of(300 + at, "zoe", f"r{at}") for at in range(20)])
    wanted = Wanted(targets=1, least_games=1, known=tmp_path / "first" / TARGETS_FILE)
    targets, parts = part_people([data, later], tmp_path / "second", wanted)
    assert targets == {"lichess": (hidden("anna"),)}
    assert [part.people for part in parts] == [6, 0]


def test_names_of_people_are_refused(tmp_path: Path) -> None:
    named = write(tmp_path / "named", list(schedule()), key=None)
    with pytest.raises(BadInput, match="pseudonyms only"):
        part_people([named], tmp_path / "apart", Wanted(targets=2, least_games=1))
    assert not (tmp_path / "apart").exists()


def test_what_is_refused_leaves_nothing_behind(data: Path, tmp_path: Path) -> None:
    twin = write(tmp_path / "else" / "club", list(schedule()))
    with pytest.raises(BadInput, match="two datasets are called club"):
        part_people([data, twin], tmp_path / "apart", Wanted())
    with pytest.raises(BadInput, match="nobody has 100 games"):
        part_people([data], tmp_path / "apart", Wanted())
    with pytest.raises(BadInput, match="no list of targets"):
        part_people([data], tmp_path / "apart", Wanted(known=data / "shard-00000.parquet"))
    assert {path.name for path in tmp_path.iterdir()} == {"club", "else"}


def test_the_command_says_what_went_where(data: Path, tmp_path: Path) -> None:
    words = ["people", str(data), "--out", str(tmp_path / "apart"), "--targets", "1", "--games", "2"]
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.output == "club: 11 games of others, 6 of targets\ntargets: 1 of lichess\n"
    assert "anna" not in (tmp_path / "apart" / TARGETS_FILE).read_text()
