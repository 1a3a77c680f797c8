"""The warm-up leaves nothing to compile: every kernel that Python calls has been called."""

import importlib
import pkgutil
from types import FunctionType
from typing import Any

import hitonami
from hitonami.games._kernel import _ingredients
from hitonami.warm_up import steps


def kernels() -> dict[FunctionType, Any]:
    """Every kernel of the package, by the function that it was made from."""
    found: dict[FunctionType, Any] = {}
    for module in pkgutil.walk_packages(hitonami.__path__, "hitonami."):
        if module.name.rpartition(".")[2].startswith("_") and module.name != "hitonami.__main__":
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(inner := getattr(value, "py_func", None), FunctionType):
                    found[inner] = value
    return found


def test_every_kernel_that_python_calls_is_compiled() -> None:
    for step in steps():
        step.run()
    every = kernels()
    assert len(every) > 80
    inside: set[FunctionType] = set()
    for function, compiled in every.items():
        if compiled.signatures:
            reached: set[FunctionType] = set()
            list(_ingredients(function, reached))
            inside |= reached
    assert sorted(function.__qualname__ for function in every if function not in inside) == []
