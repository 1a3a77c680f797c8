"""A UCI engine that thinks for as many seconds as its argument says. Run as a program."""

import sys
import time


def main() -> None:
    moves: list[str] = []
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name Slow\nuciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", *words]:
                moves = words[words.index("moves") + 1 :] if "moves" in words else []
            case ["go", *_]:
                time.sleep(float(sys.argv[1]))
                reply = ("a7a6", "a6a5", "a5a4", "a4a3")[len(moves) // 2]
                print(f"info depth 1 score cp 0 pv {reply}\nbestmove {reply}", flush=True)
            case ["quit"]:
                break


if __name__ == "__main__":
    main()
