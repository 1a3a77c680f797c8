"""What a ranker does to the probabilities of any mind."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.fits.foresight import write_ranker
from hitonami.levels import packaged_ranker
from hitonami.levels.rankers import Ranker, as_json, read_ranker
from hitonami.minds.foresight import FittedForesight, Foresight, rank_moves
from hitonami.minds.uniform import Uniform
from hitonami.sights import columns_of, sights_of

CHESS = open_game("chess")
EFFORT = Effort(np.random.default_rng(0))
HANGING = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 3"
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def query_of(fen: str, rating: float | None = 1500.0, pool: str = "lichess") -> Query:
    return Query(CHESS.start(Setup(start=fen)), Player(rating, pool), Player(rating, pool))


def ranker_that_likes(**liked: float) -> Ranker:
    """One hidden number a column that counts, passed through twice."""
    sights = sights_of("chess")
    assert sights is not None
    columns = columns_of(sights, ("lichess", "fide"))
    size = len(liked) or 1
    first = np.zeros((len(columns), size), dtype=np.float32)
    for at, name in enumerate(liked):
        first[columns.index(name), at] = 1.0
    second = np.concatenate([np.eye(size), np.zeros((size, size))]).astype(np.float32)
    zeros = np.zeros(size, dtype=np.float32)
    third = np.array(list(liked.values()) or [0.0], dtype=np.float32)
    weights = {"first": first, "first_bias": zeros, "second": second, "second_bias": zeros, "third": third}
    plain = np.zeros(len(columns), dtype=np.float32)
    return Ranker("chess", columns, ("lichess", "fide"), (800.0, 2600.0), plain, plain + 1, weights, {"seed": 0})


def by_move(query: Query, log_probs: np.ndarray) -> dict[str, float]:
    position = query.position
    return {CHESS.format(position, int(m)): float(p) for m, p in zip(position.legal, log_probs, strict=True)}


def test_a_ranker_that_learned_nothing_changes_nothing() -> None:
    query = query_of(HANGING)
    (plain,) = Uniform()([query], EFFORT)
    (ranked,) = rank_moves(ranker_that_likes(), [query], [plain.log_probs])
    assert ranked == pytest.approx(plain.log_probs, abs=1e-6)


def test_what_a_ranker_likes_becomes_likelier() -> None:
    query = query_of(HANGING)
    (plain,) = Uniform()([query], EFFORT)
    (ranked,) = rank_moves(ranker_that_likes(takes=3.0), [query], [plain.log_probs])
    moves = by_move(query, ranked)
    assert moves["c3d5"] == max(moves.values())
    assert moves["c3d5"] - moves["a2a3"] == pytest.approx(3 * 950 / 900, abs=1e-4)
    assert np.exp(ranked.astype(float)).sum() == pytest.approx(1, abs=1e-5)


def test_a_batch_is_ranked_as_its_positions_are() -> None:
    queries = [query_of(HANGING), query_of(BACK_RANK, 2400.0, "fide"), query_of(HANGING, 900.0)]
    inner = [opinion.log_probs for opinion in Uniform()(queries, EFFORT)]
    ranker = packaged_ranker("chess")
    assert ranker is not None
    together = rank_moves(ranker, queries, inner)
    alone = [rank_moves(ranker, [query], [own])[0] for query, own in zip(queries, inner, strict=True)]
    for one, other in zip(together, alone, strict=True):
        assert one == pytest.approx(other, abs=1e-4)
    assert together[0] != pytest.approx(together[2], abs=1e-3)  # who plays matters


class _Certain:
    """Nearly sure of one move, a little of a second, and next to nothing of the rest."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = []
        for query in queries:
            probs = np.full(len(query.position.legal), 1e-6)
            probs[:2] = 0.9, 0.1 - 1e-6 * (len(probs) - 2)
            opinions.append(Opinion(np.log(probs).astype(np.float32), None))
        return opinions


def test_moves_that_do_not_come_to_mind_keep_their_share() -> None:
    query = query_of(HANGING)
    (plain,) = _Certain()([query], EFFORT)
    (ranked,) = rank_moves(ranker_that_likes(takes=5.0, rook=2.0), [query], [plain.log_probs])
    assert ranked[2:] == pytest.approx(plain.log_probs[2:], abs=1e-6)
    assert np.exp(ranked[:2]).sum() == pytest.approx(np.exp(plain.log_probs[:2]).sum(), abs=1e-5)


def test_a_mate_is_likelier_the_stronger_the_player() -> None:
    found = []
    for rating, pool in ((900.0, "lichess"), (1500.0, "lichess"), (2500.0, "lichess")):
        query = query_of(BACK_RANK, rating, pool)
        (seen,) = Foresight(Uniform())([query], EFFORT)
        found.append(by_move(query, seen.log_probs)["a1a8"])
    assert found == sorted(found)
    assert found[0] > -np.log(len(query.position.legal))


def test_other_games_are_refused_and_players_without_rating_left_alone() -> None:
    go = Query(open_game("go").start(Setup(size=9)), Player(1500.0))
    with pytest.raises(BadInput, match="no ranker was fitted for go"):
        Foresight(Uniform())([go], EFFORT)
    unrated = query_of(HANGING, rating=None)
    mixed = FittedForesight(Uniform(), "chess".__eq__)
    (plain, bare), (seen, left) = Uniform()([unrated, go], EFFORT), mixed([unrated, go], EFFORT)
    assert np.array_equal(plain.log_probs, seen.log_probs)
    assert np.array_equal(bare.log_probs, left.log_probs)


def test_a_ranker_is_kept_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ranker.json"
    write_ranker(path, ranker_that_likes(takes=3.0))
    kept = read_ranker(path)
    assert as_json(kept) == as_json(ranker_that_likes(takes=3.0))
    assert kept.mark == ranker_that_likes(takes=3.0).mark != ranker_that_likes(takes=2.0).mark
    query = query_of(HANGING)
    (seen,) = Foresight(Uniform(), ranker=str(path))([query], EFFORT)
    assert by_move(query, seen.log_probs)["c3d5"] == max(seen.log_probs)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"third": [1.0, 2.0]}, "do not fit together"),
        ({"columns": None}, "not iterable"),
        ({"scale": [0.0] * 200}, "do not fit together"),
    ],
)
def test_what_is_no_ranker_is_refused(tmp_path: Path, change: dict[str, object], told: str) -> None:
    path = tmp_path / "ranker.json"
    path.write_text(json.dumps(as_json(ranker_that_likes(takes=1.0)) | change))
    with pytest.raises(BadSpec, match=told):
        read_ranker(path)
    path.write_text("{}")
    with pytest.raises(BadSpec, match="'game' is missing"):
        read_ranker(path)
    with pytest.raises(BadInput, match="is no file"):
        Foresight(Uniform(), ranker=str(tmp_path / "none.json"))([query_of(HANGING)], EFFORT)
