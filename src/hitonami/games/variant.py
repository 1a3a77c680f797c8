"""A game by its description: `variant:FILE`, options as Fairy-Stockfish reads them, or one of its own variants.

    [mine:chess]
    startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    flagPiece = k
    flagRegion = d4 e4 d5 e5

So a designer tries new rules of chess, shogi or xiangqi without code. Every line is checked first: a mistake says which
line it is on and what is allowed there. Where a file describes several games, the last one is meant; it may build on
those before it. The options: docs/games.md.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hitonami.core import Setup
from hitonami.customs import Customs, KnownEngine
from hitonami.errors import BadSetup, UnknownPart, alternatives, quote
from hitonami.fairy import FairyRules
from hitonami.games._fairy import FairyGame, FairyPosition, load_library
from hitonami.games._fairy_options import check_description

_OFFERED: Final = {"makruk": "Makruk", "minishogi": "Minishogi"}
_JAPANESE: Final = {"makruk": "マークルック", "minishogi": "5五将棋"}
_MIDDLES: Final = {"makruk": ("ooo", "...", "...")}
_ENGINE: Final = KnownEngine("fairy-stockfish", "fairy-stockfish", "fairy:fairy-stockfish", {"nodes": 20_000})
_LARGEST_BYTES: Final = 1 << 16
_PLACE: Final = 150


class Variant(FairyGame):
    """One variant. Raises UnknownPart for neither a file nor a variant, BadSetup for a bad description."""

    offered = tuple(_OFFERED) if find_spec("pyffish") is not None else ()
    examples: Sequence[Setup] = (Setup(),)

    def __init__(self, source: str) -> None:
        self.source: Final = source
        self.name: str = f"variant:{source}"
        title = _OFFERED.get(source) or Path(source).stem.replace("-", " ").replace("_", " ").capitalize()
        japanese = {title: _JAPANESE[source]} if source in _JAPANESE else {}
        self.customs: Final = Customs(
            title=title,
            place=_PLACE,
            middle=_MIDDLES.get(source, ()),
            most_plies=400,
            draws_offered=True,
            japanese=japanese,
            engine=_ENGINE if source in _OFFERED else None,  # of others nobody knows before the program is asked
        )
        if source not in _OFFERED:
            assert self.variant is not None  # a name that is not known to be right is tried at once

    @property
    def variant(self) -> str:  # type: ignore[override]
        return self.rules.variant

    def fairy_rules(self, position: FairyPosition) -> FairyRules:
        return self.rules

    @cached_property
    def rules(self) -> FairyRules:
        """What the library knows it by; loaded at its first use."""
        library = load_library()
        if self.source in library.variants():
            return FairyRules(self.source)
        path = Path(self.source).expanduser()
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST_BYTES:
                raise UnknownPart(
                    f"{quote(self.source)} is neither a file of a variant nor a known one; "
                    f"{alternatives(self.source, library.variants())}"
                )
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as wrong:
            if isinstance(wrong, UnknownPart):
                raise
            raise UnknownPart(f"{quote(self.source)} cannot be read: {wrong}") from None
        return load_description(text, str(path))

    @staticmethod
    def names() -> list[str]:
        """Every name that may follow the colon beside files; none where the library is not installed."""
        return sorted(load_library().variants()) if find_spec("pyffish") is not None else []


def load_description(text: str, source: str) -> FairyRules:
    """Give a description to the library, under names that no other description has. Returns the last game's."""
    library = load_library()
    found = check_description(text, source, library.variants)
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    own = {name: f"{name}-{mark}" for name in found.sections}

    def rename(line: re.Match[str]) -> str:
        base = line[2] and own.get(line[2], line[2])
        return f"[{own[line[1]]}{f':{base}' if base else ''}]"

    renamed = re.sub(r"(?m)^\s*\[([^\]:]+)(?::([^\]]+))?\]\s*$", rename, text) + "\n"
    library.load_variant_config(renamed)
    name = own[found.sections[-1]]
    if name not in library.variants():
        raise BadSetup(f"{source}: Fairy-Stockfish does not take the description of {quote(found.sections[-1])}")
    found.check_letters(source, lambda section: library.start_fen(own[section]))
    fen = library.start_fen(name)
    if library.validate_fen(fen, name) != library.FEN_OK or not library.legal_moves(name, fen, []):
        number = found.lines.get((found.sections[-1], "startFen"))
        where = f"{source}, line {number}" if number else source
        raise BadSetup(
            f"{where}: {quote(fen)} is no start of this game; allowed: rows of its pieces' letters and numbers joined "
            "by /, as many and as long as maxRank and maxFile say, then w or b, and a side to move that has a move"
        )
    return FairyRules(name, renamed)
