"""The published ways to one person, beside twins: python recipes/fine_tuning.py OUT MAIA TARGETS PEOPLE BASE [COUNT]

Full fine-tuning of MAIA (one Lc0 or Maia network) on COUNT targets of a pool (PEOPLE and BASE as `hitonami data people`
made them): Transfer (own games alone), SGFT-F (first on REFERENCE games of others that are nearest by traits, then on
own games), SGFT-F by one trait, one stage on the mixture of both, and a vector of the player that begins at a
prototype over the frozen network. Own games are the QUERY before the latest UNSEEN, which are asked about. Of a
reference game the moves of the similar side train; a query is the mean of its games' standardised traits.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from hitonami import disk
from hitonami.core import Opinion
from hitonami.dataset.batches import encode_samples
from hitonami.dataset.columns import Columns, columns_of, join, read_columns
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.people import read_targets
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.samples import Sample, samples_at
from hitonami.dataset.shards import table_of
from hitonami.habits import habits_of
from hitonami.models.encoders.lc0 import Lc0
from hitonami.models.net import Net
from hitonami.models.spec import NetSpec
from hitonami.records import Record
from hitonami.style.decisions import draw_plies
from hitonami.style.feature_match import expected_traits, match_people
from hitonami.style.learn_signature import people_of
from hitonami.style.person import OwnGame
from hitonami.style.signature import standardise
from hitonami.style.similar import nearest
from hitonami.style.unseen import divergence, pool_means
from hitonami.train.fine_tuning import (
    Stage,
    Tuning,
    VectorTuning,
    fine_tune,
    fit_vector,
    learn_directions,
    log_probs,
    prototypes,
)
from hitonami.train.warm_start import start_from_files
from hitonami.traits import measure_traits, traits_of

POOL, QUERY, UNSEEN, REFERENCE = "lichess", 100, 40, 1000
PER_QUERY, PER_UNSEEN, PER_REFERENCE = 4, 6, 4
ONE_TRAIT = "control"
TUNING = Tuning()
TEACHERS, PER_TEACHER, SIZE, PROTOTYPES = 40, 60, 16, 6
OFTEN = 5
FILTER = parse_filter("no-bullet,rated-both")
Tensors = Mapping[str, Tensor]


def read_people(people: str, targets: Path, count: int) -> list[list[OwnGame]]:
    order = sorted(read_targets(targets)[POOL], key=lambda name: sha256(name.encode()).digest())
    held: dict[str, list[OwnGame]] = {name: [] for name in order}
    for found in open_data([people], "chess", named=True).games(Tally()):
        for side, player in enumerate(found.record.players):
            if player.pool == POOL and player.name in held and FILTER.keeps_game(found.record):
                held[player.name].append(OwnGame(found.content, found.record, side))
    whole = [own for own in held.values() if len(own) >= QUERY + UNSEEN][:count]
    return [sorted(own, key=lambda each: (each.record.date, each.content))[-QUERY - UNSEEN :] for own in whole]


def sample(games: list[OwnGame], each: int) -> list[Sample]:
    plies = draw_plies(games, each * len(games))
    return [one for game, own in zip(games, plies, strict=True) for one in samples_at(game.record, own)]


def encode(samples: list[Sample]) -> dict[str, Tensor]:
    held = encode_samples(Lc0(), samples)
    return {name: torch.from_numpy(held[name]) for name in ("planes", "legal", "target")}


def merge(parts: Sequence[Tensors]) -> dict[str, Tensor]:
    most = max(part["legal"].shape[1] for part in parts)
    legal = [torch.nn.functional.pad(part["legal"], (0, most - part["legal"].shape[1]), value=-1) for part in parts]
    rest = {name: torch.cat([part[name] for part in parts]) for name in ("planes", "target")}
    return rest | {"legal": torch.cat(legal)}


class Others:
    """Games of people who are no targets, and their traits."""

    def __init__(self, base: str) -> None:
        self.games: Columns = join(list(read_columns(open_data([base], "chess", named=True), Tally())))
        traits = measure_traits(self.games).reshape(2 * len(self.games), -1)
        known = ~np.isnan(traits)
        count = np.maximum(known.sum(axis=0), 1)
        self.shift = (np.where(known, traits, 0.0).sum(axis=0) / count).astype(np.float32)
        spread = np.sqrt(np.where(known, np.square(traits - self.shift), 0.0).sum(axis=0) / count)
        self.scale = np.where(spread > 1e-6, spread, 1.0).astype(np.float32)
        self.vectors = standardise(traits, self.shift, self.scale)

    def near(self, own: list[OwnGame], columns: slice) -> list[OwnGame]:
        """The sides of games that are nearest to a person's, by some traits."""
        mine = columns_of(table_of([each.record for each in own], [""] * len(own)), "chess")
        traits = measure_traits(mine)[np.arange(len(own)), [each.side for each in own]]
        query = standardise(traits, self.shift, self.scale).mean(axis=0)
        seats, _ = nearest(self.vectors[:, columns], query[columns], REFERENCE, "features")
        return [self.game(int(seat)) for seat in seats]

    def game(self, seat: int) -> OwnGame:
        at, side = divmod(seat, 2)
        games = self.games
        moves = tuple(games.moves[games.begins[at] : games.begins[at + 1]].tolist())
        players = games.player(at, 0), games.player(at, 1)
        return OwnGame(int(games.content[at]), Record("chess", games.setups[games.setup[at]], moves, players), side)

    def teachers(self) -> list[list[OwnGame]]:
        people = people_of(self.games)
        counts = np.bincount(people[people >= 0])
        chosen = np.random.default_rng(0).permutation(np.flatnonzero(counts >= PER_TEACHER))[:TEACHERS]
        return [[self.game(int(seat)) for seat in np.flatnonzero(people == each)[:PER_TEACHER]] for each in chosen]


