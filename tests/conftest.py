"""Shared fixtures: what a test needs from the machine, and what happens where it is missing.

A missing program or library skips the test with the reason. In CI (`CI=true`) it fails instead: there
everything was installed on purpose, so a skip would hide a hole.
"""

import importlib
import os
import shutil
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])


def _missing(reason: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (in CI nothing may be missing)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def need_program() -> Callable[[str], str]:
    """The path of an installed program, or a skip that says how to get it."""

    def need(name: str) -> str:
        found = shutil.which(name, path=_PATH)
        if found is None:
            _missing(f"{name} is not installed: run `make system-deps`")
        return str(found)

    return need


@pytest.fixture(scope="session")
def need_module() -> Callable[[str], ModuleType]:
    """An importable library, or a skip."""

    def need(name: str) -> ModuleType:
        try:
            return importlib.import_module(name)
        except ImportError:
            _missing(f"the Python library {name} is not installed")
            raise

    return need
