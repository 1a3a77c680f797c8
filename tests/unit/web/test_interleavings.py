"""Every order in which two requests about a game can happen: nothing breaks, and it is as if one came after the other.

The actor, the rules and the store are the real ones. Only their threads are replaced: what would run in a thread waits
until the schedule says so, and all schedules are tried, not some by luck.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
import pytest

from hitonami.core import Opinion, Query, Setup, open_game
from hitonami.errors import BadInput
from hitonami.web.actors import Actor
from hitonami.web.crew import Crew
from hitonami.web.database import Database, new_id
from hitonami.web.games_store import GamesStore, StoredGame
from hitonami.web.refusals import OutOfStep
from hitonami.web.thinking import Thinkers

Op = Callable[[Actor], Awaitable[object]]
LONGEST = 60.0


class Stepped(Crew):
    """Work that waits to be let through. Several actors may share one."""

    def __init__(self, *at_once: str) -> None:
        self.waiting: list[tuple[asyncio.Future[Any], Callable[[], Any]]] = []
        self._at_once = at_once

    async def do(self, kind: str, work: Callable[..., Any], *args: object) -> Any:
        if kind in self._at_once:
            return work(*args)
        future = asyncio.get_running_loop().create_future()
        self.waiting.append((future, partial(work, *args)))
        return await future

    async def rest(self, seconds: float) -> None:
        await self.do("rest", lambda: None)

    def step(self, at: int) -> None:
        future, work = self.waiting.pop(at)
        try:
            result = work()
        except Exception as wrong:
            if not future.done():
                future.set_exception(wrong)
        else:
            if not future.done():
                future.set_result(result)


class First(Thinkers):
    """Plays the first legal move, thinks that all is level, and thinks when the schedule says so."""

    def __init__(self, crew: Stepped) -> None:
        super().__init__()
        self._crew = crew

    async def opinions(self, spec: str, queries: Any, asker: str) -> list[Opinion]:
        found: list[Opinion] = await self._crew.do("mind", lambda: [_first(query) for query in queries])
        return found


def _first(query: Query) -> Opinion:
    log_probs = np.full(len(query.position.legal), -np.inf, dtype=np.float32)
    log_probs[0] = 0.0
    return Opinion(log_probs, np.array([0.0, 1.0, 0.0], dtype=np.float32))


def _long_game() -> tuple[str, ...]:
    """Far enough for a draw to be agreed, without a claim to one."""
    rng = np.random.default_rng(5)
    position = open_game("chess").start()
    texts = []
    while position.ply < 22:
        move = int(rng.choice(position.legal))
        texts.append(position.game.format(position, move))
        position = position.play(move)
    assert position.game.claims(position).draw is None
    return tuple(texts)


_CHESS = StoredGame("", "chess", Setup(), 0, "random", 1500.0, "lichess", "instant", time_control=f"{LONGEST:.0f}+0")
_GO = StoredGame("", "go", Setup(size=5), 0, "random", 20.0, "ogs", "instant")
SITUATIONS = {
    "begun": replace(_CHESS, moves=("e2e4", "e7e5"), clocks=(60.0, 60.0)),
    "theirs": replace(_CHESS, moves=("e2e4", "e7e5", "g1f3"), clocks=(60.0, 60.0, 50.0)),
    "late": replace(_CHESS, moves=_long_game(), clocks=(60.0,) * 22),
    "counted": replace(_GO, moves=("C3", "pass", "pass"), human_side=1, score=1.0, reason="two passes, B+18"),
}


def _play(actor: Actor) -> Awaitable[object]:
    """The first legal move of whatever the visitor sees."""
    position = actor.table.position
    text = position.game.format(position, int(position.legal[0])) if len(position.legal) else "pass"
    return actor.play(text, position.ply)


OPS: dict[str, Op] = {
    "play": _play,
    "answer": Actor.answer,
    "undo": Actor.undo,
    "resign": Actor.resign,
    "draw": Actor.ask_for_draw,
    "pace": lambda actor: actor.set_pace("human"),
    "dead": lambda actor: actor.mark_dead(["C3"]),
    "look": Actor.look,
}
WAIT = "the flag falls"


@dataclass
class Wall:
    """What time it is; a schedule can let a whole game's time pass."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Run:
    """What one schedule came to."""

    final: tuple[Any, ...]
    told: dict[int, str]
    """"done", "refused", "late" (409) or "gone" of each request."""
    options: list[int]
    """How many ways there were to go on at each step."""


