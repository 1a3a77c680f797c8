"""All twins of a server that are being made: one at a time, one of each visitor, in the order in which they came.

What a twin is made from lies beside it until it is there, so that a server that was ended, in whatever way, goes on
when it starts again; a visitor can stop and go on, too. Forgetting removes all of it.
"""

import asyncio
import json
import shutil
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Final, Literal

from hitonami import disk
from hitonami.errors import BadInput
from hitonami.models.shipped import shipped_models
from hitonami.style.making import LEAST_GAMES
from hitonami.twins.store import check_name, forget_twin, list_twins, path_of, sent_folder, sent_names
from hitonami.twins.twin import Twin
from hitonami.web.refusals import Refusal, TooMany, plain
from hitonami.web.twins import TWIN, all_visitors, store_of
from hitonami.web.twins.drafts import Draft, Drafts
from hitonami.web.twins.making import Order, Said, run
from hitonami.web.twins.schemas import ShownTwin

State = Literal["sending", "waiting", "working", "stopped", "failed"]
_UNDER_WAY: Final = ("sending", "waiting", "working")
_MOST_WAITING: Final = 30
_WISH: Final = "wish.json"
_BASE: Final = "human"


@dataclass(eq=False)
class _Job:
    visitor: str
    order: Order
    state: State = "waiting"
    said: Said = field(default_factory=lambda: Said("", 0, 0))
    wrong: str = ""
    leaving: Event = field(default_factory=Event)
    """Set where its process shall end."""
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    """Set where it has none."""

    def __post_init__(self) -> None:
        self.idle.set()


class TwinDesk:
    """Makes twins and knows whose they are. Its coroutines all run in one loop; `run` is the process behind it."""

    def __init__(self, twins_kept: int, make: Callable[..., str] = run) -> None:
        self.drafts = Drafts()
        self._twins_kept, self._make = twins_kept, make
        self._jobs: OrderedDict[tuple[str, str], _Job] = OrderedDict()
        self._changed = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._closing = False

    def open_again(self, shared: bool) -> None:
        """Go on with what was being made when the server ended."""
        for visitor in all_visitors(shared):
            for name in sent_names(store_of(visitor)):
                job = _read_job(visitor, name)
                if job is not None:
                    self._jobs[visitor, name] = job
        self._worker = asyncio.create_task(self._work())

    async def close(self) -> None:
        """End what is being made; it goes on at the next start."""
        self._closing = True
        for job in self._jobs.values():
            job.leaving.set()
        self._changed.set()
        if self._worker is not None:
            await self._worker
        self.drafts.close()

    async def begin(self, draft: Draft, visitor: str, name: str, player: str) -> None:
        """Make a twin of what was sent. Raises Refusal."""
        store = store_of(visitor)
        try:
            check_name(name)
        except BadInput as wrong:
            raise Refusal("twin-name", str(wrong)) from None
        if draft.game not in shipped_models(_BASE):
            told = f"no human network for {draft.game} comes with this version"
            raise Refusal("twin-game", told, {"game": draft.game})
        if (visitor, name) in self._jobs or path_of(name, store).exists():
            raise Refusal("twin-taken", f"there is a twin {name} already", {"name": name})
        _refuse_few(draft, player)
        self._refuse_more(visitor, store)
        self._jobs[visitor, name] = job = _plan(draft, visitor, name, player)
        try:
            await asyncio.to_thread(_keep_sent, draft, job)
        except OSError:
            self._jobs.pop((visitor, name), None)
            raise
        self.drafts.drop(draft)
        if self._jobs.get((visitor, name)) is not job:  # forgotten while it was written
            await asyncio.to_thread(forget_twin, name, store)
        job.state = "waiting"
        self._changed.set()

    def _refuse_more(self, visitor: str, store: Path) -> None:
        if any(job.visitor == visitor and job.state in _UNDER_WAY for job in self._jobs.values()):
            raise TooMany("twin-busy", "one twin at a time is made for a visitor; wait for it, or stop it")
        if sum(job.state == "waiting" for job in self._jobs.values()) >= _MOST_WAITING:
            raise TooMany("twin-queue", "many twins are waiting to be made; please try again later")
        if sum(1 for _ in store.glob("*.twin")) >= self._twins_kept:
            kept = self._twins_kept
            raise TooMany("twins-kept", f"{kept} twins are kept here for a visitor; forget one", {"count": kept})

    async def stop(self, visitor: str, name: str) -> None:
        """End the making for now; what was asked is kept."""
        job = self._find(visitor, name)
        if job.state in ("waiting", "working"):
            job.state = "stopped"
            await _end(job)
            if (visitor, name) in self._jobs:  # it was not done just then
                _write_wish(job)

    def resume(self, visitor: str, name: str) -> None:
        job = self._find(visitor, name)
        if job.state == "stopped":
            self._refuse_more(visitor, store_of(visitor))
            job.state, job.leaving = "waiting", Event()
            _write_wish(job)
            self._jobs.move_to_end((visitor, name))
            self._changed.set()

    async def forget(self, visitor: str, name: str) -> None:
        """Remove all that is kept of a twin, finished or not. Raises Refusal where there is none."""
        job = self._jobs.pop((visitor, name), None)
        if job is not None:
            await _end(job)
        try:
            await asyncio.to_thread(forget_twin, name, store_of(visitor))
        except BadInput:
            if job is None:
                raise Refusal("no-twin", "there is no such twin here") from None

    async def show(self, visitor: str) -> list[ShownTwin]:
        """The visitor's twins, those in the making first."""
        found = await asyncio.to_thread(lambda: list(list_twins(store_of(visitor))))
        waiting = [job for job in self._jobs.values() if job.state in _UNDER_WAY]
        own = [_show_job(job, waiting) for job in self._jobs.values() if job.visitor == visitor]
        kept = [each for each in found if (visitor, each.name) not in self._jobs]
        return own + [_show_kept(each.name, each.size_bytes, each.twin) for each in kept if each.twin is not None]

    def _find(self, visitor: str, name: str) -> _Job:
        job = self._jobs.get((visitor, name))
        if job is None:
            raise Refusal("no-twin", "there is no such twin here")
        return job

    async def _work(self) -> None:
        while not self._closing:
            job = next((each for each in self._jobs.values() if each.state == "waiting"), None)
            if job is None:
                self._changed.clear()
                await self._changed.wait()
            else:
                await self._work_on(job)

    async def _work_on(self, job: _Job) -> None:
        job.state, job.said = "working", Said("", 0, 0)
        job.idle.clear()
        try:
            outcome = await asyncio.to_thread(
                self._make, job.order, job.leaving.is_set, lambda said: setattr(job, "said", said)
            )
            if outcome == "done":
                await asyncio.to_thread(disk.remove_tree, sent_folder(job.order.name, job.order.store))
                self._jobs.pop((job.visitor, job.order.name), None)
            elif outcome != "stopped":
                await self._fail(job, outcome)
        except OSError as wrong:
            await self._fail(job, wrong.strerror or "the disk failed")
        finally:
            job.idle.set()

    async def _fail(self, job: _Job, wrong: str) -> None:
        """Nothing is kept but the word, until the visitor forgets it or the server ends."""
        with suppress(BadInput, OSError):
            await asyncio.to_thread(forget_twin, job.order.name, job.order.store)
        job.state, job.wrong = "failed", wrong


