"""What a line of a protocol may have played: packaged minds and models of the stores, no program and no other file."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitonami.models.store import list_models

PROTOCOLS = ("uci", "usi", "gtp")
ASK = {"uci": "go nodes 1", "usi": "go nodes 1", "gtp": "genmove b"}


def _setting(protocol: str, mind: str) -> str:
    return f"hitonami-set Mind {mind}" if protocol == "gtp" else f"setoption name Mind value {mind}"


def _refusal(protocol: str) -> str:
    return "? " if protocol == "gtp" else "info string "


@pytest.fixture
def trap(tmp_path: Path) -> tuple[str, Path]:
    """A command that leaves a mark, and the mark."""
    mark = tmp_path / "ran"
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    return str(script), mark


def _minds(command: str, folder: Path) -> dict[str, str]:
    """Ways to say it: as text, in a file, inside another mind, in a file that another names."""
    plain, inner, outer = folder / "plain.toml", folder / "inner.toml", folder / "outer.toml"
    plain.write_text(f'kind = "uci"\ncommand = "{command}"\n')
    inner.write_text(f'kind = "temper"\nrho = 1.0\n[mind]\nkind = "katago"\ncommand = "{command}"\n')
    outer.write_text(f'kind = "floor"\nmind = "{inner}"\n')
    kinds = {kind: f"{kind}:{command}" for kind in ("uci", "usi", "gtp", "katago")}
    return kinds | {"file": str(plain), "nested": str(inner), "by another": str(outer)}


@pytest.mark.parametrize("way", ["uci", "usi", "gtp", "katago", "file", "nested", "by another"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_program_runs(
    talk: Callable[..., Any], protocol: str, way: str, trap: tuple[str, Path], tmp_path: Path
) -> None:
    command, mark = trap
    there = talk(protocol)
    there.send(_setting(protocol, _minds(command, tmp_path)[way]))
    said = [line for line in there.rest() if line]
    assert any(line.startswith(_refusal(protocol)) and "--allow-programs" in line for line in said)
    there.send(ASK[protocol])
    there.rest()
    assert not mark.exists()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_who_starts_it_may_allow_programs(talk: Callable[..., Any], protocol: str, trap: tuple[str, Path]) -> None:
    command, mark = trap
    there = talk(protocol, allow_programs=True)
    there.send(_setting(protocol, f"uci:{command}"), ASK[protocol])
    there.rest()
    assert mark.exists()


def test_the_mind_of_the_command_line_is_free_and_can_be_sent_back(
    talk: Callable[..., Any], trap: tuple[str, Path]
) -> None:
    """GUIs send defaults back: that is no new mind."""
    command, mark = trap
    there = talk("uci", mind=f"uci:{command}")
    there.send("uci", f"setoption name Mind value uci:{command}", "go nodes 1")
    there.rest()
    assert mark.exists()


@pytest.mark.parametrize(
    "mind", ["/etc/passwd", "neural:/etc/passwd", "../x.onnx", "neural:nobody", "book:/etc/passwd"]
)
def test_files_from_outside_are_refused(talk: Callable[..., Any], mind: str) -> None:
    there = talk("uci")
    there.send(f"setoption name Mind value {mind}")
    assert any(line.startswith("info string ") for line in there.rest())
    there.send("setoption name Mind value <empty>")
    assert not there.rest()


def test_packaged_minds_and_models_are_taken(talk: Callable[..., Any], tmp_path: Path) -> None:
    there = talk("uci")
    tame = tmp_path / "tame.toml"
    tame.write_text('kind = "temper"\nrho = 2.0\nmind = "uniform"\n')
    models = [f"neural:{listed.name}" for listed in list_models() if listed.card and listed.card.game == "chess"]
    assert models
    for mind in ["uniform", "human", str(tame), *models]:
        there.send(f"setoption name Mind value {mind}")
        assert not there.rest()


@pytest.mark.parametrize("allowed", [False, True])
def test_the_command_says_which(allowed: bool, trap: tuple[str, Path]) -> None:
    command, mark = trap
    subprocess.run(
        [sys.executable, "-m", "hitonami", "engine", "chess", "--mind", "uniform", *["--allow-programs"] * allowed],
        input=f"uci\nsetoption name Mind value uci:{command}\nisready\ngo nodes 1\nquit\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert mark.exists() == allowed
