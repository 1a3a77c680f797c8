"""The games of the quiz that comes with the package: python recipes/quiz.py [DATA]

Programs' games are played anew, always the same ones: the seed stands below. People's games are taken from DATA, a
folder of records as they were published; without it, those of the present file are kept. Of people nothing is written
but moves, ratings and who won: no name, no handle, no date. All games of a kind have the same number of moves, from the
usual start, and go on after it.
"""

import io
import json
import lzma
import sys
import tarfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from hitonami.agent import Agent, level_style
from hitonami.core import Effort, Player, Position, Query, Setup, open_game
from hitonami.records import Record, open_format
from hitonami.specs import open_mind
from hitonami.web.move_log import move_texts
from hitonami.web.studies.quiz import QUIZ_FILE

SEED = 15
_READ = 2_500
"""Games of a source that are looked at."""
PLIES = {("chess", 0): 50, ("shogi", 0): 60, ("go", 9): 30, ("go", 19): 70}
SOURCES = {
    "hitonami": {"name": "Hitonami", "licence": "GPL-3.0-or-later"},
    "lichess": {"name": "Lichess, rated rapid games of 2022", "licence": "CC0"},
    "ogs": {"name": "Online Go Server, games against KaTrain's bots, 2020", "licence": "MIT"},
    "amateurs": {"name": "amateur tournaments over the board", "licence": "MIT"},
}
PROGRAMS: list[tuple[str, int, str, str, tuple[float, ...]]] = [
    ("chess", 0, "human", "lichess", (900, 1100, 1300, 1400, 1500, 1600, 1700, 1900, 2100, 2300)),
    ("chess", 0, "expert", "lichess", (2300, 2400)),
    ("shogi", 0, "human", "shogiwars", (26, 28, 29, 30, 31, 32)),
    ("shogi", 0, "expert", "shogiwars", (33, 34)),
    ("go", 9, "human", "ogs", (16, 20, 24, 28)),
    ("go", 19, "human", "ogs", (15, 19, 22, 25)),
    ("chess", 0, "blend", "lichess", (1500, 1900)),
    ("chess", 0, "search", "lichess", (1700, 2100)),
    ("shogi", 0, "blend", "shogiwars", (28, 31)),
    ("go", 9, "blend", "ogs", (22,)),
    ("go", 19, "blend", "ogs", (20,)),
]
"""Game, size of the board, mind, pool, and a game at each of these levels."""


def play_programs() -> Iterator[dict[str, Any]]:
    for at, (game, size, style, pool, levels) in enumerate(PROGRAMS):
        print(f"{game} {size or ''} {style}", flush=True)
        chance = np.random.default_rng([SEED, at])
        with open_mind(style) as mind:
            agent = Agent(mind, patience=None, style=level_style(style))
            players = [Player(rating, pool, kind="human") for rating in levels]
            games = play_alone(agent, game, size, players, chance)
        for player, moves in zip(players, games, strict=True):
            party = {"kind": "program", "style": style, "rating": player.rating, "pool": pool}
            yield {
                "game": game,
                "size": size,
                "source": "hitonami",
                "players": [party, party],
                "judged": int(chance.integers(2)),
                "moves": " ".join(moves),
            }


def play_alone(
    agent: Agent, game: str, size: int, players: list[Player], chance: np.random.Generator
) -> list[list[str]]:
    """A game of each player against itself, all asked about at once; those that end too early are played again."""
    found: dict[int, list[str]] = {}
    while len(found) < len(players):
        running = {at: open_game(game).start(Setup(size=size)) for at in range(len(players)) if at not in found}
        for _ in range(PLIES[game, size]):
            running = _step(agent, running, players, chance)
        found |= {at: list(move_texts(position)) for at, position in running.items()}
    return [found[at] for at in range(len(players))]


def _step(
    agent: Agent, running: dict[int, Position], players: list[Player], chance: np.random.Generator
) -> dict[int, Position]:
    """One more move in each game. Where one is over, or somebody passes, it is left out."""
    if not running:
        return {}
    queries = [Query(position, players[at], players[at]) for at, position in running.items()]
    opinions = agent.mind(queries, Effort(rng=chance))
    after = {}
    for at, query, opinion in zip(running, queries, opinions, strict=True):
        position = query.position.play(agent.draw_move(query, opinion, chance))
        if len(position.legal) and position.game.format(query.position, position.last_move) != "pass":
            after[at] = position
    return after


