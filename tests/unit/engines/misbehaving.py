"""A small engine that misbehaves in the way its first argument says. Run as a program, never imported.

    misbehaving.py uci|usi|gtp HOW [FILE]

FILE takes each line that the engine reads, or marks that it crashed once already.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

OPTIONS = """\
id name Misbehaving 1
option name Hash type spin default 16 min 1 max 64
option name MultiPV type spin default 1 min 1 max 5
option name Style type combo default Solid var Solid var Very Wild var Normal
option name Clear Hash type button
option name Ponder type check default false
option name Book File type string default <empty>
option broken
option name Odd type spin default 1 min one max two"""
CHESS_OPTIONS = """
option name UCI_Chess960 type check default false
option name UCI_LimitStrength type check default false
option name UCI_Elo type spin default 1500 min 1000 max 2000"""
INFO = "info depth 1 multipv 1 score cp 20 pv {0}"
MOVES = {"uci": "e2e4", "usi": "7g7f", "gtp": "E5"}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def hang() -> None:
    while True:
        time.sleep(60)


def crash(code: int) -> None:
    sys.stderr.write("bad luck struck\n")
    sys.stderr.flush()
    os._exit(code)


def be_stubborn(path: str) -> None:
    """Ignore every polite request, and have a child that does so too."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=subprocess.DEVNULL)
    Path(path).write_text(str(child.pid))


def search(protocol: str, how: str, path: str) -> None:
    move = MOVES[protocol]
    match how:
        case "crash-in-search":
            say(INFO.format(move))
            crash(7)
        case "crash-once" if not Path(path).exists():
            Path(path).touch()
            crash(7)
        case "hang-in-search":
            say(INFO.format(move))
            hang()
        case "flood":
            while True:
                say("info string " + "x" * 200)
        case "empty-flood":
            while True:
                sys.stdout.write("\n" * 10_000)
        case "long-line":
            sys.stdout.write("info string " + "x" * (3 << 20))
            sys.stdout.flush()
            hang()
        case "garbage":
            sys.stdout.buffer.write(
                b"\xff\xfe\x00\n\r\ninfo\ninfo depth x score cp 1 pv a\ninfo depth 3 score cp pv e2e4\n"
            )
            say("info depth 2 score cp 5 wdl 1 x 3 pv e2e4\ninfo depth 1 multipv 1 score mate pv")
            say("info depth 1 multipv 1 score cp 33 pv e2e4 e7e5 e1e8 zzzz\ninfo string pv score cp 900 pv d2d4")
    answers = {"illegal": "e2e5", "none": "(none)", "empty": "", "resign": "resign", "win": "win"}
    if how not in (*answers, "no-info"):
        say(INFO.format(move))
    say(f"bestmove {answers.get(how, move)}")


def serve_search(protocol: str, how: str, path: str) -> None:
    for line in sys.stdin:
        command = line.split()[:1]
        if how == "record":
            with Path(path).open("a") as told:
                told.write(line)
        if command == [protocol]:
            say(OPTIONS + (CHESS_OPTIONS if protocol == "uci" else "") + f"\n{protocol}ok")
        elif command == ["isready"]:
            if how == "deaf":
                hang()
            say("readyok")
        elif command == ["go"]:
            search(protocol, how, path)
        elif command == ["quit"] and how != "stubborn":
            return
    if how == "stubborn":
        hang()


def answer_gtp(words: list[str], how: str, path: str) -> str:
    match words[0]:
        case "list_commands":
            return "name\nboardsize\nclear_board\nkomi\nplay\ngenmove\nundo" + (
                "\nreg_genmove" if how == "regular" else ""
            )
        case "name":
            return "Misbehaving"
        case "genmove" | "reg_genmove":
            if how == "hang-in-search":
                hang()
            if how == "crash-in-search" or (how == "crash-once" and not Path(path).exists()):
                Path(path).touch()
                crash(7)
            return {"illegal": "Z99", "resign": "resign"}.get(how, "E5")
        case "lines":
            return "one\ntwo\n  three"
    return ""


def serve_gtp(how: str, path: str) -> None:
    for line in sys.stdin:
        if how == "record":
            with Path(path).open("a") as told:
                told.write(line)
        number, *words = line.split()
        if words == ["quit"]:
            return
        if how == "wrong-number":
            number = "77"
        if how == "chatty":
            say("thinking aloud\n")
        refused = how == "refuse" and words[0] == "play"
        say(f"?{number} I would rather not\n" if refused else f"={number} {answer_gtp(words, how, path)}\n")


def main() -> None:
    protocol, how, path = [*sys.argv[1:], ""][:3]
    if how == "crash-at-start":
        crash(3)
    if how == "stubborn":
        be_stubborn(path)
    if protocol == "gtp":
        serve_gtp(how, path)
    else:
        serve_search(protocol, how, path)


if __name__ == "__main__":
    main()
