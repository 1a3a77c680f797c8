"""What a base thinks of a person's own decisions, and what is seen of their moves: asked once, kept block by block.

A run that was killed goes on after the last block that it kept. Only numbers are kept: move ids, marks of scenes,
chances. The same games and the same mind give the same blocks; others are asked again from the start.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import __version__, disk
from hitonami.core import Effort, Mind, Query, index_of
from hitonami.dataset.samples import Sample, samples_at
from hitonami.dataset.shards import movers_of, start_of
from hitonami.errors import BadInput
from hitonami.habits import habits_of
from hitonami.levels.opening_counts import is_plain
from hitonami.progress import Report, unheard
from hitonami.style.person import OwnGame
from hitonami.twins.twin import look_at, mark_of, seen_in

BLOCK: Final = 256
REMEMBERED_PLIES: Final = 60
"""Later positions do not come again, and would only fill the file."""
Floats = NDArray[np.float32]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Decisions:
    """Decisions [n] of one person; moves that came to mind [M], legal moves [L], both by decision."""

    game: Whole
    """[n] the place of the game among the person's."""
    ply: Whole
    played: Whole
    """[n] the place of the move among the legal ones."""
    widths: Whole
    """[n] how many moves came to mind."""
    legal_widths: Whole
    log_probs: Floats
    """[L] what the base gave each legal move."""
    names: Whole
    """[L, scenes] the legal moves as scenes name them."""
    scenes: NDArray[np.str_]
    """[n, scenes] marks; "" where nothing is remembered."""
    places: Whole
    """[M] among the legal moves of the decision."""
    columns: Floats
    """[M, F]."""
    kinds: Whole
    """[M, K]."""

    def __len__(self) -> int:
        return len(self.game)

    def since(self, first: int) -> "Decisions":
        """Those of the games from a place on, which is 0 from there."""
        rows = self.game >= first
        moves, legal = np.repeat(rows, self.widths), np.repeat(rows, self.legal_widths)
        of_moves, of_legal = ("places", "columns", "kinds"), ("log_probs", "names")
        keeps = dict.fromkeys(of_moves, moves) | dict.fromkeys(of_legal, legal)
        parts = {each.name: getattr(self, each.name)[keeps.get(each.name, rows)] for each in fields(self)}
        return Decisions(**parts | {"game": parts["game"] - first})

    @property
    def begins(self) -> Whole:
        return np.concatenate([[0], np.cumsum(self.widths)])

    @property
    def legal_begins(self) -> Whole:
        return np.concatenate([[0], np.cumsum(self.legal_widths)])


def join(parts: Sequence[Decisions]) -> Decisions:
    return Decisions(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Decisions)))


