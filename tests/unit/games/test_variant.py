"""Games by description: what is described is played, a mistake says its line; xiangqi against two libraries."""

import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from hitonami.core import Setup, open_game
from hitonami.errors import BadInput, BadMove, BadPosition, BadSetup, UnknownPart
from hitonami.games._fairy import FairyPosition, decode, encode
from hitonami.games.xiangqi import Xiangqi

GOOD = """# a game of ours
[hill:chess]
flagPiece = k
flagRegion = d4 e4 d5 e5

[small:hill]
maxRank = 6
maxFile = 6
startFen = rnbqkn/pppppp/6/6/PPPPPP/RNBQKN w - - 0 1
promotionRegionWhite = *6
promotionRegionBlack = *1
doubleStep = false
castling = false
"""


@pytest.fixture(autouse=True)
def _library(need_module: Callable[[str], ModuleType]) -> None:
    need_module("pyffish")


def write(folder: Path, text: str) -> str:
    path = folder / "mine.ini"
    path.write_text(text, encoding="utf-8")
    return f"variant:{path}"


def test_the_last_game_of_a_description_is_played(tmp_path: Path) -> None:
    game = open_game(write(tmp_path, GOOD))
    position = game.start()
    assert len(game.diagram(position).rows) == 6
    assert game.format(position, game.parse(position, "a2a3")) == "a2a3"
    with pytest.raises(BadMove):
        game.parse(position, "a2a4")
    won = game.read("k5/6/2K3/6/6/R5 w - - 0 1")
    won = won.play(game.parse(won, "c4d4"))
    assert (won.ending, won.score, len(won.legal)) == ("end by the rules", 1.0, 0)


def test_an_edited_description_is_another_game(tmp_path: Path) -> None:
    first = open_game(write(tmp_path, GOOD)).start()
    (tmp_path / "other").mkdir()
    second = open_game(write(tmp_path / "other", GOOD.replace("doubleStep = false", "doubleStep = true"))).start()
    assert len(second.legal) > len(first.legal)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("maxRank = 6", "maxRanks = 6", r"line 7: 'maxRanks' is no option of a variant; did you mean maxRank"),
        ("maxRank = 6", "maxRank = 26", r"line 7: '26' is not allowed for maxRank; allowed: a rank, 1 to 10"),
        ("castling = false", "castling = no", r"line 13: 'no' is not allowed for castling; allowed: true, false"),
        ("[small:hill]", "[small:hil]", r"line 6: there is no variant 'hil' to build on; did you mean hill"),
        ("[small:hill]", "[small hill]", r"line 6: '\[small hill\]' names no game; allowed: \[name\]"),
        ("flagPiece = k", "flagPiece k", r"line 3: 'flagPiece k' is no option; expected an option, as in maxRank = 8"),
        ("[hill:chess]", "", r"line 3: 'flagPiece = k' is no option; expected a line \[name\]"),
        (
            "flagRegion = d4",
            "flagRegion = z4",
            r"line 4: 'z4 e4 d5 e5' is not allowed for flagRegion; allowed: squares",
        ),
        ("RNBQKN w", "RNBQXN w", r"line 9: .* is no start of this game; allowed: rows"),
        (
            "flagPiece = k",
            "flagPiece = z",
            r"line 3: no piece has the letter 'z' of flagPiece; allowed: b, k, n, p, q, r",
        ),
        ("maxRank = 6", "maxRank = 6\nmaxRank = 5", r"line 8: maxRank of small stands on line 7 already"),
        ("[small:hill]", "[hill:chess]", r"line 6: 'hill' was described above already"),
        (GOOD, "# nothing\n", r"no game in it; a description begins with \[name\]"),
    ],
)
def test_a_mistake_says_its_line_and_what_is_allowed(tmp_path: Path, old: str, new: str, reason: str) -> None:
    name = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(BadSetup, match=reason):
        open_game(name)


def test_neither_a_file_nor_a_variant_is_refused() -> None:
    for name in ("variant:nowhere.ini", "variant:makrukk", "variant:a\0b"):
        with pytest.raises(UnknownPart, match=r"neither a file|cannot be read"):
            open_game(name)
    with pytest.raises(UnknownPart, match="takes a name after a colon"):
        open_game("variant")


@pytest.mark.parametrize(
    "name", ["crazyhouse", "shogi", "duck", "seirawan", "kyotoshogi", "amazons", "janggi", "grand"]
)
def test_moves_of_every_kind_have_an_id_of_their_own(name: str) -> None:
    game = open_game(f"variant:{name}")
    rng, position = random.Random(2), game.start()
    for _ in range(10):
        texts = [game.format(position, int(move)) for move in position.legal]
        assert [decode(encode(text)) for text in texts] == texts
        assert len(set(texts)) == len(texts)
        if texts:
            position = position.play(int(rng.choice(position.legal)))


def openspiel_move(text: str) -> str:
    """ "S(6,0)-(5,0)" as Fairy-Stockfish has it: files as letters, ranks from the bottom, from 1."""
    pairs = re.findall(r"\(([0-9]+),([0-9]+)\)", text)
    return "".join(f"{'abcdefghi'[int(column)]}{10 - int(row)}" for row, column in pairs)


