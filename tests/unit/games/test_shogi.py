"""Shogi: setups, SFEN, notation, endings, claims, history and display."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from types import ModuleType

import cshogi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Claims, Setup
from hitonami.errors import BadMove, BadPosition, BadSetup
from hitonami.games.shogi import HISTORY_BYTES, Shogi, ShogiPosition
from hitonami.games.shogi_rules.rules import declared_points, read_rules
from hitonami.games.shogi_rules.sfen import HANDICAPS, PIECES_IN_SET

SHOGI = Shogi()
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def play(position: ShogiPosition, moves: str) -> ShogiPosition:
    for text in moves.split():
        position = position.play(SHOGI.parse(position, text))
    return position


def usi(position: ShogiPosition) -> set[str]:
    return {SHOGI.format(position, move) for move in position.legal.tolist()}


@st.composite
def positions(draw: st.DrawFn) -> ShogiPosition:
    """Positions of random games from the examples."""
    position = SHOGI.start(draw(st.sampled_from(SHOGI.examples)))
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=60)):
        if not len(position.legal):
            break
        position = position.play(int(position.legal[choice % len(position.legal)]))
    return position


@st.composite
def boards(draw: st.DrawFn) -> str:
    """SFEN of a random setting of the whole set, mostly not a legal position."""
    crowded = draw(st.booleans())
    near, far = draw(st.permutations(range(27))), draw(st.permutations(range(27, 81)))
    squares = near + far if crowded else far[:20] + near + far[20:]
    rows = [[""] * 9 for _ in range(9)]
    used = {"K": 1, "k": 1}
    rows[squares[0] // 9][squares[0] % 9], rows[squares[-1] // 9][squares[-1] % 9] = "K", "k"
    for square in squares[1 : 1 + draw(st.integers(0, 24))]:
        piece = draw(st.sampled_from("PLNSGBR" if crowded else "PLNSGBRplnsgbr"))
        if sum(used.get(each, 0) for each in (piece.lower(), piece.upper())) < PIECES_IN_SET[piece.lower()]:
            used[piece] = used.get(piece, 0) + 1
            promoted = piece not in "Gg" and draw(st.booleans())
            rows[square // 9][square % 9] = ("+" if promoted else "") + piece
    text = "/".join("".join(square or "1" for square in row) for row in rows)
    for run in range(9, 1, -1):
        text = text.replace("1" * run, str(run))
    hands = "".join(draw(st.lists(st.sampled_from("PLNSGplnsg"), max_size=4, unique=True))) or "-"
    return f"{text} {draw(st.sampled_from('bw'))} {hands} {draw(st.integers(1, 300))}"


class TestSetups:
    def test_the_standard_start_has_thirty_moves_and_black_begins(self) -> None:
        position = SHOGI.start()
        assert SHOGI.write(position) == START
        assert (position.to_move, len(position.legal), position.ply) == (0, 30, 0)

    @pytest.mark.parametrize("name", sorted(HANDICAPS))
    def test_white_gives_a_handicap_and_begins(self, name: str) -> None:
        position = SHOGI.start(Setup(variant=name))
        assert position.to_move == (0 if name == "even" else 1)
        missing = 40 - sum(1 for piece in position.board.pieces if piece)
        counts = {"even": 0, "lance": 1, "right-lance": 1, "bishop": 1, "rook": 1, "rook-lance": 2, "left-5-piece": 5}
        assert missing == (counts[name] if name in counts else int(name.partition("-")[0]))

    @pytest.mark.parametrize(
        "setup",
        [
            Setup(size=9),
            Setup(komi=0.5),
            Setup(handicap=2),
            Setup(variant="queen"),
            Setup(variant="rook", start=START),
            Setup(rules="area"),
            Setup(rules="max-0"),
            Setup(rules="max-9 max-9"),
            Setup(rules="27-point 24-point"),
        ],
    )
    def test_what_shogi_does_not_have_is_refused(self, setup: Setup) -> None:
        with pytest.raises(BadSetup):
            SHOGI.start(setup)

    def test_a_move_limit_draws_the_game(self) -> None:
        position = play(SHOGI.start(Setup(rules="max-2")), "7g7f 3c3d")
        assert (position.ending, position.score, len(position.legal)) == ("move limit", 0.5, 0)

    def test_mate_on_the_last_move_is_mate(self) -> None:
        position = play(SHOGI.start(Setup(start="4k4/9/4P4/9/9/9/9/9/4K4 b G 1", rules="max-1")), "G*5b")
        assert (position.ending, position.score) == ("checkmate", 1.0)


class TestSfen:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("nonsense", "it has a board"),
            ("lnsgkgsnl b - 1 x y", "it has a board"),
            (START.replace(" b ", " x "), "it has a board"),
            (START.replace("/9/9/9/", "/9/9/"), "8 ranks"),
            (START.replace("/9/9/9/", "/9/9/9/9/"), "10 ranks"),
            (START.replace("/9/9/9/", "/9/8/9/"), "rank 5 has 8 squares"),
            (START.replace("/9/9/9/", "/9/54/9/"), "rank 5 cannot be read"),
            (START.replace("/9/9/9/", "/9/9x/9/"), "rank 5 cannot be read"),
            (START.replace("/9/9/9/", "/9/+G8/9/"), "rank 5 cannot be read"),
            (START.replace("/9/9/9/", "/9/+9/9/"), "rank 5 cannot be read"),
            (START.replace("k", "1"), "White has no king"),
            (START.replace("K", "1"), "Black has no king"),
            ("4k4/9/9/9/4k4/9/9/9/4K4 b - 1", "White has 2 kings"),
            (START.replace(" - ", " P "), "19 pawns"),
            (START.replace(" - ", " 19p "), "37 pawns"),
            (START.replace(" - ", " R "), "3 rooks"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 5G 1", "5 golds"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 0P 1", "hands cannot be read"),
            ("4k4/9/9/9/9/9/9/9/4K4 b K 1", "hands cannot be read"),
            ("4k4/9/9/9/9/9/9/9/4K4 b PP 1", "in hand twice"),
            ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "pawn on rank 1"),
            ("4k4/9/9/9/9/9/9/9/4K3p b - 1", "pawn on rank 9"),
            ("4k3L/9/9/9/9/9/9/9/4K4 b - 1", "lance on rank 1"),
            ("4k4/8N/9/9/9/9/9/9/4K4 b - 1", "knight on rank 2"),
            ("4k4/9/9/9/9/9/9/8n/4K4 b - 1", "knight on rank 8"),
            ("4k4/9/8P/9/8P/9/9/9/4K4 b - 1", "two pawns of one side on file 1"),
            ("9/9/9/4k4/4K4/9/9/9/9 b - 1", "kings stand next"),
            ("4k4/9/9/9/4R4/9/9/9/4K4 b - 1", "White is in check and not to move"),
            ("4k4/9/9/9/4r4/9/9/9/4K4 w - 1", "Black is in check and not to move"),
            ("4k4/9/9/9/9/9/9/9/4K4 b - 10000", "beyond 9999"),
            ("4k4/9/9/9/9/9/9/9/4K4 b - " + "9" * 5000, "beyond 9999"),
        ],
    )
    def test_a_bad_position_is_refused_with_the_reason(self, text: str, reason: str) -> None:
        with pytest.raises(BadPosition, match=reason):
            SHOGI.read(text)

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("startpos", START),
            ("  sfen " + START, START),
            (START.removesuffix(" 1"), START),
            (START.removesuffix("1") + "0", START),
            ("4k4/9/9/9/9/9/9/9/4K4 w 2pPR 7", "4k4/9/9/9/9/9/9/9/4K4 w RP2p 7"),
            ("4k4/9/+P+p7/9/9/9/9/9/4K4 b 16P 12", "4k4/9/+P+p7/9/9/9/9/9/4K4 b 16P 12"),
        ],
    )
    def test_tolerated_forms_are_written_in_full(self, text: str, written: str) -> None:
        assert SHOGI.write(SHOGI.read(text)) == written

    @given(positions())
    def test_reading_what_is_written_gives_the_same_position(self, position: ShogiPosition) -> None:
        again = SHOGI.read(SHOGI.write(position))
        assert again.key == position.key
        assert SHOGI.write(again) == SHOGI.write(position)

    @settings(max_examples=300)
    @given(st.one_of(st.text(max_size=60), st.text("plnsgbrkPLNSGBRK+123456789/ bw-", max_size=90)))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        try:
            position = SHOGI.read(text)
        except BadPosition:
            return
        assert SHOGI.read(SHOGI.write(position)).key == position.key

    @settings(max_examples=300)
    @given(st.data())
    def test_damaged_sfen_is_read_or_refused(self, data: st.DataObject) -> None:
        text = SHOGI.write(data.draw(positions()))
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(text)))
            cut = data.draw(st.integers(0, 2))
            text = text[:at] + data.draw(st.text("plnsgbrkPLNSGBRK+19/ bw-", max_size=2)) + text[at + cut :]
        try:
            position = SHOGI.read(text)
        except BadPosition:
            return
        for move in position.legal.tolist()[:5]:
            assert position.play(move).before is position


class TestMoves:
    def test_ids_have_the_documented_layout(self) -> None:
        position = SHOGI.read("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
        five_c, five_b = 4 * 9 + 2, 4 * 9 + 1
        assert SHOGI.parse(position, "5c5b+") == five_b | five_c << 7 | 1 << 14
        assert SHOGI.parse(position, "G*5b") == five_b | 80 + 7 << 7

    @given(positions())
    def test_legal_ids_rise_and_agree_with_cshogi(self, position: ShogiPosition) -> None:
        legal = position.legal.tolist()
        assert all(a < b for a, b in pairwise(legal))
        if position.ending not in ("repetition", "perpetual check", "move limit"):
            assert usi(position) == {cshogi.move_to_usi(move) for move in position.board.legal_moves}

    @given(positions())
    def test_parse_is_the_inverse_of_format_and_describe(self, position: ShogiPosition) -> None:
        board = position.board
        for move in position.legal.tolist():
            assert SHOGI.parse(position, SHOGI.format(position, move)) == move
            assert SHOGI.parse(position, SHOGI.describe(position, move)) == move
            assert SHOGI.parse(position, cshogi.move_to_csa(board.move_from_move16(move))) == move

    @pytest.mark.parametrize(
        ("moves", "text", "meant"),
        [
            ("", "▲７六歩", "7g7f"),
            ("", "76歩", "7g7f"),
            ("", "☗７六歩(77)", "7g7f"),
            ("", "+7776FU", "7g7f"),
            ("", "５八金右", "4i5h"),
            ("", "58金左", "6i5h"),
            ("7g7f 3c3d", "▲２二角成", "8h2b+"),
            ("7g7f 3c3d", "２二角不成", "8h2b"),
            ("7g7f 3c3d 8h2b+", "△同　銀", "3a2b"),
            ("7g7f 3c3d 8h2b+", "同銀(31)", "3a2b"),
            ("7g7f 3c3d 8h2b+ 3a2b", "５五角", "B*5e"),
            ("7g7f 3c3d 8h2b+ 3a2b", "▲５五角打", "B*5e"),
        ],
    )
    def test_japanese_and_csa_text(self, moves: str, text: str, meant: str) -> None:
        position = play(SHOGI.start(), moves)
        assert SHOGI.format(position, SHOGI.parse(position, text)) == meant

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "7g7e",
            "7g7f+",
            "△７六歩",
            "-7776FU",
            "同歩",
            "５八金",
            "K*5e",
            "P*5e",
            "７六歩(78)",
            "７六銀(77)",
            "パス",
        ],
    )
    def test_other_text_is_refused(self, text: str) -> None:
        with pytest.raises(BadMove):
            SHOGI.parse(SHOGI.start(), text)

    @given(st.text(max_size=12))
    def test_any_text_is_a_move_or_refused(self, text: str) -> None:
        position = SHOGI.start()
        with suppress(BadMove):
            assert SHOGI.parse(position, text) in position.legal

    @given(positions(), st.integers(-(2**40), 2**40))
    def test_an_id_that_is_not_legal_is_refused(self, position: ShogiPosition, move: int) -> None:
        if move not in position.legal.tolist():
            with pytest.raises(BadMove):
                position.play(move)
            with pytest.raises(BadMove):
                SHOGI.format(position, move)

    @settings(max_examples=200)
    @given(boards())
    def test_constructed_positions_agree_with_rsshogi(
        self, need_module: Callable[[str], ModuleType], sfen: str
    ) -> None:
        try:
            position = SHOGI.read(sfen)
        except BadPosition:
            return
        other = need_module("rsshogi.core").Board(SHOGI.write(position))
        assert usi(position) == {move.to_usi() for move in other.legal_moves()}

    def test_no_two_pawns_on_a_file(self) -> None:
        position = SHOGI.read("4k4/9/9/9/9/9/4P4/9/4K4 b P 1")
        assert not any(text.startswith("P*5") for text in usi(position))
        assert any(text.startswith("P*4") for text in usi(position))

    def test_no_mate_by_dropping_a_pawn(self) -> None:
        mate = SHOGI.read("7lk/9/7G1/9/9/9/9/9/K8 b P 1")
        assert "P*1b" not in usi(mate)
        escape = SHOGI.read("8k/9/8G/9/9/9/9/9/K8 b P 1")
        assert "P*1b" in usi(escape)

    def test_mate_by_moving_a_pawn_is_legal(self) -> None:
        position = play(SHOGI.read("7lk/9/7GP/8L/9/9/9/9/K8 b - 1"), "1c1b")
        assert (position.ending, position.score) == ("checkmate", 1.0)

    def test_a_piece_that_could_not_move_again_must_promote(self) -> None:
        position = SHOGI.read("4k4/P8/2N6/9/9/9/9/9/4K4 b - 1")
        assert {"9b9a+", "7c6a+", "7c8a+"} <= usi(position)
        assert not {"9b9a", "7c6a", "7c8a"} & usi(position)


class TestEndings:
    def test_having_no_move_loses(self) -> None:
        position = SHOGI.read("8k/R8/9/9/9/9/9/9/4K2R1 w - 1")
        assert (position.ending, position.score, position.in_check) == ("no moves", 1.0, False)

    def test_the_fourth_occurrence_is_a_draw(self) -> None:
        position = SHOGI.start()
        for round_number in range(3):
            assert (position.repeats, position.ending) == (round_number, None)
            position = play(position, "2h5h 8b5b 5h2h 5b8b")
        assert (position.repeats, position.ending, position.score) == (3, "repetition", 0.5)
        assert not len(position.legal)
        assert SHOGI.claims(position) == Claims()

    def test_a_position_read_from_sfen_has_no_history(self) -> None:
        position = play(SHOGI.start(), " ".join(["2h5h 8b5b 5h2h 5b8b"] * 2))
        assert SHOGI.read(SHOGI.write(position)).repeats == 0

    @pytest.mark.parametrize(
        ("sfen", "opening", "cycle", "score"),
        [
            ("k8/9/9/9/9/9/9/4K4/8R b - 1", "1i9i 9a8a", "9i8i 8a9a 8i9i 9a8a", 0.0),
            ("r8/4k4/9/9/9/9/9/9/8K w - 1", "9a1a 1i2i", "1a2a 2i1i 2a1a 1i2i", 1.0),
        ],
    )
    def test_perpetual_check_loses_for_the_side_that_checks(
        self, sfen: str, opening: str, cycle: str, score: float
    ) -> None:
        position = play(SHOGI.read(sfen), f"{opening} {cycle} {cycle} {' '.join(cycle.split()[:3])}")
        assert (position.ending, position.score, position.repeats) == ("perpetual check", score, 3)
        assert not len(position.legal)

    def test_perpetual_check_counts_where_the_checked_side_moved_last(self) -> None:
        position = SHOGI.read("1k7/9/9/9/9/9/9/4K4/R8 b - 1")
        position = play(position, "9i8i 8a9a 8i9i 9a8a " * 3)
        assert (position.to_move, position.ending, position.score) == (0, "perpetual check", 0.0)

    def test_one_quiet_move_makes_perpetual_check_a_plain_repetition(self) -> None:
        position = SHOGI.read("k8/9/9/9/9/9/9/4K4/8R b - 1")
        position = play(position, "1i9i 9a8a 9i8i 8a9a 8i9i 9a8a 9i1i 8a9a 1i9i 9a8a 9i8i 8a9a 8i9i")
        assert position.repeats == 3
        assert (position.ending, position.score) == ("repetition", 0.5)


class TestClaims:
    @pytest.mark.parametrize(
        ("sfen", "rules", "claims"),
        [
            ("K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k b 2G 1", "", "win"),  # 28 points, ten pieces
            ("K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k b G 1", "", ""),  # 27
            ("K+R+R+B+B4/PPPPP4/9/9/9/9/9/9/8k b 3G 1", "", ""),  # nine pieces
            ("K+R+R+B+B4/PPPPP4/9/5P3/9/9/9/9/8k b 3G 1", "", ""),  # the tenth outside
            ("K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k w 2G 1", "", ""),  # not Black's turn
            ("1+R+R+B+B4/PPPPPP3/9/K8/9/9/9/9/8k b 2G 1", "", ""),  # the king has not entered
            ("8K/9/9/9/9/9/9/3pppppp/4+b+b+r+rk w g 1", "", "win"),  # White needs 27
            ("8K/9/9/9/9/9/9/3pppppp/4+b+b+r+rk w - 1", "", ""),  # 26
            ("K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k b 4GS 1", "24-point", "win"),  # 31
            ("K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k b 4G 1", "24-point", "draw"),  # 30
            ("K+R+R+BS4/PPPPPP3/9/9/9/9/9/9/8k b 2G 1", "24-point", "draw"),  # 24
            ("K+R+R+BS4/PPPPPP3/9/9/9/9/9/9/8k b G 1", "24-point", ""),  # 23
        ],
    )
    def test_entering_king_at_the_boundary(self, sfen: str, rules: str, claims: str) -> None:
        got = SHOGI.claims(SHOGI.start(Setup(start=sfen, rules=rules)))
        assert (bool(got.win), bool(got.draw)) == (claims == "win", claims == "draw")

    def test_no_declaration_in_check(self) -> None:
        quiet = SHOGI.read("K+R+R+B+B4/1PPPPPP2/9/9/9/9/9/9/8k b 2G 1")
        checked = SHOGI.read("K+R+R+B+B4/gPPPPPP2/9/9/9/9/9/9/8k b 2G 1")
        assert SHOGI.claims(quiet).win
        assert not SHOGI.claims(checked).win

    def test_what_white_gave_counts_as_whites(self) -> None:
        board = cshogi.Board("8K/9/9/9/9/9/9/ppppppppp/ks7 w - 1")
        even, two_piece = (declared_points(board, read_rules(Setup(variant=name))) for name in ("even", "2-piece"))
        assert even is not None
        assert two_piece is not None
        assert two_piece == even + 10

    @given(boards())
    def test_points_agree_with_cshogi(self, sfen: str) -> None:
        try:
            position = SHOGI.read(sfen)
        except BadPosition:
            return
        assert bool(SHOGI.claims(position).win) == (position.ending is None and position.board.is_nyugyoku())


class TestHistory:
    def test_blocks_hold_pieces_hands_and_the_repeat_flag(self) -> None:
        start = SHOGI.start()
        position = play(start, "7g7f 3c3d 8h2b+ 3a2b")
        assert len(position.history) == 5 * HISTORY_BYTES
        blocks = np.frombuffer(position.history, np.uint8).reshape(5, HISTORY_BYTES)
        assert blocks[0, :81].tolist() == position.board.pieces
        assert blocks[0, 81:95].tolist() == [0, 0, 0, 0, 0, 1, 0] * 2
        assert blocks[4, :81].tolist() == start.board.pieces
        assert blocks[:, 95].tolist() == [0] * 5

    def test_eight_positions_at_most_and_repeats_flagged(self) -> None:
        position = play(SHOGI.start(), " ".join(["2h5h 8b5b 5h2h 5b8b"] * 2))
        blocks = np.frombuffer(position.history, np.uint8).reshape(8, HISTORY_BYTES)
        assert blocks[:, 95].tolist() == [1, 1, 1, 1, 1, 0, 0, 0]

    def test_a_long_game_needs_no_deep_recursion(self) -> None:
        position = SHOGI.read("4k4/9/9/9/9/9/9/9/4K4 b 2G 1")
        rng = np.random.default_rng(5)
        while position.ply < 3000 and len(position.legal):
            position = position.play(int(rng.choice(position.legal)))
        assert len(position.history) == 8 * HISTORY_BYTES


class TestImmutability:
    def test_positions_can_be_used_in_any_order(self) -> None:
        start = SHOGI.start()
        line = [start]
        for text in ("7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"):
            line.append(play(line[-1], text))
        fresh = [set(usi(SHOGI.read(SHOGI.write(position)))) for position in line]
        for at in (5, 0, 3, 1, 4, 2, 5, 0):
            again = ShogiPosition(line[at].board, line[at].setup, line[at].rules, line[at].before, line[at].last_move)
            assert usi(again) == fresh[at] == usi(line[at])
            assert play(line[at], next(iter(fresh[at]))).before is line[at]

    def test_threads_do_not_disturb_each_other(self) -> None:
        start, gate = SHOGI.start(), threading.Barrier(4)

        def run(seed: int) -> list[str]:
            gate.wait()
            rng, position, texts = np.random.default_rng(seed), start, []
            while position.ply < 150 and len(position.legal):
                position = position.play(int(rng.choice(position.legal)))
                texts.append(position.sfen)
            return texts

        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(run, [1, 1, 2, 2]))
        assert together[0] == together[1] != together[2] == together[3]


class TestDiagram:
    def test_as_people_draw_it(self) -> None:
        position = play(SHOGI.start(), "7g7f 3c3d 8h2b+")
        shown = SHOGI.diagram(position)
        assert (shown.columns[0], shown.ranks[0], shown.style) == ("9", "一", "grid")
        assert [cell.glyph for cell in shown.rows[0]] == list("香桂銀金玉金銀桂香")
        assert (shown.rows[1][7].glyph, shown.rows[1][7].side) == ("馬", 0)
        assert (shown.rows[1][1].glyph, shown.rows[1][1].side) == ("飛", 1)
        assert shown.marked == {(1, 7), (7, 1)}
        assert shown.hands == ("角", "")

    def test_hands_and_drops(self) -> None:
        position = play(SHOGI.read("4k4/9/9/9/9/9/9/9/4K4 b R12P2p 1"), "P*5e")
        shown = SHOGI.diagram(position)
        assert shown.hands == ("飛 歩十一", "歩二")
        assert shown.marked == {(4, 4)}
