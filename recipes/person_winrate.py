"""How often a person wins from here against a level: python recipes/person_winrate.py PEOPLE OUT [options of twins.py]

The people, their games and what the base thought of them are those of recipes/twins.py (the same OUT); a twin learns
from the last of `--queries`. One position of each unseen game, from ply FROM on with the person to move, and the
person's result from there as expected by

- `human`: the base, told both ratings;
- `human, a move on`: the mean of its values after the moves that people of the level play (V_ip, S0 section 6);
- `twin, a move on`: after the moves that the person's twin plays;
- `twin, own form`: the same, moved by what the person won beyond expectation in the games that the twin learned from.

Cross-entropy of the result, each less the first, intervals over people; and by how much stronger the opponents are,
what was expected and what came. Outcomes go to OUT/winrate.json.
"""

import json
from typing import Any, Final

import numpy as np
import twins
from numpy.typing import NDArray

from hitonami import disk
from hitonami.core import Effort, Mind, Query
from hitonami.dataset.samples import samples_at
from hitonami.habits import habits_of
from hitonami.manners.additive import log_odds, to_chance
from hitonami.search.results import results_after, results_of
from hitonami.sights import COMMON
from hitonami.specs import open_mind
from hitonami.style.decisions import played_scenes
from hitonami.style.learning import learn
from hitonami.style.person import OwnGame
from hitonami.style.unseen import pool_means
from hitonami.twins.twin import Twin, seen_in

FROM: Final = 40
LIKELY: Final = 0.01
"""Moves less likely than this to level and twin alike are not looked at."""
FORM: Final = 0.35
"""How far people's form lies from their rating, as a standard deviation in logits: about 60 Elo."""
BANDS: Final = (("weaker by 100 or more", -9999, -100), ("near", -100, 100), ("stronger by 100 or more", 100, 9999))
WAYS: Final = ("human", "human, a move on", "twin, a move on", "twin, own form")
Floats = NDArray[np.float64]


def draw(games: list[OwnGame]) -> tuple[list[Query], Floats, Floats]:
    """A position of each game that came so far, the person's result, and how much stronger the opponent is."""
    queries, results, apart = [], [], []
    for game in games:
        record, own, other = game.record, game.player, game.record.players[1 - game.side]
        plies = [ply for ply in range(FROM, len(record.moves)) if ply % 2 == game.side]
        if record.score is None or own.rating is None or other.rating is None or not plies:
            continue
        ply = int(np.random.default_rng(game.content % 2**32).choice(plies))
        for one in samples_at(record, [ply]):  # none where there was no choice
            queries.append(one.query)
            results.append(abs(game.side - record.score))
            apart.append(other.rating - own.rating)
    return queries, np.array(results), np.array(apart, float)


def expect(wdl: Floats) -> Floats:
    return np.clip(wdl[..., 0] + 0.5 * wdl[..., 1], 0.01, 0.99)


def form_of(expected: Floats, results: Floats) -> float:
    """How far the person's results lie from what was expected, in logits; few games say little."""
    steps = np.linspace(-1.5, 1.5, 301)
    chance = to_chance(log_odds(expected)[:, None] + steps)
    likely = (results[:, None] * np.log(chance) + (1.0 - results[:, None]) * np.log(1.0 - chance)).sum(axis=0)
    return float(steps[np.argmax(likely - 0.5 * np.square(steps / FORM))])


def a_move_on(mind: Mind, twin: Twin, queries: list[Query], effort: Effort) -> tuple[Floats, Floats]:
    """By the base's moves and by the twin's, the values after them asked once."""
    told = mind(queries, effort)
    both = [
        (np.exp(one.log_probs.astype(float)), np.exp(other.log_probs.astype(float)))
        for one, other in zip(told, twin.adapt(queries, told), strict=True)
    ]
    places = [np.flatnonzero((level >= LIKELY) | (own >= LIKELY)) for level, own in both]
    values = [expect(rows) for rows in results_after(mind, queries, places, effort)]
    weighed = [
        [float(chances[at] @ value / chances[at].sum()) for chances in pair]
        for pair, at, value in zip(both, places, values, strict=True)
    ]
    level, own = np.array(weighed).reshape(-1, 2).T
    return level, own


def nats(expected: Floats, results: Floats) -> Floats:
    return -(results * np.log(expected) + (1.0 - results) * np.log(1.0 - expected))


def measure(asked: Any, at: int, games: list[OwnGame], mind: Mind) -> dict[str, Floats]:
    """What each way expects of one person's unseen games, their results and opponents."""
    held, _ = twins.ask(asked, at, games, mind)
    since = asked.learned - asked.queries[-1]
    before, later = games[since : asked.learned], games[asked.learned :]
    columns = (*seen_in(asked.game).columns, *COMMON)
    learned = learn(held.since(since), played_scenes(before), columns, habits_of(asked.game).kinds)
    twin = Twin("a person", asked.game, before[-1].player, learned.leanings, learned.memories)
    effort = Effort.seeded(at)
    queries, results, apart = draw(later)
    first = expect(results_of(mind, queries, effort))
    level, own = a_move_on(mind, twin, queries, effort)
    earlier, won, _ = draw(before)
    form = form_of(expect(results_of(mind, earlier, effort)), won)
    ways = (first, level, own, to_chance(log_odds(own) + form))
    return dict(zip(WAYS, ways, strict=True)) | {"result": results, "apart": apart, "form": np.array([form])}


def tell(people: list[dict[str, Floats]]) -> dict[str, Any]:
    """Means and differences over people, told and returned."""
    told: dict[str, Any] = {"people": len(people), "n": sum(len(each["result"]) for each in people)}
    for way in WAYS:
        lost = [nats(each[way], each["result"]) for each in people]
        mean = pool_means(lost)
        off = pool_means([one - nats(each["human"], each["result"]) for one, each in zip(lost, people, strict=True)])
        told[way] = {"nats": list(vars(mean).values()), "beyond human": list(vars(off).values())}
        print(f"{way}: {mean.value:.3f} nats; {twins.show(off, 4)} beyond the first, n = {told['n']:,}")
    for name, low, high in BANDS:
        rows = [(each["apart"] > low) & (each["apart"] <= high) for each in people]
        parts = {
            way: pool_means([100.0 * each[way][row] for each, row in zip(people, rows, strict=True)])
            for way in ("result", *WAYS)
        }
        told[name] = {way: list(vars(part).values()) for way, part in parts.items()}
        told[name]["n"] = int(sum(row.sum() for row in rows))
        figures = ", ".join(f"{way} {part.value:.1f}%" for way, part in parts.items() if way != "result")
        won = parts["result"]
        print(f"{name}, n = {told[name]['n']}: came {won.value:.1f}% ({won.low:.1f} … {won.high:.1f}); {figures}")
    told["form"] = [round(float(each["form"][0]), 3) for each in people]
    return told


def main(asked: Any) -> None:
    people = []
    with open_mind(asked.mind) as mind:
        for at, games in enumerate(twins.own_games(asked)):
            people.append(measure(asked, at, games, mind))
            print(at, len(people[-1]["result"]), flush=True)
    disk.write_text(asked.out / "winrate.json", json.dumps(tell(people), indent=1))


if __name__ == "__main__":
    main(twins.parse())
