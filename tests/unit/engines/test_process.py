"""Child programs: lines, floods, ends. Each test looks for the process afterwards."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.engines.process import Program, ProgramEnded, ProgramSilent, find_command
from hitonami.errors import BadSpec, EngineFailed

Misbehave = Callable[..., str]
WaitGone = Callable[[int], bool]


def is_ours(pid: int) -> bool:
    """Whether the process is a child of ours, running or not yet reaped."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def read_slowly(program: Program) -> None:
    """Slower than any flood: what waits is bounded, whatever comes."""
    while program.read_line(20) is not None:
        threading.Event().wait(0.001)


def test_lines_go_in_and_come_out_in_order() -> None:
    with Program("cat") as program:
        for at in range(100):
            program.send(f"line {at} – ü")
        assert [program.read_line(20) for _ in range(100)] == [f"line {at} – ü" for at in range(100)]
        assert program.read_line(0.0) is None
    assert not is_ours(program.pid)


def test_a_command_is_split_like_words_and_never_reaches_a_shell(tmp_path: Path) -> None:
    target = tmp_path / "touched"
    with Program(f"""echo 'two words' ; touch {target}""") as program:
        assert program.read_line(20) == f"two words ; touch {target}"
    assert not target.exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [("no-such-engine-9 --fast", "no-such-engine-9"), ("", "not a command"), ("'open", "open"), ("a\nb", "not a")],
)
def test_a_command_that_names_no_program_is_refused_by_name(command: str, said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        find_command(command)


def test_a_file_that_is_no_program_cannot_be_started(tmp_path: Path) -> None:
    script = tmp_path / "engine"
    script.write_bytes(b"\x00\x01 not a program")
    script.chmod(0o755)
    with pytest.raises(EngineFailed, match="cannot be started"):
        Program(str(script))


def test_the_games_folder_of_debian_is_searched(
    need_program: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not need_program("stockfish").startswith("/usr/games/"):
        pytest.skip("here stockfish is not in /usr/games")
    monkeypatch.setenv("PATH", "/usr/bin")
    assert find_command("stockfish -x") == ["/usr/games/stockfish", "-x"]


def test_a_crash_tells_the_exit_code_and_the_last_words(misbehave: Misbehave) -> None:
    program = Program(misbehave("uci", "crash-at-start"))
    with pytest.raises(ProgramEnded, match=r"exit code 3.*bad luck struck"):
        program.read_line(20)
    assert not is_ours(program.pid)
    with pytest.raises(ProgramEnded):
        program.send("uci")


def test_a_kill_tells_the_signal() -> None:
    with Program("cat") as program:
        os.kill(program.pid, signal.SIGSEGV)
        with pytest.raises(ProgramEnded, match="SIGSEGV"):
            program.read_line(20)
    assert not is_ours(program.pid)


def test_silence_is_reported_with_what_was_expected_and_what_came() -> None:
    with Program("cat") as program:
        program.send("hello there")
        with pytest.raises(ProgramSilent, match=r"'cat'.*'readyok'.*hello there"):
            program.expect(lambda line: line == "readyok", "'readyok'", 0.2)


@pytest.mark.parametrize("how", ["flood", "empty-flood", "long-line"])
def test_a_flood_ends_the_program_and_says_why(how: str, misbehave: Misbehave) -> None:
    program = Program(misbehave("uci", how))
    program.send("go")
    with pytest.raises(ProgramEnded, match="was ended for"):
        read_slowly(program)
    assert not is_ours(program.pid)


def test_a_line_with_a_line_break_is_not_sent() -> None:
    with Program("cat") as program, pytest.raises(EngineFailed, match="one line"):
        program.send("setoption name A value b\nquit")


def test_close_ends_a_program_that_will_not_end_and_what_it_started(
    misbehave: Misbehave, wait_gone: WaitGone, tmp_path: Path
) -> None:
    pid_file = tmp_path / "child"
    program = Program(misbehave("uci", "stubborn", pid_file))
    program.send("uci")
    program.expect(lambda line: line == "uciok", "uciok", 20)
    grandchild = int(pid_file.read_text())
    program.close()
    program.close()
    assert not is_ours(program.pid)
    assert wait_gone(grandchild)


def test_programs_leave_no_thread_and_no_open_file() -> None:
    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = threading.active_count(), open_files()
    for _ in range(5):
        with Program("cat") as program:
            program.send("x")
            program.read_line(20)
    assert (threading.active_count(), open_files()) == before


ORPHAN = """
import sys, time
from hitonami.engines.uci import UciEngine
engine = UciEngine(sys.argv[1]).__enter__()
print(engine.pid, flush=True)
{then}
"""


@pytest.mark.parametrize(("then", "kill"), [("time.sleep(600)", True), ("", False), ("raise SystemExit(3)", False)])
def test_an_engine_ends_with_us_even_when_we_are_killed_or_forget_it(
    then: str, kill: bool, need_program: Callable[[str], str], wait_gone: WaitGone
) -> None:
    code = ORPHAN.format(then=then)
    with subprocess.Popen(
        [sys.executable, "-c", code, need_program("stockfish")], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        if kill:
            parent.kill()
    assert wait_gone(pid)
