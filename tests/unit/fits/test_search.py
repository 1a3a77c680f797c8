"""Θ of people who are made: they choose by a search with known knobs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from hitonami import dist, levels
from hitonami.core import Effort, Mind, Opinion, Player, Position, Query, index_of, open_game
from hitonami.dataset.samples import Sample
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Asked
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.selection import Selection
from hitonami.fits import search as fit
from hitonami.fits._searches import NOISE_DRAWS, QUIET, Memory, Noise, Searches
from hitonami.fits.search_noise import fit_noise
from hitonami.fits.search_run import SearchWish, run_search
from hitonami.fits.store import update_knobs
from hitonami.fits.theta import KNOBS, Theta
from hitonami.knobs import Curve
from hitonami.levels import read_levels
from hitonami.minds.search import ace_search
from hitonami.specs import open_mind
from hitonami.terminal.progress import Meter

RNG_SEED = 3


@dataclass
class Firm:
    """A mind with a view of everything, by a hash of the position. Remembers what it was asked."""

    salt: int = 0
    asked: list[Position] = field(default_factory=list)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked += [query.position for query in queries]
        return [self.judge(query.position) for query in queries]

    def judge(self, position: Position) -> Opinion:
        rng = np.random.default_rng([self.salt, crc32(repr(position.key).encode())])
        logits = rng.normal(0.0, 1.0, len(position.legal))
        return Opinion(dist.normalise(logits), rng.dirichlet([1.0, 0.5, 1.0]).astype(np.float32))


@pytest.fixture(scope="module")
def mind() -> Firm:
    return Firm()


def roots(count: int) -> list[Query]:
    """Positions from random play."""
    rng = np.random.default_rng(RNG_SEED)
    found: list[Query] = []
    while len(found) < count:
        position = open_game("chess").start()
        for _ in range(int(rng.integers(4, 30))):
            position = position.play(int(rng.choice(position.legal)))
            if not len(position.legal):
                break
        else:
            found.append(Query(position, Player(1500.0, "lichess"), Player(1500.0, "lichess")))
    return found


def searches_of(mind: Mind, queries: Sequence[Query], played: Sequence[int], folder: Path | None = None) -> Searches:
    memory = Memory(mind, [query.position for query in queries])
    return Searches(queries, np.array(played), memory, 16, folder)


def test_visits_read_by_hand_are_what_the_mind_answers(mind: Firm) -> None:
    queries = roots(12)
    played = [len(query.position.legal) // 2 for query in queries]
    searches = searches_of(mind, queries, played)
    for tau, temperature, c_puct in ((1.0, 1.0, 1.5), (0.5, 2.0, 4.0)):
        answers = ace_search(mind, 16, (tau, temperature, c_puct))(queries, Effort.seeded())
        told = [opinion.log_probs[at] for opinion, at in zip(answers, played, strict=True)]
        assert searches.log_prob(tau, temperature, c_puct) == pytest.approx(told, abs=1e-4)
    alone = [dist.temper(mind([query], Effort.seeded())[0].log_probs, 0.5) for query in queries]
    own = [log_probs[at] for log_probs, at in zip(alone, played, strict=True)]
    assert searches.log_prob_alone(2.0) == pytest.approx(own, abs=1e-4)


def test_the_mind_is_asked_once_about_a_position_and_tau_needs_no_search() -> None:
    asking, queries = Firm(), roots(6)
    searches = searches_of(asking, queries, [0] * 6)
    searches.log_prob(1.0, 1.0, 1.5)
    first = len(asking.asked)
    searches.log_prob(2.0, 1.0, 1.5)
    assert (searches.made, len(asking.asked)) == (1, first)
    searches.log_prob(1.0, 1.1, 1.5)
    assert searches.made == 2
    assert len(asking.asked) < 2 * first
    assert len({id(position) for position in asking.asked}) == len(asking.asked)


def test_kept_visits_are_read_again_unless_damaged_or_of_another_mind(mind: Firm, tmp_path: Path) -> None:
    queries = roots(6)
    before = searches_of(mind, queries, [0] * 6, tmp_path)
    found = before.log_prob(1.0, 1.0, 2.0)
    again = searches_of(mind, queries, [0] * 6, tmp_path)
    assert again.log_prob(1.0, 1.0, 2.0).tolist() == found.tolist()
    assert again.made == 0
    [kept] = tmp_path.rglob("*.npy")
    kept.write_bytes(kept.read_bytes()[:20])
    damaged = searches_of(mind, queries, [0] * 6, tmp_path)
    assert damaged.log_prob(1.0, 1.0, 2.0).tolist() == found.tolist()
    assert damaged.made == 1
    other = searches_of(Firm(1), queries, [0] * 6, tmp_path)
    other.log_prob(1.0, 1.0, 2.0)
    assert other.made == 1


def made_decisions(mind: Mind, theta: Theta, count: int, noise: float = 0.0) -> list[Asked]:
    """Decisions of people who play what a search with this Θ draws; two of a game."""
    queries, rng = roots(count), np.random.default_rng(RNG_SEED)
    answers = ace_search(mind, 16, theta.values, (noise, 10.0))(queries, Effort.seeded())
    moves = [
        int(query.position.legal[dist.sample(opinion.log_probs, rng)])
        for query, opinion in zip(queries, answers, strict=True)
    ]
    group = Group("lichess", 1500.0, "1500")
    samples = [Sample(query, move, None) for query, move in zip(queries, moves, strict=True)]
    return [(sample, group, at // 2) for at, sample in enumerate(samples)]


@pytest.fixture(scope="module")
def fitted(mind: Firm) -> tuple[list[Asked], fit.SearchFit]:
    asked = made_decisions(mind, Theta(1.0, 1.4, 0.5), 80)
    return asked, fit.fit_level(asked, fit.Task(mind, 16, steps=8))


def test_the_fit_is_as_good_as_the_knobs_people_were_made_with(
    mind: Firm, fitted: tuple[list[Asked], fit.SearchFit]
) -> None:
    asked, level = fitted
    queries = [sample.query for sample, _, _ in asked]
    searches = searches_of(mind, queries, [index_of(s.query.position, s.move) for s, _, _ in asked])
    truth = float(-searches.log_prob(1.0, 1.4, 0.5).mean())
    assert level.loss.value <= truth + 0.02
    assert level.loss.value <= min(level.descent.loss, level.simplex.loss) + 1e-6
    assert level.theta.c_puct < 1.5
    assert level.intervals[2].low <= 0.55
    assert level.gain.low > 0, "people who search are told by a search"
    assert level.rating == 1500.0
    assert (level.n, level.games) == (80, 40)


def test_noise_at_the_root_spreads_visits_and_none_changes_nothing(mind: Firm) -> None:
    queries = roots(8)
    quiet = searches_of(mind, queries, [0] * 8)
    assert quiet.log_prob(1.0, 1.0, 2.0, QUIET).tolist() == quiet.log_prob(1.0, 1.0, 2.0).tolist()
    loud = Noise(0.75, 20.0)
    noisy = quiet.noisy_visits(1.0, 2.0, loud)
    plain = quiet.visits(1.0, 2.0)
    assert noisy.shape == (NOISE_DRAWS, len(plain))
    assert noisy.sum(axis=1).tolist() == [plain.sum()] * NOISE_DRAWS
    assert (noisy.mean(axis=0) > 0).sum() > (plain > 0).sum(), "more moves are looked at"
    again = searches_of(mind, queries, [0] * 8)
    assert again.noisy_visits(1.0, 2.0, loud).tolist() == noisy.tolist(), "the same chance in every run"


def test_noise_is_fitted_where_people_have_it_and_left_where_it_says_nothing(mind: Firm) -> None:
    def searched(theta: Theta, noise: float) -> tuple[Searches, Sequence[Asked]]:
        asked = made_decisions(mind, theta, 60, noise)
        played = [index_of(sample.query.position, sample.move) for sample, _, _ in asked]
        return searches_of(mind, [sample.query for sample, _, _ in asked], played), asked

    theta, game = Theta(0.25, 0.5, 2.0), np.arange(60) // 2
    erratic, _ = searched(theta, 0.7)
    found = fit_noise(erratic, theta, game, steps=3, seed=0)
    assert found.noise.share > 0
    assert found.is_better
    assert found.gain.low <= found.gain.value <= found.gain.high
    quiet = float(-erratic.log_prob(*theta.values).mean())
    assert found.loss == pytest.approx(quiet - found.gain.value, abs=1e-6)
    steady, _ = searched(theta, 0.0)
    assert fit_noise(steady, theta, game, steps=1, seed=0).gain.value < found.gain.value


def test_losses_fall_step_by_step_and_the_profile_has_its_least_at_the_best(
    fitted: tuple[list[Asked], fit.SearchFit],
) -> None:
    _, level = fitted
    losses = [loss for _, loss in level.steps]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0] - 0.01
    assert 2 <= len(losses) <= 9
    for trail in (level.descent, level.simplex):
        assert list(trail.best_after) == sorted(trail.best_after, reverse=True)
        assert trail.best_after[0] > trail.best_after[-1] >= level.loss.value - 1e-9
        assert trail.best_after[-1] <= trail.loss
    for rows in level.profiles:
        assert [value for value, _ in rows] == sorted(value for value, _ in rows)
        assert min(loss for _, loss in rows) >= level.loss.value - 1e-6
    for name, interval in zip(KNOBS, level.intervals, strict=True):
        assert interval.low <= getattr(level.theta, name) <= interval.high


def test_curves_run_through_the_levels_and_are_read_by_the_style(
    fitted: tuple[list[Asked], fit.SearchFit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, level = fitted
    strong = replace(level, rating=2100.0, theta=Theta(0.5, 1.0, 2.0))
    curves = fit.curves_of([strong, level])
    assert curves["c_puct"].points == ((1500.0, round(level.theta.c_puct, 4)), (2100.0, 2.0))
    kept = curves | {"simulations": Curve(((1500.0, 20.0),))}
    own = {name: {"lichess": curve} for name, curve in kept.items()}
    update_knobs(tmp_path / "shogi.json", "search", own, {"lichess": {"minds": ["some"]}})
    assert set(read_levels(tmp_path / "shogi.json")["search"]) == {*KNOBS, "simulations"}
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    levels.forget()
    try:
        query = Query(open_game("shogi").start(), Player(2100.0, "lichess"), Player(2100.0, "lichess"))
        with open_mind("search") as mind, open_mind("expert") as expert:
            [told] = mind([query], Effort.seeded())
            [same] = ace_search(expert, 20, (0.5, 1.0, 2.0))([query], Effort.seeded())
            assert told.log_probs == pytest.approx(same.log_probs, abs=1e-4)
            with pytest.raises(BadInput, match="has none: give a rating"):
                mind([replace(query, player=Player(None, "lichess"))], Effort.seeded())
    finally:
        levels.forget()


def test_levels_that_cannot_be_fitted_are_refused(write_games: Callable[..., Path]) -> None:
    data = [str(write_games("chess", 40))]
    plan = Selection("chess", "rating", 60, "human,plies:4", band=200.0, split="all")

    def run(*ratings: float, **options: str) -> None:
        wish = SearchWish("uniform", ratings, 8, 1, "none", default_pool=options.get("default_pool", ""))
        run_search(replace(plan, pool=options.get("pool", "")), wish, data, Meter)

    with pytest.raises(BadInput, match="needs levels"):
        run()
    with pytest.raises(BadInput, match=r"rated 2900; bands begin at 800, 1000, 1400"):
        run(2900.0, pool="lichess")
    with pytest.raises(BadInput, match=r"several pools \(fide, lichess\)"):
        run(1500.0)
    with pytest.raises(BadInput, match="belong to one band"):
        run(1500.0, 1510.0, pool="lichess")
    with pytest.raises(BadInput, match="'lichess', not to 'fide'"):
        run(1500.0, pool="lichess", default_pool="fide")
    with pytest.raises(BadInput, match=r"there are \d+ decisions of level 1000; a fit needs 50"):
        run(1100.0, pool="fide")
