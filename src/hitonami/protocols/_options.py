"""The options of a session: declared as UCI and USI declare them, set by text, read back typed.

A bad value is refused with BadInput and the old value stays. Nothing here acts on a value.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hitonami.errors import BadInput, alternatives, quote

Value = bool | int | str
EMPTY = "<empty>"
"""How UCI and USI write an empty string."""


@dataclass(frozen=True)
class Option:
    """One option. `low` and `high` bound a spin, `choices` are those of a combo."""

    name: str
    kind: Literal["check", "spin", "combo", "string"]
    default: Value
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def declare(self) -> str:
        """The line that tells a GUI about it."""
        shown = str(self.default).lower() if self.kind == "check" else str(self.default) or EMPTY
        limits = f" min {self.low} max {self.high}" if self.kind == "spin" else ""
        return f"option name {self.name} type {self.kind} default {shown}{limits}" + "".join(
            f" var {choice}" for choice in self.choices
        )

    def read(self, text: str) -> Value:
        """The value that a text means. Raises BadInput."""
        if self.kind == "check" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if self.kind == "spin" and (number := read_integer(text)) is not None and self.low <= number <= self.high:
            return number
        if self.kind == "combo" and text.lower() in self.choices:
            return text.lower()
        if self.kind == "string":
            return "" if text == EMPTY else text
        raise BadInput(f"option {self.name} takes {self._allowed()}, got {quote(text)}")

    def _allowed(self) -> str:
        if self.kind == "spin":
            return f"{self.low} to {self.high}"
        return "true or false" if self.kind == "check" else " or ".join(self.choices)


class Options:
    """The options of one session, by name without regard to case."""

    def __init__(self, known: Sequence[Option]) -> None:
        self._known = {option.name.lower(): option for option in known}
        self._values = {option.name: option.read(str(option.default)) for option in known}

    def declare(self) -> list[str]:
        return [option.declare() for option in self._known.values()]

    def describe(self) -> list[str]:
        """Each option and its value, for people."""
        return [
            f"{name} {str(value).lower() if isinstance(value, bool) else value}" for name, value in self._values.items()
        ]

    def set(self, name: str, text: str) -> str:
        """Set an option from text and return its name as declared. Raises BadInput and keeps the old value."""
        option = self._known.get(name.lower())
        if option is None:
            raise BadInput(f"no option {quote(name)}; {alternatives(name, self._values)}")
        self._values[option.name] = option.read(text)
        return option.name

    def flag(self, name: str) -> bool:
        return bool(self._values[name])

    def number(self, name: str) -> int:
        return int(self._values[name])

    def text(self, name: str) -> str:
        return str(self._values[name])

    def highest(self, name: str) -> int:
        """The most that a spin option can be."""
        return self._known[name.lower()].high


def split_setting(words: Sequence[str]) -> tuple[str, str]:
    """Name and value of `setoption name N [value V]`, given the words after `setoption`. Raises BadInput."""
    if len(words) < 2 or words[0] != "name" or words[1] == "value":
        raise BadInput("expected: setoption name NAME value VALUE")
    at = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:at]), " ".join(words[at + 1 :])


def read_integer(text: str) -> int | None:
    """A plain ASCII integer of at most 15 digits, else None: `int` would take `1_000` and `１２` as well."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else None
