"""Reviews for the page: an uploaded record, looked at move by move while the visitor watches.

A review has limits in moves and time, and few run at once: others wait their turn. The judge, where the visitor wants
one, is the engine that this machine has; a browser cannot name one.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from typing import Any, Final

from hitonami.core import Position, open_game
from hitonami.customs import customs_of
from hitonami.errors import HitonamiError
from hitonami.judging.judge import cache_folder
from hitonami.models.self_played import expert_sees
from hitonami.records import Record, write_record
from hitonami.review.judging import name_of, open_bench
from hitonami.review.levels import level_for, no_level, pool_of, without_levels
from hitonami.review.reading import Chosen
from hitonami.review.walk import Minds, Reviewing
from hitonami.strength.estimate import calibration_for
from hitonami.web.refusals import body_of
from hitonami.web.thinking import Thinkers
from hitonami.web.twins import TWIN
from hitonami.web.uploads import Wanted
from hitonami.web.views import show_board

LONGEST_SECONDS: Final = 600.0
AT_ONCE: Final = 2
_JUDGE_NODES: Final = 20_000


def review(chosen: Chosen, wanted: Wanted, thinkers: Thinkers) -> Iterator[dict[str, Any]]:
    """What happens in a review, as plain data: its start, each move, its summary. Blocks between them."""
    game = chosen.record.game
    deadline = time.monotonic() + LONGEST_SECONDS
    with ExitStack() as stack:
        reviewing = _open(stack, chosen, wanted, thinkers)
        here: Position = open_game(game).start(chosen.record.setup)
        yield {"kind": "start", "game": game, "board": _bare(here), **_head(reviewing)}
        for step in reviewing:
            here = here.follow(chosen.record.moves[step.ply])
            yield {"kind": "step", **step.as_json(), "board": _bare(here)}
            if time.monotonic() > deadline:
                break
        summary = reviewing.summary().as_json()
        del summary["steps"]  # they have been told
        yield {"kind": "summary", **summary}


def _head(reviewing: Reviewing) -> dict[str, Any]:
    """What is known before the first move: who plays, as whom they are taken, and who judges."""
    judge, level, chosen = reviewing.minds.judge, reviewing.level, reviewing.chosen
    return {
        "moves": reviewing.moves,
        "number": chosen.number,
        "games": chosen.games,
        "broken": bool(chosen.broken),
        "text": _text(chosen.record),
        "players": [{"name": player.name or "", "rating": player.rating} for player in chosen.record.players],
        "pool": level.pool,
        "ratings": level.ratings,
        "told": level.told,
        "equal_rating": level.mean,
        "mind": reviewing.minds.name,
        "judge": "" if judge is None else name_of(judge),
        "judge_nodes": None if judge is None else judge.nodes,
    }


def _text(record: Record) -> str:
    """The game's moves and nothing of its players, as text that a prediction takes."""
    bare = Record(record.game, record.setup, record.moves, movers=record.movers[: len(record.moves)])
    return write_record(bare, customs_of(record.game).records[0])


def _open(stack: ExitStack, chosen: Chosen, wanted: Wanted, thinkers: Thinkers) -> Reviewing:
    game = chosen.record.game
    style = thinkers.roster.style(game, wanted.eyes, wanted.visitor)
    is_twin = style.name.startswith(TWIN)
    start = open_game(game).start(chosen.record.setup)
    expert = thinkers.mind("expert:0", background=True) if expert_sees(start) else None
    pool = pool_of(chosen.record)
    calibration = calibration_for(game, pool, expert is not None)
    asked = None if wanted.judge else "none"
    bench = open_bench(stack, start, asked, nodes=_JUDGE_NODES, cache=cache_folder())
    human = thinkers.mind(style.mind, background=True)
    because = without_levels(chosen.record, style.name, named=False)
    if is_twin:
        because = "a twin is of its own level, whoever plays"
    level = no_level(because, None) if because else level_for(chosen.record, pool, wanted.rating, calibration)
    return Reviewing(chosen, Minds(human, expert, bench.judge, calibration, style.name), level)


def _bare(position: Position) -> dict[str, Any]:
    """A board to look at: what could be played on it is left out."""
    return show_board(position, movable=False).model_dump()


async def stream(events: Iterator[dict[str, Any]], turn: asyncio.Semaphore) -> AsyncIterator[bytes]:
    """Events as server-sent ones, as they happen. Whoever leaves ends the review; a failure is the last event."""
    async with turn:
        try:
            while (event := await asyncio.to_thread(next, events, None)) is not None:
                yield _write(event)
        except HitonamiError as wrong:
            yield _write({"kind": "failed", **body_of(wrong)})
        finally:
            await asyncio.to_thread(_close, events)


def _write(event: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(event, ensure_ascii=False).encode("utf-8", "replace") + b"\n\n"


def _close(events: Iterator[dict[str, Any]]) -> None:
    close = getattr(events, "close", None)
    if close is not None:
        close()
