"""What a description of a variant may say: Fairy-Stockfish's options with the values that each takes.

The library takes any text, and leaves out what it does not know: so every line is looked at here before it is given on.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from hitonami.errors import BadSetup, alternatives, quote

_PIECES: Final = (
    "pawn knight bishop rook queen fers alfil fersAlfil silver aiwok bers archbishop chancellor amazon knibis biskni "
    "kniroo rookni shogiPawn lance shogiKnight gold dragonHorse clobber breakthrough immobile cannon janggiCannon "
    "soldier horse elephant janggiElephant banner wazir commoner centaur king"
)
_CUSTOM: Final = tuple(f"customPiece{at}" for at in range(1, 26))
_FLAGS: Final = (
    "chess960 twoBoards sittuyinPromotion piecePromotionOnCapture mandatoryPawnPromotion mandatoryPiecePromotion "
    "pieceDemotion blastOnCapture petrifyOnCapture doubleStep castling castlingDroppedPiece checking dropChecks "
    "mustCapture mustDrop pieceDrops dropLoop capturesToHand firstRankPawnDrops promotionZonePawnDrops dropOnTop "
    "sittuyinRookDrop dropOppositeColoredBishop dropPromoted immobilityIllegal gating arrowGating duckGating "
    "staticGating pastGating seirawanGating cambodianMoves pass passOnStalemate makpongRule flyingGeneral "
    "nFoldValueAbsolute perpetualCheckIllegal moveRepetitionIllegal stalematePieceCount shogiPawnDropMateIllegal "
    "shatarMateRule bikjangRule extinctionClaim extinctionPseudoRoyal dupleCheck flagPieceBlockedWin flagMove "
    "checkCounting connectVertical connectHorizontal connectDiagonal"
)
_NUMBERS: Final = (
    "pocketSize dropNoDoubledCount nMoveRule nFoldRule extinctionPieceCount extinctionOpponentPieceCount "
    "flagPieceCount connectN"
)
_RANKS: Final = "maxRank castlingRank soldierPromotionRank"
_FILES: Final = (
    "maxFile castlingKingsideFile castlingQueensideFile castlingKingFile castlingRookKingsideFile "
    "castlingRookQueensideFile"
)
_REGIONS: Final = (
    "promotionRegionWhite promotionRegionBlack doubleStepRegionWhite doubleStepRegionBlack tripleStepRegionWhite "
    "tripleStepRegionBlack enPassantRegion enclosingDropStart whiteDropRegion blackDropRegion staticGatingRegion "
    "diagonalLines flagRegion flagRegionWhite flagRegionBlack"
)
_LETTERS: Final = (
    "pawnTypes promotionPawnTypes promotionPawnTypesWhite promotionPawnTypesBlack promotionPieceTypes "
    "promotionPieceTypesWhite promotionPieceTypesBlack blastImmuneTypes mutuallyImmuneTypes enPassantTypes "
    "enPassantTypesWhite enPassantTypesBlack castlingKingPiece castlingRookPieces mustDropType dropNoDoubled "
    "nMoveRuleTypes nMoveRuleTypesWhite nMoveRuleTypesBlack extinctionPieceTypes flagPiece flagPieceWhite "
    "flagPieceBlack"
)
_USUAL_LETTERS: Final = "pnbrqk"
"""What pawns may become need not stand on the board at the start."""
_VALUES: Final = "nFoldValue stalemateValue checkmateValue extinctionValue"
_WORDS: Final = {
    "variantTemplate": ("fairy", "shogi", "bughouse"),
    "enclosingDrop": ("reversi", "ataxx", "none"),
    "flipEnclosedPieces": ("reversi", "ataxx", "none"),
    "chasingRule": ("axf", "none"),
    "materialCounting": ("janggi", "unweighted", "whitedrawodds", "blackdrawodds", "none"),
    "countingRule": ("makruk", "cambodian", "asean", "none"),
}
_FREE: Final = "pieceToCharTable startFen"
_COUNTS: Final = "promotionLimit pieceValueMg pieceValueEg"
_BETZA: Final = r"(?:[a-z]{0,8}[WFDNAHLCJZGKBRQ]{1,2}[0-9]{0,2}){1,20}"
_MOBILITY: Final = tuple(
    f"mobilityRegion{side}{piece[0].upper()}{piece[1:]}"
    for side in ("White", "Black")
    for piece in (*_PIECES.split(), *_CUSTOM)
)
_SECTION: Final = re.compile(r"\[([A-Za-z0-9_-]{1,40})(?::([A-Za-z0-9_-]{1,40}))?\]", re.ASCII)


@dataclass(frozen=True)
class Kind:
    """What an option takes, in words and as a pattern."""

    allowed: str
    pattern: str


def _kinds() -> dict[str, Kind]:
    flag = Kind("true, false", r"true|false")
    kinds = dict.fromkeys(
        _PIECES.split(), Kind("a letter, a letter with its moves as in k:KN, or -", rf"-|[a-z](:{_BETZA})?")
    )
    kinds |= dict.fromkeys(
        _CUSTOM, Kind("a letter and its moves in Betza's notation, as in e:FsfW, or -", rf"-|[a-z]:{_BETZA}")
    )
    kinds |= dict.fromkeys(_FLAGS.split(), flag)
    kinds |= dict.fromkeys(_NUMBERS.split(), Kind("a number", r"[0-9]{1,4}"))
    kinds |= dict.fromkeys(_RANKS.split(), Kind("a rank, 1 to 10", r"[1-9]|10"))
    kinds |= dict.fromkeys(_FILES.split(), Kind("a file, 1 to 12 or a to l", r"[1-9]|1[0-2]|[a-l]"))
    kinds |= dict.fromkeys(
        (*_REGIONS.split(), *_MOBILITY),
        Kind("squares, as in d4 e4, *8 for a rank, or -", r"-|([a-l*]([1-9]|10|\*)(\s+|$))*"),
    )
    kinds |= dict.fromkeys(_LETTERS.split(), Kind("letters of pieces, * for all, or -", r"[-*a-z ]*"))
    kinds |= dict.fromkeys(_VALUES.split(), Kind("win, loss, draw, none", r"win|loss|draw|none"))
    kinds |= {name: Kind(", ".join(words), "|".join(words)) for name, words in _WORDS.items()}
    kinds |= dict.fromkeys(_COUNTS.split(), Kind("letters with numbers, as in q:1 r:2", r"([a-z*]:[0-9]{1,5}(\s+|$))+"))
    kinds["promotedPieceType"] = Kind("letters and what they become, as in p:g s:g", r"-|([a-z]:[a-z-](\s+|$))+")
    return kinds | dict.fromkeys(_FREE.split(), Kind("text", r".+"))


OPTIONS: Final = _kinds()


@dataclass(frozen=True)
class Description:
    """A description that was looked through: its games, the last of which is meant, and where lines stand."""

    sections: tuple[str, ...]
    lines: dict[tuple[str, str], int]
    """The number of the line of an option, by game and option."""
    values: dict[tuple[str, str], str]

    def check_letters(self, source: str, start_of: Callable[[str], str]) -> None:
        """Raises BadSetup for a piece that nobody has. `start_of` tells the first position of a game."""
        pieces = {*_PIECES.split(), *_CUSTOM}
        told = {value[0] for (_, key), value in self.values.items() if key in pieces}
        for (section, key), value in self.values.items():
            if key not in _LETTERS.split():
                continue
            known = {*_USUAL_LETTERS, *told, *start_of(section).partition(" ")[0].lower()}
            if unknown := next((letter for letter in value if letter.isalpha() and letter not in known), ""):
                letters = ", ".join(sorted(filter(str.isalpha, known)))
                where = f"{source}, line {self.lines[section, key]}"
                raise BadSetup(
                    f"{where}: no piece has the letter {quote(unknown)} of {key}; allowed: {letters}, * or -"
                )


def check_description(text: str, source: str, known: Callable[[], list[str]]) -> Description:
    """Raises BadSetup that names the line and what is allowed there. `known` are the variants to build on."""
    sections: list[str] = []
    lines: dict[tuple[str, str], int] = {}
    values: dict[tuple[str, str], str] = {}
    for number, line in _told(text):
        where = f"{source}, line {number}"
        if line.startswith("["):
            name = _read_section(line, where, [*known(), *sections])
            if name in sections:
                raise BadSetup(f"{where}: {quote(name)} was described above already; allowed: another name")
            sections.append(name)
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not sections:
            expected = (
                "an option, as in maxRank = 8" if sections else "a line [name] or [name:variant] before any option"
            )
            raise BadSetup(f"{where}: {quote(line)} is no option; expected {expected}")
        _check_option(key, value, where)
        place = sections[-1], key
        if place in lines:
            raise BadSetup(f"{where}: {key} of {sections[-1]} stands on line {lines[place]} already; allowed: once")
        lines[place], values[place] = number, value
    if not sections:
        raise BadSetup(
            f"{source}: no game in it; a description begins with [name] or [name:variant], as in [mine:chess]"
        )
    return Description(tuple(sections), lines, values)


def _told(text: str) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers."""
    for number, line in enumerate(text.splitlines(), start=1):
        if (plain := line.strip()) and not plain.startswith(("#", ";")):
            yield number, plain


def _read_section(line: str, where: str, known: list[str]) -> str:
    found = _SECTION.fullmatch(line)
    if found is None:
        raise BadSetup(f"{where}: {quote(line)} names no game; allowed: [name] or [name:variant]")
    if found[2] is not None and found[2] not in known:
        raise BadSetup(f"{where}: there is no variant {quote(found[2])} to build on; {alternatives(found[2], known)}")
    return found[1]


def _check_option(key: str, value: str, where: str) -> None:
    if key not in OPTIONS:
        raise BadSetup(f"{where}: {quote(key)} is no option of a variant; {alternatives(key, OPTIONS)}")
    kind = OPTIONS[key]
    if re.fullmatch(kind.pattern, value, re.ASCII) is None:
        raise BadSetup(f"{where}: {quote(value)} is not allowed for {key}; allowed: {kind.allowed}")
