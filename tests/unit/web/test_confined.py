"""Work with limits: what oversteps them is ended, and nothing else is."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hitonami.errors import BadInput
from hitonami.specs import mind_spec
from hitonami.web.confined import Confined, Overstepped

PID = "__import__('os').getpid()"
FOREVER = "while True: pass"


@asynccontextmanager
async def _confined(**fields: Any) -> AsyncIterator[Confined]:
    confined = Confined(time.time, **fields)
    try:
        yield confined
    finally:
        confined.close()


def _run(trial: Callable[[Confined], Awaitable[None]], **fields: Any) -> None:
    async def run() -> None:
        async with _confined(**fields) as confined:
            await trial(confined)

    asyncio.run(run())


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_work_is_done_in_one_warm_process_and_its_errors_come_back() -> None:
    async def trial(confined: Confined) -> None:
        assert await confined.run(len, "four") == 4
        pids = {await confined.run(eval, PID) for _ in range(3)}
        assert len(pids) == 1
        assert os.getpid() not in pids
        with pytest.raises(BadInput, match="there is no mind 'nobody'"):
            await confined.run(mind_spec, "nobody")
        assert await confined.run(eval, PID) in pids

    _run(trial)


@pytest.mark.parametrize(
    ("work", "item"),
    [(exec, FOREVER), (time.sleep, 600), (bytearray, 4 << 30), (os._exit, 1), (exec, "a = 0\nwhile 1: a = [a, a]")],
)
def test_what_oversteps_is_ended_and_the_next_is_served(work: Callable[[Any], Any], item: Any) -> None:
    async def trial(confined: Confined) -> None:
        before = await confined.run(eval, PID)
        with pytest.raises(Overstepped, match="too much"):
            await confined.run(work, item)
        after = await confined.run(eval, PID)
        assert after == before or not _lives(before)

    _run(trial, longest_seconds=2.0)


def test_a_machine_that_is_busy_with_other_things_costs_nobody_his_upload() -> None:
    async def trial(confined: Confined) -> None:
        assert await confined.run(eval, "__import__('time').sleep(2.5) or 7") == 7

    _run(trial, longest_seconds=1.0)


def test_the_processor_time_is_bounded_even_where_nobody_waits_for_it() -> None:
    """A server that is stopped (SIGSTOP) or busy cannot end its worker: the system does."""

    async def trial(confined: Confined) -> None:
        soft = await confined.run(eval, "__import__('resource').getrlimit(0)[0] - __import__('time').process_time()")
        assert 5 < soft < 10

    _run(trial, longest_seconds=6.0)


def test_who_leaves_ends_the_work() -> None:
    async def trial(confined: Confined) -> None:
        pid = await confined.run(eval, PID)
        task = asyncio.create_task(confined.run(exec, FOREVER))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not _lives(pid)

    _run(trial, longest_seconds=600.0)


def test_the_end_waits_for_nobody() -> None:
    """The server ends its workers whatever they do, and their folders go with them."""

    async def trial(confined: Confined) -> None:
        pid = await confined.run(eval, PID)
        folder = Path(await confined.run(eval, "__import__('tempfile').gettempdir()"))
        task = asyncio.create_task(confined.run(exec, FOREVER))
        await asyncio.sleep(0)
        confined.close()
        with pytest.raises(Overstepped):
            await task
        assert not _lives(pid)
        assert not folder.exists()

    _run(trial, longest_seconds=600.0)


def test_a_worker_ends_with_its_server() -> None:
    async def trial(confined: Confined) -> None:
        pid = await confined.run(eval, PID)
        (worker,) = confined._idle
        assert worker._pipe is not None
        worker._pipe.close()  # as the system does for a server that was killed
        assert worker._process is not None
        worker._process.join()
        assert not _lives(pid)

    _run(trial)


def test_ctrl_c_is_the_servers_business() -> None:
    async def trial(confined: Confined) -> None:
        pid = await confined.run(eval, PID)
        os.kill(pid, signal.SIGINT)
        assert await confined.run(eval, PID) == pid

    _run(trial)
