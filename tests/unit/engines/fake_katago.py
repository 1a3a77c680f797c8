"""Stands in for KataGo's analysis engine: the real one's answers in form, made-up numbers, and ways to misbehave.

fake_katago.py PERSPECTIVE HOW, where PERSPECTIVE is BLACK, WHITE or SIDETOMOVE. Black wins 70% of any game with a komi
that is not absurd, and leads by 5 points. As in version 1.6, "inverted" tells the position's chances for the other
side.
"""

import json
import sys
from typing import Any

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def vertices(size: int) -> list[str]:
    return [f"{LETTERS[at % size]}{size - at // size}" for at in range(size * size)] + ["pass"]


def turned(value: float, to_move: str, perspective: str, whole: float) -> float:
    """A number of Black's as the perspective reports it; `whole` is what both sides' numbers add up to."""
    side = to_move if perspective == "SIDETOMOVE" else perspective[0]
    return value if side == "B" else whole - value


def answer(query: dict[str, Any], perspective: str, how: str) -> dict[str, Any]:
    size, moves = query["boardXSize"], query["moves"]
    taken = {text for _, text in [*moves, *query.get("initialStones", [])] if text != "pass"}
    points = vertices(size)
    free = [point for point in points if point not in taken]
    policy = [-1.0 if point in taken else 1.0 / len(free) for point in points]
    first = query.get("initialPlayer", "B")
    to_move = first if not moves else "W" if moves[-1][0] == "B" else "B"
    black = 0.02 if query["komi"] > 30 else 0.7
    win, lead = turned(black, to_move, perspective, 1.0), turned(5.0, to_move, perspective, 0.0)
    visits = query["maxVisits"] - 1
    chosen = points[0] if how == "illegal" and len(moves) > 1 else free[1]
    infos = [
        {"move": chosen, "order": 0, "visits": visits - visits // 4, "winrate": win, "pv": [chosen, chosen]},
        {"move": free[2], "order": 1, "visits": visits // 4, "winrate": win, "pv": [free[2], "pass"]},
    ]
    if how == "inverted":
        root = {"winrate": 1.0 - win, "scoreLead": -lead, "visits": visits + 1}
    else:
        root = {"winrate": win, "scoreLead": lead, "visits": visits + 1}
    made = {"id": query["id"], "rootInfo": root}
    made |= {"moveInfos": infos[::-1] if visits else []}
    if query.get("includePolicy") and how != "no-policy":
        made["policy"] = policy
    profile = query.get("overrideSettings", {}).get("humanSLProfile", "")
    if profile and how != "no-human":  # of a human network: the weaker, the surer of the first free point
        share = {"rank_20k": 0.9, "rank_5k": 0.5}.get(profile, 0.2)
        rest = (1.0 - share) / (len(free) - 1)
        made["humanPolicy"] = [-1.0 if point in taken else share if point == free[0] else rest for point in points]
        root["humanWinrate"] = turned(0.6, to_move, perspective, 1.0)
        made["profile"] = profile
    return made


def main() -> None:
    perspective, how = sys.argv[1:3]
    held: list[dict[str, Any]] = []
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        query = json.loads(line)
        if query.get("action") == "query_version":
            told = {"error": "unknown action"} if how == "old" else {"action": "query_version", "version": "9.9"}
            print(json.dumps({"id": query["id"]} | told), flush=True)
            continue
        if how == "hang" and query["komi"] < 30:
            continue
        if how == "refuse" and query["komi"] < 30:
            print(json.dumps({"id": query["id"], "error": "Could not parse rules"}), flush=True)
            continue
        print("a remark that is no JSON", flush=True)
        print(json.dumps({"id": query["id"], "warning": "an unused field"}), flush=True)
        held.append(answer(query, perspective, how))
        if how != "backwards" or len(held) == 2:
            for made in reversed(held):
                print(json.dumps(made), flush=True)
            held = []


if __name__ == "__main__":
    main()
