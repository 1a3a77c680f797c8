"""Whether a person's lost games are given up as theirs were before: python recipes/readiness.py PEOPLE OUT [options of twins.py]

People and games as in recipes/twins.py. The chance that a lost game is given up rather than played to its end, by what
their opponents do and by what they did themselves (style/readiness.py), held against their unseen lost games; nats, with
an interval over people. Nothing is asked of any mind.
"""  # noqa: E501

from collections.abc import Sequence

import numpy as np
import twins

from hitonami.style.readiness import read_readiness
from hitonami.style.unseen import pool_means


def main(words: Sequence[str] | None = None) -> None:
    asked = twins.parse(words)
    gains, apart = [], []
    for games in twins.own_games(asked):
        before, later = read_readiness(games[: asked.learned]), read_readiness(games[asked.learned :])
        if not before.lost or not before.others_lost or not later.lost:
            continue
        ended = np.repeat([1.0, 0.0], [later.given_up, later.lost - later.given_up])
        nats = [-(ended * np.log(chance) + (1 - ended) * np.log(1 - chance)) for chance in (before.usual, before.share)]
        gains.append(nats[1] - nats[0])
        apart.append(np.array([abs(before.share - before.usual)]))
    found, far = pool_means(gains), pool_means(apart)
    n = sum(map(len, gains))
    print(f"{twins.show(found, 3)} nats a lost game by their own habit, {len(gains)} people, n = {n:,}")
    print(
        f"their share lies {100 * far.value:.0f} points ({100 * far.low:.0f} … {100 * far.high:.0f}) from the others'"
    )


if __name__ == "__main__":
    main()
