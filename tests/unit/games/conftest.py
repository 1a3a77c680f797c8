"""GNU Go as an oracle for the rules of Go."""

import subprocess
from collections.abc import Callable, Sequence

import pytest


@pytest.fixture(scope="session")
def ask_gnugo(need_program: Callable[[str], str]) -> Callable[[Sequence[str]], list[str]]:
    """Send GTP commands to a fresh GNU Go and get its answers, one a command. A refusal fails the test."""

    def ask(commands: Sequence[str], *options: str) -> list[str]:
        done = subprocess.run(
            [need_program("gnugo"), "--mode", "gtp", "--seed", "1", *options],
            input="\n".join([*commands, "quit", ""]),
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        answers = done.stdout.replace("\r", "").split("\n\n")[: len(commands)]
        assert all(answer.startswith("=") for answer in answers), answers
        return [answer[1:].strip() for answer in answers]

    return ask