class Scene:
    """One game in one situation, on one or two servers."""

    def __init__(self, store: GamesStore, situation: str, servers: int = 1) -> None:
        # between two servers only the store makes a difference: what each of them works out for itself is done at once
        self.store, self.crew, self.wall = store, Stepped(*(["moves"] if servers > 1 else [])), Wall()
        thinkers = First(self.crew)
        self.checked = 0
        self.game = store.save(replace(SITUATIONS[situation], id=new_id()))
        self.actors = [Actor(self.game, store, thinkers, self.crew, self.wall) for _ in range(servers)]

    async def settle(self) -> None:
        """Until nothing moves any more but what waits for the schedule."""
        loop: Any = asyncio.get_running_loop()
        await asyncio.sleep(0)
        while loop._ready:
            await asyncio.sleep(0)

    @property
    def changed(self) -> bool:
        """Whether anything was saved since the last check."""
        return self.actors[0].stored.version != self.checked

    def check(self) -> None:
        """What one server shows is what is on disk."""
        self.checked = self.actors[0].stored.version
        kept = self.store.load(self.game.id)
        [actor] = self.actors
        assert kept == actor.stored == actor.as_stored()

    def final(self) -> tuple[Any, ...]:
        kept = self.store.load(self.game.id)
        assert kept is not None
        woken = Actor(kept, self.store, First(self.crew), self.crew, self.wall)
        assert woken.as_stored() == kept
        return kept.moves, kept.score, kept.reason, kept.pace, kept.dead, kept.clocks

    async def drive(self, ops: list[str], prefix: list[int], leaver: int | None = None) -> Run:
        """Follow the prefix, then always the first way; a leaver may close his browser at any step."""
        tasks: dict[int, asyncio.Task[Any]] = {}
        left = False
        options: list[int] = []
        while True:
            await self.settle()
            if len(self.actors) == 1 and self.changed:
                self.check()
            ways: list[Callable[[], object]] = [
                partial(self._start, tasks, at, op) for at, op in enumerate(ops) if at not in tasks
            ]
            ways += [partial(self.crew.step, at) for at in range(len(self.crew.waiting))]
            if leaver in tasks and not tasks[leaver].done() and not left:
                ways.append(tasks[leaver].cancel)
            if not ways:
                break
            chosen = prefix[len(options)] if len(options) < len(prefix) else 0
            options.append(len(ways))
            left = left or (leaver is not None and ways[chosen] == getattr(tasks.get(leaver), "cancel", None))
            ways[chosen]()
        if len(self.actors) == 1:
            self.check()
        told = {at: _told(task) for at, task in tasks.items()}
        assert all(actor.idle for actor in self.actors)
        return Run(self.final(), told, options)

    def _start(self, tasks: dict[int, asyncio.Task[Any]], at: int, op: str) -> None:
        actor = self.actors[at % len(self.actors)]
        if op == WAIT:
            self.wall.seconds += 2 * LONGEST
            tasks[at] = asyncio.ensure_future(asyncio.sleep(0))
        else:
            tasks[at] = asyncio.ensure_future(_as_coroutine(OPS[op], actor))


async def _as_coroutine(op: Op, actor: Actor) -> object:
    return await op(actor)


