"""Games of OpenSpiel by name: each that is listed plays, parameters are checked, dice fall by their seed."""

import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner

from hitonami.cli import cli
from hitonami.core import Setup, open_game
from hitonami.errors import BadPosition, BadSetup, UnknownPart
from hitonami.games.openspiel import Openspiel, list_names


@pytest.fixture(autouse=True)
def _library(need_module: Callable[[str], ModuleType]) -> None:
    need_module("pyspiel")


def test_every_listed_game_plays_and_is_read_back() -> None:
    names = list_names()
    assert len(names) > 30
    assert {"tic_tac_toe", "checkers", "backgammon", "hex", "xiangqi"} <= set(names)
    assert not {"goofspiel", "leduc_poker", "kuhn_poker"} & set(names), "no turns, or hidden cards"
    rng = np.random.default_rng(3)
    for name in names:
        game = Openspiel(name)
        position = game.start()
        for _ in range(6):
            if len(position.legal):
                move = int(rng.choice(position.legal))
                assert game.parse(position, game.format(position, move)) == move
                position = position.play(move)
        again = game.read(game.write(position))
        assert (again.key, again.to_move) == (position.key, position.to_move), name
        assert game.diagram(position).text or game.diagram(position).rows


def test_parameters_go_to_the_game() -> None:
    assert len(open_game("openspiel:hex(board_size=3)").start().legal) == 9
    assert len(open_game("openspiel:mnk(m=4,n=4,k=3)").start().legal) == 16


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("hexx", "did you mean hex"),
        ("kuhn_poker", "no such game for two"),
        ("hex(size=3)", "no parameter 'size'"),
        ("hex(board_size=three)", "no int for board_size"),
        ("hex(", "no such game"),
    ],
)
def test_what_it_does_not_have_is_refused_with_the_reason(spec: str, reason: str) -> None:
    with pytest.raises(UnknownPart, match=reason):
        open_game(f"openspiel:{spec}")


def test_a_name_is_needed() -> None:
    with pytest.raises(UnknownPart, match="takes a name after a colon"):
        open_game("openspiel")


def test_dice_fall_by_their_seed() -> None:
    game = Openspiel("backgammon")
    starts = {game.write(game.start(Setup(rules=f"seed-{seed}"))) for seed in range(20)}
    assert len(starts) > 5
    again = [game.start(Setup(rules="seed-4")).play(int(game.start(Setup(rules="seed-4")).legal[0])) for _ in range(2)]
    assert again[0].key == again[1].key
    with pytest.raises(BadSetup, match="seed-NUMBER"):
        game.start(Setup(rules="dice"))
    with pytest.raises(BadPosition, match="not legal there"):
        game.read("999999")


def test_the_library_is_imported_only_for_a_game() -> None:
    script = (
        "import sys; from hitonami.customs import games_offered, title_of; names = games_offered()\n"
        "assert any(name.startswith('openspiel:') for name in names)\n"
        "assert 'pyspiel' not in sys.modules and 'pyffish' not in sys.modules, 'imported before it is asked for'\n"
        "print(title_of('openspiel:lines_of_action'))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "Lines of Action"


def test_the_command_line_lists_them() -> None:
    shown = CliRunner().invoke(cli, ["games"])
    assert shown.exit_code == 0
    for name in ("chess", "othello", "hex", "heian", "openspiel:checkers", "havannah"):
        assert name in shown.output
    told = CliRunner().invoke(cli, ["games", "--json"])
    assert '"openspiel:tic_tac_toe"' in told.output


def test_a_parameter_that_leaves_no_board_is_refused(need_module: Callable[[str], ModuleType]) -> None:
    need_module("pyspiel")
    with pytest.raises(UnknownPart, match=r"refuses 'hex\(board_size=0\)'"):
        open_game("openspiel:hex(board_size=0)")
