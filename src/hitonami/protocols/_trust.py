"""Which minds a program at the other end of a protocol may choose.

Whoever types `--mind` at a terminal may run any program; a line of a protocol may come from a GUI's settings, a script
or another machine. So it may name what is packaged and what lies in the stores of models, and no command and no other
file, unless `hitonami engine` was started with `--allow-programs`.
"""

from typing import Any, Final

from hitonami.errors import BadSpec, alternatives, quote
from hitonami.models.store import list_models
from hitonami.specs import MindSpec, base_spec

_HOW: Final = "start `hitonami engine` with --allow-programs to allow it"
_COMMAND, _MODEL, _FILE, _BASE = "command", "model", "path", "base"
"""Fields of minds by what they hold: a command line, the name of a model or its file, any other file, a base."""


def check_trusted(spec: MindSpec) -> None:
    """Raises BadSpec where the mind, or any mind inside it, would run a program or read a file from outside."""
    for name, value in spec.fields:
        if name == _COMMAND:
            raise BadSpec(f"mind {spec.kind} runs a program, {quote(str(value))}: {_HOW}")
        if name == _FILE:
            raise BadSpec(f"mind {spec.kind} reads a file, {quote(str(value))}: {_HOW}")
        if name == _MODEL and value not in (known := [listed.name for listed in list_models()]):
            raise BadSpec(f"no model {quote(str(value))} in the stores; {alternatives(str(value), known)}; {_HOW}")
        _check_inside(base_spec(value) if name == _BASE else value)


def _check_inside(value: Any) -> None:
    if isinstance(value, MindSpec):
        check_trusted(value)
    elif isinstance(value, tuple):
        for each in value:
            _check_inside(each)
