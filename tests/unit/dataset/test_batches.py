"""Batches: the same stream for a seed whatever the workers, resumable, shuffled, and true to the games."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.batches import Batch, Batches, BatchPlan, Place
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import splits_of
from hitonami.dataset.samples import samples_of
from hitonami.dataset.shards import content_of, table_of, write_shard
from hitonami.errors import BadInput
from hitonami.models.encoders.katago import Katago
from hitonami.models.encoders.lc0 import Lc0
from hitonami.records import Record


def random_game(name: str, seed: int, setup: Setup = Setup(), most: int = 60) -> Record:  # noqa: B008
    rng = np.random.default_rng(seed)
    position = open_game(name).start(setup)
    moves: list[int] = []
    while len(position.legal) and len(moves) < most:
        moves.append(int(rng.choice(position.legal)))
        position = position.play(moves[-1])
    players = (Player(1000.0 + seed, "lichess", f"a{seed}"), Player(2000.0, "lichess", f"b{seed}"))
    clocks = tuple(300.0 - at for at in range(len(moves)))
    return Record(name, setup, tuple(moves), players, [0.0, 0.5, 1.0][seed % 3], time_control="300+2", clocks=clocks)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    for shard in range(2):
        games = [random_game("chess", 100 * shard + at) for at in range(60)]
        write_shard(table_of(games, ["made up"] * len(games)), folder / f"shard-{shard:05d}.parquet")
    return folder


PLAN = BatchPlan("lc0", batch_size=16, positions_per_game=4, games_per_group=20, chosen="plies:10", seed=5)


def first(batches: Iterator[Batch], count: int) -> list[Batch]:
    return list(islice(batches, count))


def same(one: Batch, other: Batch) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[k], other[k], equal_nan=True) for k in one)


def test_the_stream_depends_on_the_seed_alone(dataset: Path) -> None:
    alone = first(iter(Batches([dataset], PLAN)), 12)
    crowd = first(iter(Batches([dataset], PLAN, workers=2)), 12)
    assert all(same(one, other) for one, other in zip(alone, crowd, strict=True))
    other_seed = first(iter(Batches([dataset], BatchPlan(**{**vars(PLAN), "seed": 6}))), 1)
    assert not same(alone[0], other_seed[0])


def test_a_stream_goes_on_where_it_was(dataset: Path) -> None:
    whole = list(islice(Batches([dataset], PLAN).stream(), 14))
    for stopped_after in (1, 4, 7):
        place = whole[stopped_after - 1][1]
        rest = list(islice(Batches([dataset], PLAN).stream(place), 5))
        for (batch, after), (wanted, wanted_after) in zip(rest, whole[stopped_after:], strict=False):
            assert same(batch, wanted)
            assert after == wanted_after
    assert whole[0][1] == Place(0, 1)


def test_rows_are_what_the_games_say(dataset: Path) -> None:
    batch = first(iter(Batches([dataset], PLAN)), 1)[0]
    assert batch["planes"].shape == (16, 112, 8, 8)
    for row in range(16):
        strong = batch["rating"][row] == 2000.0
        seed = int((batch["opponent_rating"][row] if strong else batch["rating"][row]) - 1000)
        record, ply = random_game("chess", seed), int(batch["ply"][row])
        assert ply >= 10
        assert strong == (ply % 2 == 1)
        position = open_game("chess").start()
        for move in record.moves[:ply]:
            position = position.play(move)
        head = Lc0().head_index(position)
        legal = batch["legal"][row]
        assert legal[: len(head)].tolist() == head.tolist()
        assert (legal[len(head) :] == -1).all()
        assert batch["target"][row] == head[np.searchsorted(position.legal, record.moves[ply])]
        assert record.score is not None
        mover_score = record.score if ply % 2 == 0 else 1 - record.score
        assert batch["wdl"][row].tolist() == [mover_score == 1, mover_score == 0.5, mover_score == 0]
        assert batch["clock_seconds"][row] == record.clocks[ply - 2]


def test_splits_are_kept_apart_and_every_game_is_seen(dataset: Path) -> None:
    games = [random_game("chess", 100 * shard + at) for shard in range(2) for at in range(60)]
    wanted = splits_of(np.array([content_of(game) for game in games], dtype=np.uint64))
    for number, split in enumerate(("train", "validation", "test")):
        plan = BatchPlan("lc0", batch_size=1, positions_per_game=1, games_per_group=20, split=split, seed=1)  # type: ignore[arg-type]
        expected = {game.players[0].rating for game, which in zip(games, wanted, strict=True) if which == number}
        seen = set()
        for batch in islice(Batches([dataset], plan), len(expected)):
            seen.add(float(min(batch["rating"][0], batch["opponent_rating"][0])))
        assert seen == expected


def test_nothing_to_draw_is_said(tmp_path: Path, dataset: Path) -> None:
    with pytest.raises(BadInput, match="no shards"):
        Batches([tmp_path], PLAN)
    only = [game for game in (random_game("chess", at) for at in range(40)) if content_of(game) % (1 << 20) < 900_000]
    write_shard(table_of(only, ["x"] * len(only)), tmp_path / "shard-00000.parquet")
    plan = BatchPlan("lc0", split="test")
    with pytest.raises(BadInput, match="no game of the test split"):
        next(iter(Batches([tmp_path], plan)))


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"batch_size": 4096}, r"the validation split of .* gives \d+ games, 8 positions of each, .* batch of 4,096"),
        ({"batch_size": 8, "chosen": "plies:10000"}, "gives 0 positions, less than one batch of 8"),
    ],
)
def test_a_split_smaller_than_a_batch_is_refused_at_once(dataset: Path, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        next(iter(Batches([dataset], BatchPlan("lc0", split="validation", **changes))))


@pytest.mark.parametrize(
    ("game", "setup", "encoder"),
    [
        ("shogi", Setup(), "miniosl-rated"),
        ("go", Setup(size=9, handicap=2), "katago-rated"),
        ("go", Setup(), "katago-rated"),
    ],
)
def test_other_games_make_batches_too(game: str, setup: Setup, encoder: str, tmp_path: Path) -> None:
    games = [random_game(game, at, setup, most=30) for at in range(30)]
    write_shard(table_of(games, ["x"] * len(games)), tmp_path / "shard-00000.parquet")
    batch = next(iter(Batches([tmp_path], BatchPlan(encoder, batch_size=8, games_per_group=10))))
    assert (batch["target"] >= 0).all()
    assert all(target in legal for target, legal in zip(batch["target"], batch["legal"], strict=True))


def test_turned_rows_are_the_same_rows_seen_in_a_way_of_their_own(tmp_path: Path) -> None:
    games = [random_game("go", at, Setup(size=9), most=40) for at in range(30)]
    write_shard(table_of(games, ["made up"] * len(games)), tmp_path / "shard-00000.parquet")
    plan = BatchPlan("katago", batch_size=64, positions_per_game=4, games_per_group=30, chosen="plies:10")
    upright = next(iter(Batches([tmp_path], plan)))
    turned = next(iter(Batches([tmp_path], replace(plan, turned=True))))
    encoder = Katago()
    ways = []
    for row in range(64):
        one = {"planes": upright["planes"][row : row + 1]}
        fits = [w for w in range(8) if np.array_equal(encoder.turn(one, w)["planes"][0], turned["planes"][row])]
        assert len(fits) == 1
        places = encoder.head_turn(82, fits[0])
        assert turned["target"][row] == places[upright["target"][row]]
        kept = upright["legal"][row] >= 0
        assert np.array_equal(turned["legal"][row][kept], places[upright["legal"][row][kept]])
        assert (turned["legal"][row][~kept] == -1).all()
        ways += fits
    assert set(ways) == set(range(8))
    assert np.array_equal(turned["wdl"], upright["wdl"])


def test_a_game_without_symmetries_is_not_turned(dataset: Path) -> None:
    with pytest.raises(BadInput, match="knows no symmetries"):
        next(iter(Batches([dataset], replace(PLAN, turned=True))))


def test_a_record_that_goes_on_after_the_end_is_used_up_to_it() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    position, moves = open_game("chess").start(), []
    for text in shuffle * 5:
        board_move = {"g1f3": 6 | 21 << 6, "g8f6": 62 | 45 << 6, "f3g1": 21 | 6 << 6, "f6g8": 45 | 62 << 6}[text]
        moves.append(board_move)
        position = position.follow(board_move)
    samples = list(samples_of(Record("chess", Setup(), tuple(moves)), parse_filter("none")))
    assert len(samples) == 16, "the start stands for the fifth time after 16 plies"
    assert samples[-1].score is None