@dataclass
class Asked:
    """One person's unseen decisions, and the positions among them that came often."""

    samples: list[Sample]
    batch: Tensors
    often: list[tuple[Sample, np.ndarray]]
    often_batch: Tensors | None

    @classmethod
    def of(cls, games: list[OwnGame]) -> "Asked":
        samples = sample(games, PER_UNSEEN)
        early: dict[str, list[Sample]] = {}
        for game in games:
            for one in samples_at(game.record, list(range(game.side, 20, 2))[: len(game.record.moves) // 2]):
                scene = habits_of("chess").view(one.query.position)[-1].name
                early.setdefault(str(scene), []).append(one)
        often = []
        for same in early.values():
            if len(same) >= OFTEN:
                legal = same[0].query.position.legal
                counts = np.bincount(np.searchsorted(legal, [one.move for one in same]), minlength=len(legal))
                often.append((same[0], counts / counts.sum()))
        return cls(samples, encode(samples), often, encode([one for one, _ in often]) if often else None)

    def measure(self, net: Net, shift: Tensor | None = None) -> dict[str, np.ndarray]:
        found = log_probs(net, self.batch, shift).numpy()
        played = (self.batch["legal"] == self.batch["target"][:, None]).int().argmax(1).numpy()
        rows = np.arange(len(played))
        opinions = [Opinion(row[: len(one.query.position.legal)]) for row, one in zip(found, self.samples, strict=True)]
        own, model = expected_traits(lambda queries, effort: opinions, self.samples, None)  # type: ignore[arg-type]
        apart = []
        if self.often_batch is not None:
            early = np.exp(log_probs(net, self.often_batch, shift).numpy())
            apart = [
                divergence(counts, chances[: len(counts)])
                for chances, (_, counts) in zip(early, self.often, strict=True)
            ]
        hits = 100.0 * (found.argmax(axis=1) == played)
        return {"hits": hits, "nats": -found[rows, played], "own": own, "model": model, "bits": np.array(apart)}


def ways(own: list[OwnGame], query: Tensors, others: Others) -> dict[str, list[Stage]]:
    """The stages of each way to fine-tune."""
    names = traits_of("chess").names
    one = next(at for at, name in enumerate(names) if ONE_TRAIT in name)
    similar = encode(sample(others.near(own, slice(None)), PER_REFERENCE))
    by_one = encode(sample(others.near(own, slice(one, one + 1)), PER_REFERENCE))
    both = merge([query, similar])
    steps = 10 * len(query["target"]) + len(similar["target"])
    return {
        "Transfer": [Stage(query, 10)],
        "SGFT-F": [Stage(similar, 1), Stage(query, 10)],
        "SGFT-F, one trait": [Stage(by_one, 1), Stage(query, 10)],
        "one stage": [Stage(both, steps / len(both["target"]))],
    }


def show(rows: dict[str, list[dict[str, np.ndarray]]]) -> dict[str, Any]:
    """Each way beside the base, intervals over people."""
    names = traits_of("chess").own.weighed  # type: ignore[attr-defined]
    told: dict[str, Any] = {}
    for way, people in rows.items():
        base = rows["base"]
        parts = {
            "accuracy": pool_means([each["hits"] for each in people]),
            "nats": pool_means([each["nats"] for each in people]),
            "bits": pool_means([each["bits"] for each in people]),
        }
        if way != "base":
            for name in ("hits", "nats", "bits"):
                off = [one[name] - other[name] for one, other in zip(people, base, strict=True)]
                parts[f"{name} beyond base"] = pool_means(off)
        own, model = (np.stack([each[name] for each in people]) for name in ("own", "model"))
        matches = match_people(names, own, model)
        told[way] = {name: list(vars(each).values()) for name, each in parts.items()}
        told[way] |= {f"rmse {match.name}": list(vars(match.rmse).values()) for match in matches}
        told[way]["people"] = {name: np.stack([own[:, at], model[:, at]]).tolist() for at, name in enumerate(names)}
        rmse = ", ".join(f"{match.name} {match.rmse.value:.3f}" for match in matches)
        figures = [f"{name} {each.value:.3f} ({each.low:.3f} … {each.high:.3f})" for name, each in parts.items()]
        print(way, "; ".join(figures), "; rmse", rmse, flush=True)
    return told


def main(out: Path, maia: Path, targets: Path, data: tuple[str, str], count: int) -> None:
    torch.set_num_threads(1)
    net = Net(NetSpec(encoder={"name": "lc0"}, policy="lc0", squeeze=8, value="flat"))  # type: ignore[arg-type]
    start_from_files(net, [maia])
    net.eval()
    people, others = read_people(data[0], targets, count), Others(data[1])
    taught = [encode(sample(games, 2)) for games in others.teachers()]
    player = torch.repeat_interleave(torch.arange(len(taught)), torch.tensor([len(each["target"]) for each in taught]))
    told = learn_directions(net, merge(taught), player, SIZE, VectorTuning())
    starts = prototypes(told, PROTOTYPES)
    print(f"{len(people)} people, {len(player):,} positions of {len(taught)} teach directions", flush=True)
    rows: dict[str, list[dict[str, np.ndarray]]] = {}
    for at, games in enumerate(people):
        own, asked = games[:QUERY], Asked.of(games[QUERY:])
        rows.setdefault("base", []).append(asked.measure(net))
        query = encode(sample(own, PER_QUERY))
        for way, stages in ways(own, query, others).items():
            rows.setdefault(way, []).append(asked.measure(fine_tune(net, stages, TUNING)))
        vector = fit_vector(net, told, query, starts, VectorTuning(pull=0.1))
        rows.setdefault("prototype", []).append(asked.measure(net, told.directions.detach() @ vector))
        print(at, {way: round(float(each[-1]["nats"].mean()), 4) for way, each in rows.items()}, flush=True)
        if at:  # a spread of people needs two
            disk.write_text(out, json.dumps({"people": at + 1} | show(rows), indent=1))


if __name__ == "__main__":
    words = sys.argv[1:]
    main(Path(words[0]), Path(words[1]), Path(words[2]), (words[3], words[4]), int((words[5:] or ["5"])[0]))