def draw_plies(games: Sequence[OwnGame], most: int, seed: int = 0) -> list[list[int]]:
    """The plies of each game at which the person moved, at most `most` in all: as many of each game as may be."""
    own = [np.flatnonzero(movers_of(game.record) == game.side) for game in games]
    rng, share = np.random.default_rng(seed), most
    if sum(map(len, own)) > most:
        share = max(most // len(own), 1)
    return [np.sort(rng.permutation(each)[:share]).tolist() for each in own]


def ask_decisions(
    drawn: Sequence[tuple[OwnGame, Sequence[int]]],
    mind: Mind,
    folder: Path,
    about: dict[str, Any],
    report: Report = unheard,
) -> Decisions:
    """Ask about these plies of these games, in blocks that `folder` keeps. `about` is what else answers depend on."""
    _prepare(folder, about | {"games": _digest(drawn), "hitonami": __version__})
    parts: list[Decisions] = []
    total = sum(len(plies) for _, plies in drawn)
    for number, samples in enumerate(_blocks(drawn)):
        path = folder / f"block-{number:05d}.npz"
        kept = _read_block(path)
        if kept is None:
            kept = ask_block(samples, mind, Effort.seeded(number))
            with disk.replacing(path, 0o600) as file:
                np.savez(file, **{each.name: getattr(kept, each.name) for each in fields(Decisions)})
        parts.append(kept)
        report(min((number + 1) * BLOCK, total), min((number + 1) * BLOCK, total))
    return join(parts)


def _prepare(folder: Path, about: dict[str, Any]) -> None:
    note = folder / "about.json"
    if folder.is_dir() and (not note.is_file() or note.read_text(encoding="utf-8") != json.dumps(about)):
        disk.remove_tree(folder)
    disk.make_folder(folder)
    disk.write_text(note, json.dumps(about))


def _digest(drawn: Sequence[tuple[OwnGame, Sequence[int]]]) -> str:
    told = [[game.content, game.side, *plies] for game, plies in drawn]
    return sha256(json.dumps(told).encode()).hexdigest()


def read_decisions(folder: Path) -> Decisions:
    """What a run has kept. Raises BadInput where it has nothing."""
    parts = [part for path in sorted(folder.glob("block-*.npz")) if (part := _read_block(path)) is not None]
    if not parts:
        raise BadInput(f"{folder}: no decisions were kept there")
    return join(parts)


def _read_block(path: Path) -> Decisions | None:
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as held:
        return Decisions(*(held[each.name] for each in fields(Decisions)))


def _blocks(drawn: Sequence[tuple[OwnGame, Sequence[int]]]) -> Iterator[list[tuple[int, Sample]]]:
    held: list[tuple[int, Sample]] = []
    for at, (game, plies) in enumerate(drawn):
        held += [(at, sample) for sample in samples_at(game.record, plies)]
        while len(held) >= BLOCK:
            yield held[:BLOCK]
            held = held[BLOCK:]
    if held:
        yield held


def ask_block(samples: Sequence[tuple[int, Sample]], mind: Mind, effort: Effort) -> Decisions:
    """One call of the mind."""
    queries = [sample.query for _, sample in samples]
    game = queries[0].position.game.name
    habits, positions = habits_of(game), [query.position for query in queries]
    log_probs = [opinion.log_probs for opinion in mind(queries, effort)]
    looked, kinds = look_at(seen_in(game), habits, queries, log_probs)
    counts = np.array([len(each) for each in log_probs], dtype=np.int64)
    widths = np.diff(looked.begins)
    firsts = np.repeat(np.cumsum(counts) - counts, widths)
    views = [habits.view(position) for position in positions]
    marks = [
        [mark_of(view.name) if view.name and _is_remembered(query) else "" for view in each]
        for query, each in zip(queries, views, strict=True)
    ]
    names = [
        [[int(view.move(int(move))) for view in each] for move in here.legal]
        for here, each in zip(positions, views, strict=True)
    ]
    return Decisions(
        np.array([at for at, _ in samples]),
        np.array([position.ply for position in positions]),
        np.array([index_of(sample.query.position, sample.move) for _, sample in samples]),
        widths,
        counts,
        np.concatenate(log_probs),
        np.concatenate([np.array(each, dtype=np.int64) for each in names]),
        np.array(marks, dtype=np.str_),
        looked.places - firsts,
        looked.columns,
        kinds,
    )


def _is_remembered(query: Query) -> bool:
    return query.position.ply < REMEMBERED_PLIES and is_plain(query.position.setup)


Played = tuple[int, str, int]
"""The game's place, the mark of a scene, and the move as the scene names it."""


def played_scenes(games: Sequence[OwnGame]) -> dict[str, list[Played]]:
    """By sort of scene, what the person played in each, whether it was asked about or not."""
    habits = habits_of(games[0].record.game)
    found: dict[str, list[Played]] = {scene: [] for scene in habits.scenes}
    for at, game in enumerate(games):
        record = game.record
        if not is_plain(record.setup):
            continue
        position = start_of(record.game, record.setup)
        for move in record.moves[:REMEMBERED_PLIES]:
            if position.to_move == game.side and move in position.legal:
                for scene, view in zip(habits.scenes, habits.view(position), strict=True):
                    if not view.name:
                        continue
                    found[scene].append((at, mark_of(view.name), int(view.move(move))))
            position = position.follow(move)
    return found