def _told(task: asyncio.Task[Any]) -> str:
    assert task.done()  # nobody waits for ever
    if task.cancelled():
        return "gone"
    wrong = task.exception()
    if wrong is None:
        return "done"
    assert isinstance(wrong, OutOfStep | BadInput), wrong  # 409 or 400; anything else would be the server's fault
    return "late" if isinstance(wrong, OutOfStep) else "refused"


def explore(drive: Callable[[list[int]], Run]) -> Iterator[Run]:
    """Every schedule, by going back to the last step that could have been another."""
    prefix: list[int] = []
    while True:
        run = drive(prefix)
        yield run
        chosen = prefix + [0] * (len(run.options) - len(prefix))
        while chosen and chosen[-1] + 1 == run.options[len(chosen) - 1]:
            chosen.pop()
        if not chosen:
            return
        prefix = [*chosen[:-1], chosen[-1] + 1]


@pytest.fixture(scope="module")
def store() -> Iterator[GamesStore]:
    database = Database("sqlite://")
    yield GamesStore(database)
    database.close()


def _one_by_one(store: GamesStore, situation: str, ops: tuple[str, ...]) -> tuple[Any, ...]:
    """What the requests come to, each after the end of the one before."""

    async def drive() -> tuple[Any, ...]:
        scene = Scene(store, situation)
        for op in ops:
            await scene.drive([op], [])
        return scene.final()

    return asyncio.run(drive())


def _allowed(store: GamesStore, situation: str, ops: tuple[str, ...], told: dict[int, str]) -> set[tuple[Any, ...]]:
    """What may have come of it: some order of all requests, without those who were told that they came too late."""
    sure = [at for at, word in told.items() if word not in ("late", "gone")]
    perhaps = [at for at in told if at not in sure]
    kept = [sure, *([*sure, at] for at in perhaps), [*sure, *perhaps]]
    orders = {order for some in kept for order in permutations(some)}
    return {_one_by_one(store, situation, tuple(ops[at] for at in order)) for order in orders}


def _try_all(
    store: GamesStore, situation: str, ops: tuple[str, ...], servers: int = 1, leaver: int | None = None
) -> int:
    async def drive(prefix: list[int]) -> Run:
        return await Scene(store, situation, servers).drive(list(ops), prefix, leaver)

    allowed: dict[tuple[tuple[int, str], ...], set[tuple[Any, ...]]] = {}
    count = 0
    with asyncio.Runner() as runner:
        for run in explore(lambda prefix: runner.run(drive(prefix))):
            count += 1
            key = tuple(sorted(run.told.items()))
            if key not in allowed:
                allowed[key] = _allowed(store, situation, ops, run.told)
            assert run.final in allowed[key], (run, allowed[key])
    return count


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("ops", list(combinations_with_replacement(OPS, 2)), ids="-".join)
def test_two_requests_at_once_are_two_in_some_order(store: GamesStore, situation: str, ops: tuple[str, str]) -> None:
    assert _try_all(store, situation, ops) >= 2


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("situation", ["begun", "theirs"])
def test_a_flag_may_fall_at_any_moment(store: GamesStore, situation: str, op: str) -> None:
    assert _try_all(store, situation, (op, WAIT)) >= 2


@pytest.mark.parametrize(
    ("situation", "ops"),
    [
        ("theirs", ("answer", "undo")),
        ("theirs", ("answer", "resign")),
        ("begun", ("play", "undo")),
        ("late", ("play", "draw")),
    ],
)
def test_whoever_leaves_in_the_middle_leaves_no_half_change(
    store: GamesStore, situation: str, ops: tuple[str, str]
) -> None:
    for leaver in (0, 1):
        assert _try_all(store, situation, ops, leaver=leaver) >= 2


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("ops", list(combinations_with_replacement(OPS, 2)), ids="-".join)
def test_two_servers_never_overwrite_each_other(store: GamesStore, situation: str, ops: tuple[str, str]) -> None:
    assert _try_all(store, situation, ops, servers=2) >= 2
