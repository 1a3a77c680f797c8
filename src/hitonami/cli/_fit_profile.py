"""`hitonami fit GAME all`: everything over a base."""

from dataclasses import asdict
from typing import Any

from hitonami.cli._files import say, tell
from hitonami.cli._options import SelectionWish
from hitonami.errors import BadInput, WorkFailed


def fit_profile(
    drawing: SelectionWish, game: str, data: tuple[str, ...], base: str, only: tuple[str, ...], words: dict[str, Any]
) -> None:
    """Each step is told when it is done."""
    from hitonami.fits.profile import STEPS, ProfileWish, run_profile
    from hitonami.judging.run import JudgeWish
    from hitonami.levels.profiles import profile_of, user_profiles
    from hitonami.terminal.progress import Meter

    if not base:
        raise BadInput("fit all needs a --base: the name of a model, its file, or a mind")
    for given in ("mean", "mind", "rating"):
        if words[f"{given}s"]:
            raise BadInput(f"fit all does not take --{given}: it fits over --base")
    folder = words["out"] or user_profiles()
    judge = JudgeWish(*(words[name] for name in ("judge", "nodes", "cache", "jobs")))
    steps = tuple(step for step in STEPS if not only or step in only)
    wish = ProfileWish(base, folder, judge, words["default_pool"], steps)
    done = []
    for each in run_profile(drawing.plan(game), wish, data, Meter):
        say(f"{each.step}: {'left out: ' if each.failed else ''}{each.told}")
        done.append(each)
    if all(each.failed for each in done):
        raise WorkFailed("nothing could be fitted")
    where = folder / profile_of(base)
    tell([f"wrote {where}"], lambda: {"profile": str(where), "steps": [asdict(each) for each in done]})