def _refuse_few(draft: Draft, player: str) -> None:
    """Told now where it is known; others are told when the games are read."""
    people = () if draft.found is None else draft.found.people
    count = next((each.games for each in people if each.name.casefold() == player.strip().casefold()), LEAST_GAMES)
    if count < LEAST_GAMES:
        told = f"{count} games of this person: a twin needs {LEAST_GAMES} at least"
        raise Refusal("few-games", told, {"count": count, "least": LEAST_GAMES})


async def _end(job: _Job) -> None:
    """Wait until nothing works on it."""
    job.leaving.set()
    await job.idle.wait()


def _plan(draft: Draft, visitor: str, name: str, player: str) -> _Job:
    store = store_of(visitor)
    files = tuple(str(sent_folder(name, store) / path.name) for path in draft.paths.values())
    return _Job(visitor, Order(draft.game, name, player, _BASE, files, store), "sending")


def _keep_sent(draft: Draft, job: _Job) -> None:
    """Put what was sent beside where the twin will be; the wish comes last, so that without one there is nothing."""
    disk.make_folder(sent_folder(job.order.name, job.order.store))
    for path, file in zip(draft.paths.values(), job.order.files, strict=True):
        shutil.copyfile(path, file)
        Path(file).chmod(0o600)
    _write_wish(job)


def _write_wish(job: _Job) -> None:
    order = job.order
    wish = {"game": order.game, "player": order.player, "stopped": job.state == "stopped"}
    folder = sent_folder(order.name, order.store)
    disk.write_text(folder / _WISH, json.dumps(wish, ensure_ascii=False))


def _read_job(visitor: str, name: str) -> _Job | None:
    """What was being made; None where it cannot be told."""
    store = store_of(visitor)
    try:
        folder = sent_folder(name, store)
        wish = json.loads((folder / _WISH).read_text(encoding="utf-8"))
        files = tuple(str(path) for path in sorted(folder.iterdir()) if path.name != _WISH)
        order = Order(str(wish["game"]), name, str(wish["player"]), _BASE, files, store)
        return _Job(visitor, order, "stopped" if wish["stopped"] else "waiting")
    except (OSError, ValueError, KeyError, TypeError, BadInput):
        return None


def _show_job(job: _Job, waiting: Sequence[_Job]) -> ShownTwin:
    said, code = job.said, ""
    if job.state == "failed":
        code = "too-much" if job.wrong == "too-much" else ""
    return ShownTwin(
        name=job.order.name,
        style=f"{TWIN}{job.order.name}",
        game=job.order.game,
        state="waiting" if job.state == "sending" else job.state,
        stage=said.stage,
        done=said.done,
        total=said.total,
        ahead=waiting.index(job) if job in waiting else 0,
        error=plain(job.wrong),
        code=code,
    )


def _show_kept(name: str, size_bytes: int, twin: Twin) -> ShownTwin:
    made = twin.provenance
    return ShownTwin(
        name=name,
        style=f"{TWIN}{name}",
        game=twin.game,
        state="done",
        rating=twin.player.rating,
        pool=twin.player.pool,
        games=int(made.get("games", 0)),
        decisions=int(made.get("decisions", 0)),
        size_bytes=size_bytes,
        points=list(made.get("points", [])),
        is_base=twin.leanings is None and not twin.memories,
    )
