"""The letters and drawings that come with the page: everything that it may show in Japanese is among them."""

import re
from pathlib import Path

import numpy as np
import pytest
from fontTools.ttLib import TTFont

from hitonami.core import Setup, open_game
from hitonami.customs import customs_of, games_offered
from hitonami.web.app import _CODES

WEB = Path(__file__).parents[3] / "web"
SERVER = Path(__file__).parents[3] / "src" / "hitonami" / "web"


def _letters(weight: int) -> set[str]:
    with TTFont(WEB / "public" / "fonts" / f"japanese-{weight}.woff2") as font:
        return {chr(point) for point in font.getBestCmap()}


def _japanese(text: str) -> set[str]:
    """Letters of Japanese writing and its punctuation; signs like arrows are in every font."""
    return {letter for letter in text if "\u3000" <= letter <= "\u9fff" or "\uff00" <= letter <= "\uffef"}


def _shogi_notation(games: int, plies: int) -> str:
    """Moves of random games, as the page lists them."""
    rules, rng, names = open_game("shogi"), np.random.default_rng(1), []
    for _ in range(games):
        position = rules.start(Setup())
        while position.ending is None and position.ply < plies:
            move = int(rng.choice(position.legal))
            names.append(rules.describe(position, move))
            position = position.play(move)
    return "".join(names)


def _told_by(game: str) -> str:
    """What a game has in Japanese of its own, and what stands on its board at the start."""
    customs, rules = customs_of(game), open_game(game)
    named = [each.japanese for each in customs.openings] + [each.japanese for each in customs.handicaps]
    pieces = [cell.glyph for row in rules.diagram(rules.start()).rows for cell in row]
    return "".join([*named, *customs.japanese.values(), *pieces])


@pytest.mark.parametrize("weight", [400, 700])
def test_every_japanese_letter_of_the_page_is_in_the_font_that_comes_with_it(weight: int) -> None:
    texts = [path.read_text("utf-8") for pattern in ("*.ts", "*.tsx") for path in sorted((WEB / "src").rglob(pattern))]
    told = "".join(map(_told_by, games_offered()))
    needed = _japanese("".join(texts) + told + _shogi_notation(games=3, plies=200))
    assert len(needed) > 300
    missing = "".join(sorted(needed - _letters(weight)))
    assert missing == "", "run web/make_fonts.py"


def test_marks_of_the_sides_are_in_the_font() -> None:
    assert set("▲△") <= _letters(400)


def test_the_letters_are_light() -> None:
    """Both weights together are less than the page's script; a whole Japanese font has a megabyte a weight."""
    assert sum(path.stat().st_size for path in (WEB / "public" / "fonts").glob("*.woff2")) < 200_000


def test_every_shogi_piece_and_rank_is_drawn() -> None:
    drawn = dict(re.findall(r'"(.)": "(M[^"]+Z)"', (WEB / "src/boards/shogi_drawings.ts").read_text("utf-8")))
    assert set(drawn) == set("玉王飛角金銀桂香歩龍馬全圭杏と象一二三四五六七八九KRBGSNLPE")
    assert len(set(drawn.values())) == len(drawn)


def test_every_refusal_has_its_sentence_in_both_languages() -> None:
    """A code without one would be told in English on a Japanese page."""
    sources = [path.read_text("utf-8") for path in sorted(SERVER.rglob("*.py"))]
    call = re.compile(r"""(?:Refusal|TooMany|answer_refusal)\(\s*(?:\d+,\s*)?"([a-z-]+)\"""")
    codes = {code for source in sources for code in call.findall(source)}
    codes |= set(_CODES.values()) | {"too-much", "too-long", "bad-request", "bad-move", "ambiguous-move"}
    assert {"too-many", "many-games", "many-tokens", "no-token", "wrong-token", "unreadable"} <= codes
    words = (WEB / "src" / "words.ts").read_text("utf-8")
    assert {code: words.count(f'"refused {code}": ') for code in sorted(codes)} == dict.fromkeys(sorted(codes), 2)
