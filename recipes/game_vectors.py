"""Games as vectors by GE2E, and who played this: python recipes/game_vectors.py OUT TRUNK TARGETS PEOPLE… -- BASE…

The spec's embedding at the size of one core: TRUNK is an Lc0 or Maia network (`maia-1500.pb.gz`), cut after BLOCKS
blocks; what it sees before and after some own moves of each game are tokens, a small transformer makes a vector of
them. People of BASE teach it, others of BASE teach how far vectors of one person lie apart, and the targets of a pool
in PEOPLE are told apart, as in recipes/signature.py, by ASKED games of each at most, beside the packaged signature.
What the trunk saw and the vectors are kept in OUT; a run that was ended goes on.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np

from hitonami import disk
from hitonami.dataset.columns import Columns, join, read_columns
from hitonami.dataset.people import read_targets
from hitonami.dataset.reading import Tally, open_data
from hitonami.style.identification import Match, identify, match_cosines, share_found
from hitonami.style.learn_signature import Lesson, discriminate, people_of
from hitonami.style.signature import Signature, packaged_signature
from hitonami.train.game_vectors import VectorLesson, embed_games, learn_vectors
from hitonami.train.tokens import Eye, Gaze, Tokens, fit_gaze, look_at_games, pairs_of

POOL, AMONG, ASKED = "lichess", 100, 200
BLOCKS, DIRECTIONS = 2, 8
TAUGHT, TAUGHT_GAMES = 200, 20
"""People who teach the transformer, and games of each."""
SECOND = 60
"""People who teach how far vectors lie apart: the transformer has learned its own teachers by heart."""
CHUNK = 500
LESSON = VectorLesson()


def read(data: list[str], names: Sequence[str] = ()) -> Columns:
    """All games, or only those of these people."""
    found = []
    for block in read_columns(open_data(data, "chess", named=True), Tally()):
        theirs = np.isin(block.names.astype(str), names)
        found.append(block.keep(theirs[:, 0] | theirs[:, 1]) if names else block)
    return join(found)


def only(games: Columns, seats: np.ndarray) -> tuple[Columns, np.ndarray]:
    """The games that these seats are in, and where the seats are there."""
    kept = np.zeros(len(games), dtype=np.bool_)
    kept[seats // 2] = True
    return games.keep(kept), 2 * (np.cumsum(kept) - 1)[seats // 2] + seats % 2


def spread(own: np.ndarray, most: int) -> np.ndarray:
    """At even distances from the first to the last."""
    return own[np.unique(np.linspace(0, len(own) - 1, min(len(own), most)).astype(np.int64))]


def by_date(games: Columns, seats: np.ndarray) -> np.ndarray:
    return seats[np.argsort(games.dates[seats // 2], kind="stable")]


def choose_teachers(games: Columns) -> list[np.ndarray]:
    """The seats of each, in an order that names do not tell."""
    people = people_of(games)
    order = np.argsort(people, kind="stable")
    numbers, firsts = np.unique(people[order], return_index=True)
    groups = [own for number, own in zip(numbers, np.split(order, firsts[1:]), strict=True) if number >= 0]
    groups = [own for own in groups if len(own) >= TAUGHT_GAMES]
    groups.sort(key=lambda own: sha256(str(games.names[own[0] // 2, own[0] % 2]).encode()).digest())
    return [spread(by_date(games, own), TAUGHT_GAMES) for own in groups[: TAUGHT + SECOND]]


def choose_targets(games: Columns, targets: Path) -> list[np.ndarray]:
    names, pools = games.names.ravel(), games.pools.ravel()
    seats = [np.flatnonzero((names == name) & (pools == POOL)) for name in read_targets(targets)[POOL]]
    seats = sorted((own for own in seats if len(own) >= 2), key=len, reverse=True)[:AMONG]
    return [spread(by_date(games, own), ASKED) for own in seats]


def find_gaze(out: Path, games: Columns, seats: np.ndarray, eye: Eye) -> Gaze:
    path = out / "gaze.npz"
    if not path.is_file():
        some = [position for seat in seats[:40] for pair in pairs_of(games, int(seat)) for position in pair]
        found = fit_gaze(eye.see(some), DIRECTIONS)  # type: ignore[arg-type]
        with disk.replacing(path) as file:
            np.savez(file, mean=found.mean, axes=found.axes)
    with np.load(path) as held:
        return Gaze(held["mean"], held["axes"])


def look(path_of: Callable[[int], Path], games: Columns, seats: np.ndarray, eye: Eye, gaze: Gaze) -> Tokens:
    """What the trunk sees of these, kept piece by piece."""
    parts = []
    for first in range(0, len(seats), CHUNK):
        path = path_of(first)
        if not path.is_file():
            found = look_at_games(games, seats[first : first + CHUNK].tolist(), eye, gaze)
            with disk.replacing(path) as file:
                np.savez(file, **vars(found))
            print(path.stem, "of", len(seats), flush=True)
        with np.load(path) as held:
            parts.append(Tokens(**{each.name: held[each.name] for each in fields(Tokens)}))
    return Tokens(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Tokens)))


def fit_odds(vectors: np.ndarray, person: np.ndarray) -> Signature:
    """How far games of one person and people lie apart: Fisher's discriminant of vectors."""
    counts = np.bincount(person)
    means = np.stack([np.bincount(person, column) for column in vectors.T], axis=1) / counts[:, None]
    off = vectors - means[person]
    empty = Signature("chess", np.zeros(0, np.uint64), (), *(np.zeros(0, np.float32),) * 5)
    return discriminate(empty, off.T @ off / (len(person) - len(counts)), means, counts, Lesson(ridge=0.05))


