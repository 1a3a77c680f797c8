"""`hitonami play` and its neighbours through a real terminal and real processes."""

import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

HITONAMI = [sys.executable, "-m", "hitonami"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*HITONAMI, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


def sit_down(*arguments: str) -> "pexpect.spawn[str]":
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "NO_COLOR": "1"}
    return pexpect.spawn(
        sys.executable, ["-m", "hitonami", "play", *arguments], env=environment, encoding="utf-8", timeout=60
    )


def test_a_short_game_of_chess_with_undo_hint_and_save(tmp_path: Path) -> None:
    table = sit_down("chess", "--mind", "uniform", "--seed", "1", "--pace", "instant")
    table.expect("to move >")
    table.sendline("e4")
    table.expect("The opponent plays")
    table.expect("to move >")
    table.sendline("hint")
    table.expect("%")
    table.expect("to move >")
    table.sendline("undo")
    table.expect("to move >")
    table.sendline("nonsense")
    table.expect("not a legal move")
    table.sendline(f"save {tmp_path / 'game.pgn'}")
    table.expect("Saved")
    table.sendline("resign")
    table.expect("Black wins")
    table.sendline("quit")
    table.expect(pexpect.EOF)
    table.close()
    assert table.exitstatus == 0
    assert '[White "You"]' in (tmp_path / "game.pgn").read_text(encoding="utf-8")


@pytest.mark.parametrize(("key", "game"), [("\x04", "chess"), ("\x03", "shogi"), ("\x04", "go")])
def test_leaving_by_key_is_fine(key: str, game: str) -> None:
    table = sit_down(game, "--mind", "uniform", "--pace", "instant")
    table.expect("to move >")
    table.send(key)
    table.expect(pexpect.EOF)
    table.close()
    assert table.exitstatus == 0


def test_without_a_terminal_it_says_what_to_run() -> None:
    done = run("play", "chess")
    assert done.returncode == 2
    assert "hitonami engine chess" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "ches"], "did you mean chess"),
        (["play", "go", "--size", "99"], "99"),
        (["play", "chess", "--size", "9"], "chess"),
        (["play", "chess", "--start", "rubbish"], "rubbish"),
        (["plya", "chess"], "plya"),
        (["play", "chess", "--side", "third"], "third"),
        (["minds", "nobody"], "no mind 'nobody'"),
        (["engine", "checkers"], "checkers"),
    ],
)
def test_bad_input_is_answered_in_one_line_with_code_2(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_terminal_is_not_needed_to_refuse_a_bad_mind(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('kind = "tempr"\n', encoding="utf-8")
    table = sit_down("chess", "--mind", str(bad))
    table.expect("did you mean temper")
    table.expect(pexpect.EOF)
    table.close()
    assert table.exitstatus == 2


def test_doctor_finds_everything_working() -> None:
    done = run("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "game chess" in done.stdout


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("hitonami, version ")
    text = run("--help").stdout
    for command in ("play", "engine", "minds", "doctor"):
        assert command in text
        assert run(command, "--help").returncode == 0
