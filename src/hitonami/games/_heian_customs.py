"""What Heian shogi is used to, and its rules as the page explains them: what is recorded, what is reconstruction."""

from typing import Final

from hitonami.customs import Customs, KnownEngine, Phases, Rule, Variant

_NICHUREKI: Final = (
    "Nichūreki, an encyclopedia of the 13th century after works of the 12th",
    "『二中歴』（13世紀。12世紀の書物による）",
)
_MODERN: Final = ("modern usage", "現代将棋の慣習")
_OURS: Final = ("reconstruction", "復元")
_THESIS: Final = "S. Pan, Can AI Resign in an Appropriate Position?, JAIST 2025, 2.4"

RULES: Final = (
    Rule(
        "King, gold, silver, knight, lance and pawn. There is no rook and no bishop.",
        "玉将・金将・銀将・桂馬・香車・歩兵。飛車と角行はない。",
        f"{_NICHUREKI[0]}; pieces found at Kōfuku-ji with a tag of 1058",
        f"{_NICHUREKI[1]}、興福寺の出土駒（1058年の木簡とともに）",
    ),
    Rule(
        "They move as in modern shogi. Of the knight the text says only that it leaps forward aslant.",
        "動きは現代将棋と同じ。桂馬については「前角超一目」とだけある。",
        *_NICHUREKI,
    ),
    Rule(
        "In the far three ranks silver, knight, lance and pawn become gold.",
        "敵陣三段目から先で銀・桂・香・歩は金になる。",
        f"{_NICHUREKI[0]}: all become gold",
        f"{_NICHUREKI[1]}「入敵三目皆成金」",
    ),
    Rule(
        "Promotion may be declined, and is taken where the piece could never move again.",
        "成らなくてもよい。行き所がなくなるときは必ず成る。",
        *_MODERN,
    ),
    Rule(
        "Who has nothing left but the king has lost, at once.",
        "玉だけになった側はその場で負け。",
        f"{_NICHUREKI[0]}; that no answer is allowed is our reading",
        f"{_NICHUREKI[1]}「敵玉一将則為勝」。その場で終わるのは本作の解釈",
    ),
    Rule(
        "Mate wins, and so does leaving the other side no move.",
        "詰みは勝ち。相手に指す手がないときも勝ち。",
        *_MODERN,
    ),
    Rule(
        "What is taken does not come back.",
        "取った駒は使えない。",
        f"reconstruction; {_THESIS}, says only that captured pieces were of more restricted use",
        "復元。潘（JAIST 2025、2.4節）は「取った駒の使い方は限られていた」とだけ述べる",
    ),
    Rule(
        "The fourth time the same position is a draw; who checked all the time has lost.",
        "同じ局面が四回現れたら引き分け。連続王手なら王手をかけた側の負け。",
        f"modern usage; {_THESIS}, names both rules without their wording",
        "現代将棋の慣習。潘（2.4節）は両方の規則の名を挙げる",
    ),
    Rule(
        "The board: 9×9, or 9×8 and 8×8 with one gold fewer.",
        "盤は9×9。9×8と8×8では金が一枚少ない。",
        f"reconstruction, no document gives the size; {_THESIS}, takes 9×9",
        "復元。盤の大きさは伝わらない。潘は9×9とする",
    ),
    Rule(
        "The array is the modern one without rook and bishop, pawns on the third rank (or the second).",
        "配置は現代将棋から飛車と角を除いたもの。歩は三段目（二段目とする説もある）。",
        *_OURS,
    ),
    Rule(
        "A variant has a drunken elephant before the king: a king's steps but straight back.",
        "変種では玉の前に酔象を置く。真後ろ以外へ一歩動く。",
        f"{_THESIS}, names the piece, and one was found at Kōfuku-ji with a tag of 1098; place and moves are "
        "reconstruction",
        "潘（2.4節）に名があり、興福寺から1098年の木簡とともに出土。位置と動きは復元",
    ),
)
CUSTOMS: Final = Customs(
    title="Heian shogi",
    japanese={
        "Heian shogi": "平安将棋",
        "Black": "先手",
        "White": "後手",
        "bare king": "裸玉",
        "checkmate": "詰み",
        "no moves": "指す手がない",
        "repetition": "千日手",
        "perpetual check": "連続王手の千日手",
    },
    place=20,
    variants=(
        Variant("", "9×9"),
        Variant("9x8", "9×8"),
        Variant("8x8", "8×8"),
        Variant("second", "second-rank pawns", "歩は二段目"),
        Variant("elephant", "elephant", "酔象"),
    ),
    rules=RULES,
    letters=dict(
        zip("玉金銀桂香歩全圭杏と象", ("K", "G", "S", "N", "L", "P", "+S", "+N", "+L", "+P", "E"), strict=True)
    ),
    engine=KnownEngine("fairy-stockfish", "fairy-stockfish", "fairy:fairy-stockfish", {"nodes": 20_000}),
    phases=Phases(24, 80),
    most_plies=400,
    lines=("5g5f 5c5d", "7g7f 3c3d", "5g5f 3c3d", "3g3f 7c7d", "6i5h 4a5b", "7i6h 3a4b", "4g4f 6c6d", "9g9f 1c1d"),
)
