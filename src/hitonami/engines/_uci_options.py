"""Options that a UCI or USI engine offers: read from its greeting, checked before they are sent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hitonami.errors import BadSpec, alternatives, quote

OptionValue = str | int | float | bool

_OPTION = re.compile(r"option name (?P<name>.+?) type (?P<kind>\S+)(?P<rest>.*)")
_VALUE = re.compile(r" (default|min|max|var)(?: (.*?))?(?= (?:default|min|max|var)(?: |$)|$)")


@dataclass(frozen=True, slots=True)
class Option:
    """One option as the engine declares it. `kind` is spin, check, combo, button, string or filename."""

    name: str
    kind: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def command(self, value: OptionValue) -> str:
        """The line that sets it. Raises BadSpec for a value that the engine would not take."""
        if self.kind == "button":
            if value is not True:
                raise self._wrong(value, "true, which presses the button")
            return f"setoption name {self.name}"
        return f"setoption name {self.name} value {self._text(value)}"

    def clamp(self, value: float) -> int:
        """The nearest value in range of a spin."""
        low = value if self.low is None else max(value, self.low)
        return round(low if self.high is None else min(low, self.high))

    def _text(self, value: OptionValue) -> str:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if any(ord(letter) < 32 for letter in text):
            raise self._wrong(value, "text without control characters")
        match self.kind:
            case "check":
                if text.lower() not in ("true", "false"):
                    raise self._wrong(value, "true or false")
                return text.lower()
            case "spin":
                return str(self._number(value, text))
            case "combo":
                found = [choice for choice in self.choices if choice.lower() == text.lower()]
                if not found:
                    raise self._wrong(value, f"one of {', '.join(self.choices)}")
                return found[0]
            case _:
                return text

    def _number(self, value: OptionValue, text: str) -> int:
        span = f"a whole number from {self.low} to {self.high}"
        if not re.fullmatch(r"[+-]?\d+", text):
            raise self._wrong(value, span)
        number = int(text)
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise self._wrong(value, span)
        return number

    def _wrong(self, value: OptionValue, wanted: str) -> BadSpec:
        return BadSpec(f"engine option {self.name} takes {wanted}, got {quote(str(value))}")


def read_option(line: str) -> Option | None:
    """The option that a line of the greeting declares, None where it declares none that can be understood."""
    found = _OPTION.match(line)
    if found is None:
        return None
    given: dict[str, list[str]] = {"default": [], "min": [], "max": [], "var": []}
    for key, text in _VALUE.findall(found["rest"]):
        given[key].append(text)
    try:
        low, high = (int(given[key][0]) if given[key] else None for key in ("min", "max"))
    except ValueError:
        return None
    default = given["default"][0] if given["default"] else ""
    return Option(found["name"], found["kind"], default, low, high, tuple(given["var"]))


def find_option(known: Mapping[str, Option], name: str) -> Option:
    """The option of that name in any case. Raises BadSpec that names the near ones."""
    by_name = {each.lower(): option for each, option in known.items()}
    if name.lower() not in by_name:
        raise BadSpec(f"the engine has no option {quote(name)}; {alternatives(name, known)}")
    return by_name[name.lower()]