def play_beside(pyspiel: ModuleType, seed: int, most: int) -> FairyPosition:
    """One random game of xiangqi: every list of moves must be the same, and who has none has lost."""
    rng, game = random.Random(seed), Xiangqi()
    state, position = pyspiel.load_game("xiangqi").new_initial_state(), game.start()
    while not state.is_terminal() and position.ending != "repetition or move rule" and position.ply < most:
        theirs = {openspiel_move(state.action_to_string(each)): each for each in state.legal_actions()}
        assert sorted(theirs) == sorted(decode(int(move)) for move in position.legal)
        text = rng.choice(sorted(theirs))
        state.apply_action(theirs[text])
        position = position.play(game.parse(position, text))
    if state.is_terminal() and position.ending in ("checkmate", "stalemate"):
        assert position.score == (state.returns()[0] + 1) / 2
    return position


def agree_with_library(pyffish: ModuleType, position: FairyPosition) -> None:
    """The same moves, or the same end by repetition or too many quiet moves."""
    asked = ("xiangqi", position.root, position.moves)
    over, value = pyffish.is_optional_game_end(*asked)
    assert over == (position.ending == "repetition or move rule")
    if over:
        own = (1 + (value > 0) - (value < 0)) / 2
        assert position.score == (1 - own if position.to_move else own)
    else:
        assert [decode(int(move)) for move in position.legal] == sorted(pyffish.legal_moves(*asked), key=encode)


def play_beside_library(pyffish: ModuleType, seed: int, most: int) -> FairyPosition:
    """One random game of xiangqi, every second one from few men, looked at after each move."""
    rng, game = random.Random(seed), Xiangqi()
    position = game.start(game.examples[seed % 4 % 3])
    agree_with_library(pyffish, position)
    while position.ending is None and position.ply < most:
        position = position.play(int(rng.choice(position.legal)))
        agree_with_library(pyffish, position)
    return position


def test_openspiel_and_fairy_stockfish_agree_on_xiangqi(need_module: Callable[[str], ModuleType]) -> None:
    for seed in range(20):
        play_beside(need_module("pyspiel"), seed, 200)
    for seed in range(4):
        play_beside_library(need_module("pyffish"), seed, 40)


@pytest.mark.parametrize(
    ("start", "line", "score"),
    [
        ("", "h1g3 h10g8 g3h1 g8h10", 0.5),
        ("3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0 1", "e3d3 d10e10 d3e3 e10d10", 0.0),  # Red checks all the time
        ("4k4/9/9/9/9/9/9/4R4/9/3K5 b - - 94 60", "e10f10 e3e4 f10f9 e4e5 f9f10 e5e6", 0.5),  # a hundred quiet plies
    ],
)
def test_games_that_go_on_for_ever_end_as_the_library_says(
    need_module: Callable[[str], ModuleType], start: str, line: str, score: float
) -> None:
    game = Xiangqi()
    position = game.start(Setup(start=start))
    for text in 3 * line.split():
        agree_with_library(need_module("pyffish"), position)
        if position.ending:
            break
        position = position.play(game.parse(position, text))
    assert (position.ending, position.score) == ("repetition or move rule", score)


@pytest.mark.slow
def test_openspiel_agrees_on_xiangqi_in_a_thousand_games(need_module: Callable[[str], ModuleType]) -> None:
    pyspiel = need_module("pyspiel")
    ends = Counter(play_beside(pyspiel, seed, 400).ending for seed in range(1000))
    assert ends["checkmate"] > 100


@pytest.mark.slow
@pytest.mark.timeout(0)  # the library takes milliseconds a call
@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_fairy_stockfish_agrees_on_xiangqi_in_a_thousand_games(
    need_module: Callable[[str], ModuleType], first: int
) -> None:
    pyffish = need_module("pyffish")
    ends = Counter(play_beside_library(pyffish, seed, 150).ending for seed in range(first, first + 250))
    assert len(ends) == 4, "played on, checkmate, stalemate, repetition or move rule"


def test_xiangqi_is_drawn_with_its_palaces_and_its_river() -> None:
    game = Xiangqi()
    diagram = game.diagram(game.start())
    assert "".join(cell.glyph for cell in diagram.rows[0]) == "車馬象士將士象馬車"
    assert "".join(cell.glyph for cell in diagram.rows[9]) == "俥馬相仕帥仕相馬俥"
    assert len(diagram.lines) == 4
    assert len(diagram.gaps) == 7


def test_generals_may_not_see_each_other() -> None:
    game = Xiangqi()
    position = game.start(Setup(start="4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"))
    assert [decode(int(move)) for move in position.legal] == ["d1d2"], "e1 faces the other general"


@pytest.mark.parametrize("text", ["9/9 w - - 0 1", "x" * 400, "9/9/9/9/9/9/9/9/9/9 w - - 0 1", "é w"])
def test_another_board_is_no_xiangqi(text: str) -> None:
    with pytest.raises(BadPosition, match="not a FEN of xiangqi"):
        open_game("xiangqi").read(text)
    with pytest.raises(BadInput):
        open_game("xiangqi").start(Setup(size=9))


@pytest.mark.parametrize(
    "line",
    [
        "customPiece1 = a:((",
        "king = k:",
        "pieceValueMg = zz",
        "promotedPieceType = p",
        "promotionLimit = q:x",
        "mobilityRegionWhiteFoo = d4",
        "mobilityRegionWhiteKing = zz",
        "flagRegion = a99",
        "extinctionPieceTypes = 9",
    ],
)
def test_what_the_library_would_pass_over_or_die_of_is_refused_by_its_line(tmp_path: Path, line: str) -> None:
    """A region that is none ends the whole process inside the library."""
    file = tmp_path / "mine.ini"
    file.write_text(f"[mine:chess]\n{line}\n", "utf-8")
    with pytest.raises(BadSetup, match=r"line 2: .* (allowed: |did you mean)"):
        open_game(f"variant:{file}")
