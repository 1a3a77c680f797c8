"""`hitonami engine`: a game's engine protocol on standard input and output, for any GUI."""

import os
import signal
import sys
from threading import Event, Thread, Timer
from typing import TYPE_CHECKING

import click

from hitonami.cli._options import RATING, base_option, game_argument, on_base

if TYPE_CHECKING:
    from hitonami.protocols import Session

_GRACE_SECONDS = 2.0


@click.command("engine")
@game_argument
@click.option("--rating", type=RATING, default=None, help="Level to play at.")
@click.option("--pool", default="", help="The pool that the rating belongs to, such as lichess or ogs.")
@click.option("--mind", default=None, help="What plays: a name, uci:COMMAND, a TOML file.")
@base_option
@click.option("--seed", type=click.IntRange(min=0), default=None, help="Makes all choices repeatable.")
@click.option(
    "--allow-programs", is_flag=True, help="Let the option Mind name commands and files, not packaged minds alone."
)
def command(
    game: str, rating: float | None, pool: str, mind: str | None, base: str, seed: int | None, allow_programs: bool
) -> None:
    """Speak the engine protocol of GAME: UCI for chess, USI for shogi, GTP for go.

    Ends on `quit`, at the end of input and on Ctrl-C.
    """
    from hitonami.protocols import protocol_of

    session = protocol_of(game)(
        _write_line, mind=on_base(mind, base), rating=rating, pool=pool, seed=seed, allow_programs=allow_programs
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a GUI that ends us: close engines first, as on Ctrl-C
    leaving = _watch_for_signals(session)
    patient = True
    try:
        while not session.finished and (line := sys.stdin.buffer.readline()):
            session.receive(line.decode("utf-8", "replace"))
    except KeyboardInterrupt:
        patient = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    leaving.set()
    session.close(patient=patient)
    # All engines are ended and every line is flushed. What is left is the interpreter's own end, which takes
    # a second once numba is loaded and waits for a mind that hears no stop.
    os._exit(0)


def _watch_for_signals(session: "Session") -> Event:
    """End the session after a signal even where the interrupt is lost; the event says that it was not.

    Python raises the interrupt wherever the main thread happens to be, and drops it where that is a callback of
    the import machinery or of the garbage collector. The wake-up pipe is written by the interpreter's own C handler.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    leaving = Event()

    def watch() -> None:
        os.read(reading, 1)
        if leaving.wait(_GRACE_SECONDS):
            return
        Timer(_GRACE_SECONDS, os._exit, [0]).start()  # were the close stuck too: engines end with their input
        session.close(patient=False)
        os._exit(0)

    Thread(target=watch, daemon=True).start()
    return leaving


def _write_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
