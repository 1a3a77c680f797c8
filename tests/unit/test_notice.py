"""NOTICE names every library that is installed with Hitonami, and no other."""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

NOTICE = (Path(__file__).parents[2] / "NOTICE").read_text(encoding="utf-8")
TOLD = NOTICE[NOTICE.index("at run time") : NOTICE.index("built into the page")]
OTHERWISE = {"chess": "python-chess (chess)", "pyarrow": "Apache Arrow (pyarrow)", "onnxruntime": "ONNX Runtime"}
"""Names in NOTICE that are not those of the distributions."""
COPYLEFT = re.compile(r"\bA?L?GPL|General Public", re.IGNORECASE)
ELSEWHERE = {"colorama"}
"""What other platforms need."""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _closure(name: str = "hitonami") -> dict[str, Distribution]:
    """The distributions that installing one brings, extras aside."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        try:
            there = distribution(waiting.pop())
        except PackageNotFoundError:  # of another platform
            continue
        if _plain(there.name) in found:
            continue
        found[_plain(there.name)] = there
        for text in there.requires or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                waiting.append(wanted.name)
    del found[name]
    return found


def _is_told(name: str) -> bool:
    return OTHERWISE.get(name, "") in TOLD if name in OTHERWISE else _plain(name) in _told_words()


def _told_words() -> set[str]:
    return {_plain(word) for word in re.findall(r"[A-Za-z][\w.-]*\w", TOLD)}


@pytest.mark.parametrize("name", sorted(_closure()))
def test_what_comes_along_is_named(name: str) -> None:
    assert _is_told(name), f"{name} is installed with Hitonami: add it to NOTICE with its licence"


def test_nothing_else_is_named() -> None:
    part = TOLD[TOLD.index("come along") : TOLD.index("Hitonami's packages contain")]
    named = {_plain(word) for word in re.findall(r"(?m)^  ((?:[\w.-]+, )*[\w.-]+)", part) for word in word.split(", ")}
    assert named
    assert named <= {*_closure(), *ELSEWHERE}


@pytest.mark.parametrize("name", sorted(_closure()))
def test_copyleft_is_told_as_such(name: str) -> None:
    """A library under the GPL or LGPL stands in a line of NOTICE that says so."""
    facts = _closure()[name].metadata.json
    licences = [str(facts.get(key, ""))[:200] for key in ("license_expression", "license")]
    said = licences + [each for each in facts.get("classifier", ()) if each.startswith("License")]
    if COPYLEFT.search(" ".join(said)):
        lines = [line for line in TOLD.split("\n") if name in _plain(line) or OTHERWISE.get(name, "—") in line]
        assert any(COPYLEFT.search(line) for line in lines)
