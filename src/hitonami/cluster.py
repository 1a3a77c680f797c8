"""Map a function over work items: on this machine by default, on a Ray cluster when asked.

Results come in the order of the items, and no more than a few items are under way at once, so memory
stays bounded however long the list is. The function and its items must be picklable.
"""

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from hitonami.errors import WorkFailed

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_ordered(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    jobs: int = 1,
    address: str | None = None,
    ahead: int = 2,
) -> Iterator[Result]:
    """Yield `work(item)` for each item, in order, with at most `ahead` items a worker under way.

    `address` is a Ray cluster's ("auto", "ray://host:port", or "local" for one started here); without it
    `jobs` processes of this machine do the work, and one job runs in this process.
    """
    if address is not None:
        return _on_ray(work, items, address, ahead)
    if jobs <= 1:
        return map(work, items)
    return _on_processes(work, items, jobs, ahead)


def _on_processes(work: Callable[[Item], Result], items: Iterable[Item], jobs: int, ahead: int) -> Iterator[Result]:
    # Not fork: readers keep threads, and a forked child would inherit their locks.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        waiting: deque[Any] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                while len(waiting) > jobs * ahead or (waiting and waiting[0].done()):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _on_ray(work: Callable[[Item], Result], items: Iterable[Item], address: str, ahead: int) -> Iterator[Result]:
    try:
        import ray  # an extra: most users never need it
    except ImportError:
        raise WorkFailed("a cluster needs Ray: pip install 'hitonami[cluster]'") from None
    started = not ray.is_initialized()
    if started:
        ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
    try:
        remote = ray.remote(_call)
        window = max(1, int(ray.cluster_resources().get("CPU", 1))) * ahead
        waiting: deque[Any] = deque()
        for item in items:
            waiting.append(remote.remote(work, item))
            if len(waiting) > window:
                yield ray.get(waiting.popleft())
        while waiting:
            yield ray.get(waiting.popleft())
    finally:
        if started:
            ray.shutdown()


def _call(work: Callable[[Item], Result], item: Item) -> Result:
    """Ray takes plain functions only, not partial ones."""
    return work(item)
