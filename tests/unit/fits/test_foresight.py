"""A ranker is learned from choices that were drawn by a rule: it likes what the rule likes, by rating."""

from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Effort, Player, Position, Query, open_game
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.selection import Selection
from hitonami.fits.foresight import Batch, ForesightWish, Seen, check_ranker, fit_ranker, run_foresight, write_ranker
from hitonami.levels.rankers import read_ranker
from hitonami.minds.uniform import Uniform
from hitonami.sights import look, sights_of
from hitonami.terminal.progress import Meter

CHESS = open_game("chess")
PLAN = Selection("chess", split="train")


def positions(count: int, rng: np.random.Generator) -> list[Position]:
    found: list[Position] = []
    position = CHESS.start()
    while len(found) < count:
        position = position.play(int(rng.choice(position.legal)))
        if len(position.legal) < 2 or position.ply > 80:
            position = CHESS.start()
        elif position.ply > 8:
            found.append(position)
    return found


def choices(count: int, seed: int) -> tuple[Facts, Batch]:
    """Decisions of players between 1000 and 2000 who like what takes something, the stronger the more."""
    rng = np.random.default_rng(seed)
    ratings = rng.uniform(1000, 2000, count)
    queries = [
        Query(position, Player(rating, "lichess"), Player(rating, "lichess"))
        for position, rating in zip(positions(count, rng), ratings, strict=True)
    ]
    inner = [opinion.log_probs for opinion in Uniform()(queries, Effort(rng))]
    sights = sights_of("chess")
    assert sights is not None
    takes, played = sights.columns.index("takes_any"), []
    for query, log_probs, rating in zip(queries, inner, ratings, strict=True):
        looked = look(sights, [query], [log_probs])
        scores = log_probs.astype(np.float64)
        scores[looked.places] += 3 * (rating - 1000) / 1000 * looked.columns[:, takes]
        played.append(int(rng.choice(len(scores), p=np.exp(scores) / np.exp(scores).sum())))
    whole = np.arange(count)
    facts = Facts(
        game=whole.astype(np.uint64),
        group=np.zeros(count, dtype=np.int32),
        groups=(Group("lichess", 0.0, "all"),),
        ply=whole.astype(np.int32),
        rating=ratings,
        opponent_rating=ratings,
        pool=("lichess",) * count,
        legal=np.array([len(query.position.legal) for query in queries], dtype=np.int32),
        score=np.full(count, np.nan),
    )
    return facts, (queries, inner, played)


def seen_of(batch: Batch) -> Seen:
    """In two parts, as they come."""
    sights = sights_of("chess")
    assert sights is not None
    found, half = Seen(sights), len(batch[0]) // 2
    found.add((batch[0][:half], batch[1][:half], batch[2][:half]))
    found.add((batch[0][half:], batch[1][half:], batch[2][half:]))
    return found


def test_a_rule_is_learned_and_kept(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    facts, batch = choices(1500, seed=1)
    ranker, counts = fit_ranker(seen_of(batch), PLAN, facts, "uniform", "", Meter)
    assert counts == {"lichess": 1500}
    assert ranker.provenance["minds"] == ["uniform"]
    assert ranker.pools == ("lichess",)
    write_ranker(tmp_path / "ranker.json", ranker)
    others, unseen = choices(300, seed=2)
    measured = check_ranker(read_ranker(tmp_path / "ranker.json"), [unseen], lambda: others, 0)
    pair = measured.pairs[0].groups[0]
    assert pair.cross_entropy.interval.value < -0.05


def test_few_decisions_and_games_without_sights_are_refused() -> None:
    facts, batch = choices(40, seed=2)
    with pytest.raises(BadInput, match="no pool has 800 decisions"):
        fit_ranker(seen_of(batch), PLAN, facts, "uniform", "", Meter)
    with pytest.raises(BadInput, match="nothing is seen of moves in othello; there are sights for chess, go, shogi"):
        run_foresight(Selection("othello"), ForesightWish(), [], Meter)