def read_people(data: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(data / "chess" / "lichess_rapid.pgn.xz") as stream:
        yield from _pick("lichess", 0, _records("pgn", stream), 18)
    with tarfile.open(data / "shogi" / "amateur_otb_csa.tar.xz") as archive:
        files = [archive.extractfile(member) for member in archive if member.isfile()]
        games = (record for file in files if file is not None for record in _records("csa", io.BytesIO(file.read())))
        yield from _pick("amateurs", 0, games, 10)
    for size, count in ((9, 10), (19, 10)):
        with lzma.open(data / "go" / "ogs_human_vs_katrain.jsonl.xz") as stream:
            yield from _pick("ogs", size, _records("ogs", stream), count)


def _records(kind: str, stream: Any) -> Iterator[Record]:
    reader = open_format(kind)
    for document in reader.documents("people", stream):
        for found in reader.read(document):
            if isinstance(found, Record):
                yield found


def _pick(source: str, size: int, records: Iterator[Record], count: int) -> Iterator[dict[str, Any]]:
    """Some games that can be shown, spread over levels: one for each step of the scale, then another."""
    rng = np.random.default_rng([SEED, len(source), size])
    pool = [record for record in islice(records, _READ) if _fits(source, size, record)]
    left = [pool[at] for at in rng.permutation(len(pool))]
    seen: dict[float, int] = {}
    for round_of_all in range(count):
        for record in list(left):
            level = _level(source, record)
            if sum(seen.values()) >= count:
                return
            if seen.get(level, 0) == round_of_all:
                seen[level] = round_of_all + 1
                left.remove(record)
                yield _write(source, size, record, _asked(record, sum(seen.values()), rng))


def _level(source: str, record: Record) -> float:
    ratings = [player.rating for player in record.players if player.kind != "bot" and player.rating is not None]
    step = 150 if source == "lichess" else 3
    return max(ratings) // step if ratings else 0.0


def _fits(source: str, size: int, record: Record) -> bool:
    game = open_game(record.game)
    plies = PLIES.get((record.game, size), 0)
    if record.setup.size not in (0, size) or len(record.moves) <= plies or record.setup.handicap or record.setup.start:
        return False
    ratings = [player.rating for player in record.players]
    if source == "lichess":
        near = None not in ratings and abs(float(ratings[0] or 0) - float(ratings[1] or 0)) < 80
        return near and record.time_control == "600+0" and not record.marks
    people = [player.rating or 0 for player in record.players if player.kind != "bot"]
    return game.name == "shogi" or (len(people) == 1 and people[0] >= 13 and not 17.5 < people[0] < 17.9)


def _asked(record: Record, number: int, rng: np.random.Generator) -> int:
    """The side that is asked about. Against a bot it is the person's two times of three: other programs play, too."""
    chosen, kinds = int(rng.integers(2)), [player.kind for player in record.players]
    if "bot" not in kinds:
        return chosen
    return kinds.index("bot") if number % 3 == 0 else 1 - kinds.index("bot")


def _write(source: str, size: int, record: Record, judged: int) -> dict[str, Any]:
    position: Position = open_game(record.game).start(Setup(size=size))
    for move in record.moves[: PLIES[record.game, size]]:
        position = position.follow(move)
    players = [_player(source, player) for player in record.players]
    return {
        "game": record.game,
        "size": size,
        "source": source,
        "players": players,
        "judged": judged,
        "score": record.score,
        "moves": " ".join(move_texts(position)),
    }


def _player(source: str, player: Player) -> dict[str, Any]:
    rating = None if player.rating is None else round(player.rating)
    if player.kind == "bot":
        return {"kind": "program", "style": "KaTrain", "rating": rating, "pool": "ogs"}
    return {"kind": "person", "rating": rating, "pool": "" if source == "amateurs" else source}


def main() -> None:
    if len(sys.argv) > 1:
        people = list(read_people(Path(sys.argv[1])))
    else:
        people = [game for game in json.loads(QUIZ_FILE.read_text())["games"] if game["source"] != "hitonami"]
    games = people + list(play_programs())
    lines = ",\n".join(json.dumps(game, separators=(",", ":")) for game in games)
    QUIZ_FILE.write_text(f'{{"seed":{SEED},"sources":{json.dumps(SOURCES)},\n"games":[\n{lines}\n]}}\n')
    print(f"{len(games)} games, {QUIZ_FILE.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
