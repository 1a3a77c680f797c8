"""Games to watch, made before anybody sees them: by agents, or from people's records.

All games of a study have the same number of moves, from the same start, and nobody resigned within them, so that length
and ending tell nothing. Agents play both sides of their games, as people did in theirs.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from threading import Event
from typing import Any, Final

import numpy as np

from hitonami.agent import Agent
from hitonami.core import Effort, Game, Player, Position, Query, Setup, open_game
from hitonami.errors import BadInput, WorkFailed
from hitonami.records import Document, Record, open_format
from hitonami.web.move_log import move_texts
from hitonami.web.pasted import format_of
from hitonami.web.studies.store import Hidden, Study
from hitonami.web.thinking import Thinkers

_ATTEMPTS: Final = 4
_SGF_GAME: Final = re.compile(r"\(\s*;")


def play_games(study: Study, hidden: Hidden, agent: Agent, stop: Event) -> Iterator[str]:
    """Games of one opponent against itself, as many as the study wants, all asked about at once.

    Raises WorkFailed where they end too early, and where it is stopped.
    """
    game: Game[Any] = open_game(study.game)
    effort = Effort(rng=np.random.default_rng())
    player = Player(hidden.rating, hidden.pool, kind="human")
    found = 0
    for _ in range(_ATTEMPTS):
        games: list[Position] = [game.start(study.setup) for _ in range(study.games_per_opponent - found)]
        for _ in range(study.plies):
            if stop.is_set():
                raise WorkFailed("stopped")
            games = _step(games, agent, player, effort)
        for position in games:
            found += 1
            yield write_moves(position)
        if found >= study.games_per_opponent:
            return
    raise WorkFailed(f"games of {hidden.label} end before move {study.plies}: let visitors see fewer moves")


def _step(games: Sequence[Position], agent: Agent, player: Player, effort: Effort) -> list[Position]:
    """One more move in each game; those that are over are left out."""
    running = [position for position in games if len(position.legal)]
    if not running:
        return []
    queries = [Query(position, player, player) for position in running]
    opinions = agent.mind(queries, effort)
    after = [
        query.position.play(agent.draw_move(query, opinion, effort.rng))
        for query, opinion in zip(queries, opinions, strict=True)
    ]
    return [position for position in after if len(position.legal)]


def read_people(game: str, setup: Setup, plies: int, text: str) -> list[str]:
    """The games of pasted records that can be shown: long enough, from the same start. Names are not kept."""
    kept = []
    for record in _read_all(game, text):
        if len(record.moves) >= plies and _same_start(game, setup, record):
            position: Position = open_game(game).start(setup)
            for move in record.moves[:plies]:
                position = position.follow(move)
            if len(position.legal):
                kept.append(write_moves(position))
    return list(dict.fromkeys(kept))


def _same_start(game: str, setup: Setup, record: Record) -> bool:
    rules = open_game(game)
    try:
        wanted, found = rules.start(setup), rules.start(record.setup)
    except BadInput:
        return False
    here, there = rules.diagram(wanted), rules.diagram(found)
    return (here.rows, here.text) == (there.rows, there.text) and wanted.to_move == found.to_move


def _read_all(game: str, text: str) -> Iterator[Record]:
    kind = format_of(game, text)
    pieces = [text]
    if kind == "sgf":  # one game a tree; several may be pasted
        starts = [found.start() for found in _SGF_GAME.finditer(text)]
        pieces = [text[begin:end] for begin, end in pairwise([*starts, len(text)])]
    for piece in pieces:
        for found in open_format(kind).read(Document("pasted", 0, f"{piece}\n".encode())):
            if isinstance(found, Record):
                yield found


def write_moves(position: Position) -> str:
    """The moves of a game as programs write them, with spaces between."""
    return " ".join(move_texts(position))


def open_agent(hidden: Hidden, game: str, thinkers: Thinkers, asker: str, *, background: bool = False) -> Agent:
    """Who plays a hidden opponent, drawing its moves as everywhere on the page; it never gives up."""
    agent = thinkers.agent(thinkers.roster.style(game, hidden.style).mind, game, asker, background=background)
    return replace(agent, patience=None)
