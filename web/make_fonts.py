"""Make the Japanese letters and the shogi drawings of the page, from two fonts under the SIL Open Font License.

    python web/make_fonts.py [FOLDER]

fetches the fonts with npm into FOLDER (a temporary one where none is named; packages that are there already are used),
and writes `public/fonts` and `src/boards/shogi_drawings.ts`. Run it after words were added in Japanese: a test names
the letters that are missing. It needs fontTools and brotli.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

VERSION = "5.3.0"
HERE = Path(__file__).parent
SOURCES = ("web/src/**/*.ts", "web/src/**/*.tsx", "src/hitonami/web/**/*.py", "src/hitonami/games/*.py")
KANA = "".join(map(chr, [*range(0x3041, 0x3097), *range(0x30A1, 0x30FD), *range(0xFF10, 0xFF1A)]))
PUNCTUATION = "、。・「」『』〜ー（）／：？！％＋－…▲△☗☖"
PIECES = "玉王飛角金銀桂香歩龍馬全圭杏と"
RANKS = "一二三四五六七八九"
LETTERS = "KRBGSNLP"
DRAWN_UNITS = 250
"""The side of the square that a letter is drawn in."""


def fetch(name: str, weight: int, script: str, folder: Path) -> TTFont:
    """One file of a font's npm package; its licence goes beside what is made of it."""
    archive = folder / f"fontsource-{name}-{VERSION}.tgz"
    if not archive.exists():
        command = ["npm", "pack", f"@fontsource/{name}@{VERSION}", "--pack-destination", str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(archive) as held:
        for member in (f"files/{name}-{script}-{weight}-normal.woff2", "LICENSE"):
            held.extract(f"package/{member}", folder / name, filter="data")
    return TTFont(folder / name / "package" / "files" / f"{name}-{script}-{weight}-normal.woff2", recalcTimestamp=False)


def needed_letters() -> set[str]:
    """What the page and the server may show beyond Latin."""
    texts = (path.read_text("utf-8") for pattern in SOURCES for path in HERE.parent.glob(pattern))
    return {letter for text in texts for letter in text if ord(letter) >= 0x2010} | set(KANA + PUNCTUATION)


def write_letters(folder: Path, out: Path) -> None:
    for weight in (400, 700):
        font = fetch("noto-sans-jp", weight, "japanese", folder)
        options = subset.Options(
            flavor="woff2", layout_features=[], hinting=False, desubroutinize=True, notdef_outline=True
        )
        chosen = subset.Subsetter(options)
        chosen.populate(text="".join(needed_letters()))
        chosen.subset(font)
        subset.save_font(font, str(out / f"japanese-{weight}.woff2"), options)
    (out / "OFL.txt").write_bytes((folder / "noto-sans-jp" / "package" / "LICENSE").read_bytes())


def draw(font: TTFont, letter: str) -> str:
    """A letter as the path of an SVG, in a square of DRAWN_UNITS around the origin."""
    glyphs, scale = font.getGlyphSet(), DRAWN_UNITS / font["head"].unitsPerEm
    glyph = glyphs[font.getBestCmap()[ord(letter)]]
    pen = SVGPathPen(glyphs, ntos=lambda value: f"{value:.0f}")
    middle = font["head"].unitsPerEm * (0.36 if letter.isascii() else 0.38)
    glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, -scale * glyph.width / 2, scale * middle)))
    commands: str = pen.getCommands()
    return commands


def write_drawings(folder: Path, out: Path) -> None:
    kanji, latin = fetch("noto-serif-jp", 800, "japanese", folder), fetch("noto-sans-jp", 700, "latin", folder)
    drawn = {letter: draw(kanji, letter) for letter in PIECES + RANKS} | {each: draw(latin, each) for each in LETTERS}
    lines = [f"  {json.dumps(letter, ensure_ascii=False)}: {json.dumps(path)}," for letter, path in drawn.items()]
    about = "Made by make_fonts.py from Noto Serif JP and Noto Sans JP (SIL Open Font License 1.1; see NOTICE)."
    text = f"/** {about} Each letter in a square of {DRAWN_UNITS} around the origin. */\n"
    out.write_text(f"{text}export const DRAWINGS: Record<string, string> = {{\n" + "\n".join(lines) + "\n};\n", "utf-8")


def main(folder: Path) -> None:
    out = HERE / "public" / "fonts"
    out.mkdir(parents=True, exist_ok=True)
    write_letters(folder, out)
    write_drawings(folder, HERE / "src" / "boards" / "shogi_drawings.ts")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