def measure(name: str, match: Match, vectors: np.ndarray, people: list[np.ndarray]) -> None:
    """`people` are rows of `vectors`, oldest first."""
    for known, asked in ((1, 1), (10, 10), (100, 100), (100, 1), (100, 10)):
        some = [own for own in people if len(own) >= known + asked]
        for draw in () if len(some) < 2 else ("far", "random") if known == asked else ("random",):
            hits = share_found(identify(match, vectors, some, (known, asked), draw))
            shown = f"{100 * hits.value:.1f}% ({100 * hits.low:.1f} … {100 * hits.high:.1f})"
            print(f"{name}: {asked} of {known} games, {draw}, among {len(some)}: {shown}", flush=True)


def number(groups: list[np.ndarray]) -> np.ndarray:
    return np.repeat(np.arange(len(groups)), [len(own) for own in groups])


def make_vectors(out: Path, trunk: Path, targets: Path, people: list[str], base: list[str]) -> None:
    """Vectors and signatures of teachers and of those who are asked about, kept."""
    eye, games = Eye(trunk, BLOCKS), read(base)
    teachers = choose_teachers(games)
    person = number(teachers)
    games, seats = only(games, np.concatenate(teachers))
    gaze = find_gaze(out, games, seats, eye)
    taught = look(lambda at: out / f"taught-{at:06d}.npz", games, seats, eye, gaze)
    signature = packaged_signature("chess")
    assert signature is not None
    asked_games = read(people, read_targets(targets)[POOL])
    asked_people = choose_targets(asked_games, targets)
    asked_games, asked_seats = only(asked_games, np.concatenate(asked_people))
    asked = look(lambda at: out / f"asked-{at:06d}.npz", asked_games, asked_seats, eye, gaze)
    signs = signature.embed(asked_games).reshape(2 * len(asked_games), -1)[asked_seats]
    ends = np.cumsum([0, *(len(own) for own in asked_people)])
    first = person < TAUGHT
    print(f"{first.sum():,} games of {TAUGHT} people teach, {ends[-1]:,} of {len(ends) - 1} are asked", flush=True)
    net = learn_vectors(taught.take(first), person[first], LESSON, told)
    own, found = (embed_games(net, each) for each in (taught, asked))
    with disk.replacing(out / "vectors.npz") as file:
        np.savez(file, own=own, person=person, asked=found, signs=signs, ends=ends)


def main(out: Path, trunk: Path, targets: Path, people: list[str], base: list[str]) -> None:
    disk.make_folder(out)
    if not (out / "vectors.npz").is_file():
        make_vectors(out, trunk, targets, people, base)
    with np.load(out / "vectors.npz") as held:
        own, person, found, signs, ends = (held[name] for name in ("own", "person", "asked", "signs", "ends"))
    rows = [np.arange(first, last) for first, last in pairwise(ends)]
    signature = packaged_signature("chess")
    assert signature is not None
    measure("signature", signature.match, signs, rows)
    measure("vectors, cosine", match_cosines, found, rows)
    second = person >= TAUGHT
    odds = fit_odds(own[second], person[second] - TAUGHT)
    turned = ((found - odds.centre) @ odds.projection).astype(np.float32)
    measure("vectors, odds", odds.match, turned, rows)
    wide = signs.shape[1]

    def match_both(q: np.ndarray, m: np.ndarray, k: np.ndarray, n: np.ndarray) -> np.ndarray:
        """As if what one says had nothing to do with what the other says."""
        return signature.match(q[:, :wide], m, k[:, :wide], n) + odds.match(q[:, wide:], m, k[:, wide:], n)

    measure("both, odds added", match_both, np.concatenate([signs, turned], axis=1), rows)


def told(step: int, loss: float) -> None:
    if step % 50 == 0:
        print(f"step {step}, loss {loss:.3f}", flush=True)


if __name__ == "__main__":
    out, trunk, targets, *rest = sys.argv[1:]
    at = rest.index("--")
    main(Path(out), Path(trunk), Path(targets), rest[:at], rest[at + 1 :])
