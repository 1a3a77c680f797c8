"""Which decisions are drawn: from which games, how many, always the same ones."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup
from hitonami.dataset.groups import split_of
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.shards import content_of, read_records, shards_in, table_of, write_shard
from hitonami.errors import BadData, BadInput
from hitonami.evaluate.selection import MOST_OF_A_GAME, Selected, Selection, select
from hitonami.records import Record, write_record

Write = Callable[..., Path]
ANY = Selection("chess", filter_text="human,plies:4", positions=30)


@pytest.fixture(scope="session")
def folder(write_games: Write) -> Path:
    return write_games("chess", 60)


def drawn_from(folder: Path, plan: Selection = ANY) -> Selected:
    return select(open_data([str(folder)], plan.game), plan)


def decisions(drawn: Selected) -> set[tuple[int, int]]:
    return {(pick.content, ply) for pick in drawn.picks for ply in pick.plies}


def records_in(folder: Path) -> list[Record]:
    return [record for path in shards_in(folder) for record in read_records(path)]


def save(records: list[Record], folder: Path) -> Path:
    folder.mkdir()
    write_shard(table_of(records, ["made up"] * len(records)), folder / "shard-00000.parquet")
    return folder


def test_as_many_of_each_group_and_few_of_a_game(folder: Path) -> None:
    drawn = drawn_from(folder)
    counts = Counter(group for pick in drawn.picks for group in pick.groups)
    for group, available in drawn.available.items():
        assert counts[group] == min(30, available)
    assert max(len(pick.plies) for pick in drawn.picks) <= MOST_OF_A_GAME
    assert {group.pool for group in counts} == {"lichess", "fide"}
    assert min(ply for pick in drawn.picks for ply in pick.plies) >= 4


def test_the_draw_does_not_depend_on_the_order_of_games_or_on_repeats(folder: Path, tmp_path: Path) -> None:
    records = records_in(folder)
    mixed = [records[at] for at in np.random.default_rng(0).permutation(len(records))]
    other = save([*mixed, *records[:20]], tmp_path / "mixed")
    assert decisions(drawn_from(other)) == decisions(drawn_from(folder))


def test_a_smaller_draw_is_part_of_a_larger_one_and_seeds_differ(folder: Path) -> None:
    large, small = decisions(drawn_from(folder)), decisions(drawn_from(folder, replace(ANY, positions=5)))
    assert small < large
    assert decisions(drawn_from(folder, replace(ANY, positions=5, seed=1))) != small


def test_every_move_is_as_likely(write_games: Write) -> None:
    """Long games give no more than six decisions, and which ones is even over the plies."""
    drawn = drawn_from(write_games("chess", 300), Selection("chess", "none", 10_000, "none"))
    plies = np.array([ply for pick in drawn.picks for ply in pick.plies])
    counts, _ = np.histogram(plies, bins=4, range=(0, 40))
    assert counts.min() > 0.8 * counts.mean()


def test_samples_are_the_moves_of_the_record(folder: Path) -> None:
    records = {content_of(record): record for record in records_in(folder)}
    drawn = drawn_from(folder)
    for pick in drawn.picks:
        record = records[pick.content]
        for sample, group in pick.samples():
            ply = sample.query.position.ply
            assert sample.move == record.moves[ply]
            assert sample.query.player.rating == record.players[ply % 2].rating
            assert group == pick.groups[pick.plies.index(ply)]
            assert sample.query.player.name is None  # nobody is named past the reader


def test_splits_divide_the_games(folder: Path) -> None:
    whole = {content for content, _ in decisions(drawn_from(folder))}
    train = {content for content, _ in decisions(drawn_from(folder, replace(ANY, split="train")))}
    assert {content for content in whole if split_of(content) == "train"} <= train
    assert all(split_of(content) == "train" for content in train)


def test_a_pool_is_filled_in_and_others_are_left_out(folder: Path, tmp_path: Path) -> None:
    records = records_in(folder)
    unknown = [replace(each, players=_in_pool(each, "")) for each in records[:10]]
    here = save([*unknown, *records[10:]], tmp_path / "some")
    drawn = drawn_from(here, replace(ANY, pool="fide"))
    assert {pool for pick in drawn.picks for pool in pick.pools} == {"fide"}
    assert drawn.left_out["pool"] == sum(each.players[0].pool != "fide" for each in records[10:])
    assert drawn.games_kept == len(records) - drawn.left_out["pool"]


def test_where_no_game_is_of_the_pool_the_caller_is_believed(folder: Path) -> None:
    drawn = drawn_from(folder, replace(ANY, pool="club"))
    assert drawn.renamed == drawn.tally.games == 60
    assert {pool for pick in drawn.picks for pool in pick.pools} == {"club"}
    assert drawn_from(folder, replace(ANY, pool="fide")).renamed == 0


def _in_pool(record: Record, pool: str) -> tuple[Player, Player]:
    first, second = record.players
    return replace(first, pool=pool), replace(second, pool=pool)


def test_the_size_asked_for_replaces_the_filters(write_games: Write) -> None:
    folder = write_games("go", 8, Setup(size=9), Setup(size=13))
    plan = Selection("go", "rank", 50, "maia-like", size=9)
    assert plan.rules.text == "human,plies:10,no-bullet,clock:30,rated-both,gap:200,no-handicap,size:9"
    found = select(open_data([str(folder)], "go"), replace(plan, filter_text="plies:10"))
    assert {sample.query.position.setup.size for pick in found.picks for sample, _ in pick.samples()} == {9}
    with pytest.raises(BadInput, match="one board size"):
        Selection("chess", size=9)


def test_nothing_left_says_why(folder: Path) -> None:
    with pytest.raises(BadInput, match=r"no decision is left of 60 games; games left out by rule: rating \(60\)"):
        drawn_from(folder, replace(ANY, filter_text="rating:5000-6000"))


def test_records_and_shards_give_the_same_decisions(folder: Path, tmp_path: Path) -> None:
    standard = [each for each in records_in(folder) if each.score is not None]
    text = "\n\n".join(write_record(replace(each, event="rated game"), "pgn") for each in standard)
    (tmp_path / "games.pgn").write_text(text, encoding="utf-8")
    plan = replace(ANY, by="none", positions=100)
    assert decisions(drawn_from(tmp_path / "games.pgn", plan)) == decisions(
        drawn_from(save(standard, tmp_path / "shards"), plan)
    )


def test_a_half_bad_file_gives_its_good_half_and_counts_the_rest(folder: Path, tmp_path: Path) -> None:
    good = [write_record(each, "pgn") for each in records_in(folder)[:6]]
    bad = '[Event "?"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n'
    (tmp_path / "half.pgn").write_text("\n\n".join([*good[:3], bad, *good[3:], bad]), encoding="utf-8")
    tally = Tally()
    found = list(open_data([str(tmp_path / "half.pgn")], "chess").games(tally))
    assert (len(found), tally.games, tally.rejected.total()) == (6, 6, 2)


def test_broken_shards_and_foreign_games_are_told(folder: Path, write_games: Write, tmp_path: Path) -> None:
    (tmp_path / "shard-00000.parquet").write_bytes(shards_in(folder)[0].read_bytes()[:2_000])
    tally = Tally()
    found = list(open_data([str(tmp_path), str(folder), str(write_games("shogi", 4))], "chess").games(tally))
    assert len(found) == 60
    assert tally.rejected == Counter({"a game of shogi": 4})
    assert len(tally.broken) == 1
    assert "a damaged shard" in tally.broken[0]
    with pytest.raises(BadData, match="a damaged shard"):
        list(open_data([str(tmp_path)], "chess").games(Tally()))


def test_shards_and_files_are_read_side_by_side_with_progress(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "more.pgn").write_text(write_record(records_in(folder)[0], "pgn"), encoding="utf-8")
    data = open_data([str(folder), str(tmp_path / "more.pgn"), str(folder)], "chess")
    seen: list[int] = []
    assert len(list(data.games(Tally(), report=seen.append))) == 61  # a shard that is named twice is read once
    assert seen == sorted(seen)
    assert seen[-1] == data.bytes_total


@pytest.mark.parametrize(("argument", "reason"), [("absent.pgn", "absent.pgn"), ("absent.parquet", "no such file")])
def test_missing_data_is_refused_by_name(tmp_path: Path, argument: str, reason: str) -> None:
    with pytest.raises(BadData, match=reason):
        open_data([str(tmp_path / argument)], "chess")


def test_complaints_name_files_first_and_then_reasons() -> None:
    tally = Tally(3, Counter({"no moves": 2, "a game of go": 1_000}), ["half.zip: cut off"])
    assert list(tally.complaints()) == [
        "half.zip: cut off",
        "1,002 games could not be used: 1,000 a game of go, 2 no moves",
    ]
    assert not list(Tally(3).complaints())
