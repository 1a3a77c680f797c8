"""`hitonami pace` from records to a file of manners and a page, with nobody asked."""

import json
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from hitonami.cli.pace import command
from hitonami.core import Player, open_game
from hitonami.manners import read_manners
from hitonami.records import Record
from hitonami.records.pgn import Pgn


def clocked_game(seed: int) -> Record:
    """A person who takes as long as the number of legal moves says, at random moves."""
    rng, game = np.random.default_rng(seed), open_game("chess")
    position, left = game.start(), [600.0, 600.0]
    moves, clocks = list[int](), list[float]()
    while len(moves) < 60 and len(position.legal):
        side = position.to_move
        left[side] -= min(round(float(len(position.legal) / 8 * rng.uniform(0.5, 1.5)), 1), left[side] - 1)
        clocks.append(left[side])
        moves.append(int(rng.choice(position.legal)))
        position = position.play(moves[-1])
    players = (Player(1500, "lichess", f"ann{seed}"), Player(1600, "lichess", f"bob{seed}"))
    return Record(
        "chess", game.start().setup, tuple(moves), players, 1.0, "resignation", "600+0", "rapid", clocks=tuple(clocks)
    )


def test_boards_and_clocks_alone_make_a_file_of_manners(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text("\n".join(Pgn().write(clocked_game(seed)) for seed in range(40)), encoding="utf-8")
    out, page = tmp_path / "chess.json", tmp_path / "pace.html"
    words = ["chess", str(games), "--asked", "0", "--out", str(out), "--html", str(page)]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    assert "(0 asked about)" in done.output
    assert "by person, 80 people" in done.output
    model = read_manners(out).think_time
    assert model is not None
    breadth = [y for _, y in model.expected.terms["breadth"].points]
    assert breadth[5] > breadth[3], "more moves, more time"
    assert json.loads(out.read_text(encoding="utf-8"))["think_time"]["provenance"]["asked"] == 0
    assert "What makes an answer at once" in page.read_text(encoding="utf-8")


def test_the_packaged_curves_are_measured_where_there_is_too_little_to_learn_from(tmp_path: Path) -> None:
    games, told = tmp_path / "games.pgn", tmp_path / "pace.json"
    games.write_text("\n".join(Pgn().write(clocked_game(seed)) for seed in range(8)), encoding="utf-8")
    words = ["chess", str(games), "--asked", "0", "--json", str(told)]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    assert "nothing was learned" in done.output
    found = json.loads(told.read_text(encoding="utf-8"))
    assert (found["curves"], found["n"] > 0) == ("packaged", True)
    assert 0 < found["quantile_error"] < 0.5, "times at random moves are not people's"
    assert -1 <= found["log_correlation"] <= 1
    refused = CliRunner().invoke(command, [*words, "--out", str(tmp_path / "chess.json")])
    assert refused.exit_code != 0, "curves that were asked for cannot be written"
