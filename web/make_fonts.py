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

from fontTools import merge, subset
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

VERSION = "5.3.0"
HERE = Path(__file__).parent
SOURCES = ("web/src/**/*.ts", "web/src/**/*.tsx", "src/hitonami/web/**/*.py", "src/hitonami/games/**/*.py")
KANA = "".join(map(chr, [*range(0x3041, 0x3097), *range(0x30A1, 0x30FD), *range(0xFF10, 0xFF1A)]))
SIGNS = "、。・「」『』〜ー（）／：？！％＋－…▲△☗☖"
PIECES = "玉王飛角金銀桂香歩龍馬全圭杏と象"
RANKS = "一二三四五六七八九"
LETTERS = "KRBGSNLPE"
MADE_AT = 3_860_000_000
"""What the files say of when they were made, in seconds from 1904: always the same, so that they are, too."""
DRAWN_UNITS = 250
"""The side of the square that a letter is drawn in."""


def unpack(name: str, folder: Path) -> Path:
    """The folder of a font's npm package."""
    archive, place = folder / f"fontsource-{name}-{VERSION}.tgz", folder / name / "package"
    if not archive.exists():
        command = ["npm", "pack", f"@fontsource/{name}@{VERSION}", "--pack-destination", str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if not (place / "unicode.json").exists():
        with tarfile.open(archive) as held:
            held.extractall(folder / name, filter="data")
    return place


def open_font(place: Path, part: str, weight: int) -> TTFont:
    return TTFont(place / "files" / f"{place.parent.name}-{part}-{weight}-normal.woff2", recalcTimestamp=False)


def needed_letters() -> set[str]:
    """What the page and the server may show beyond Latin."""
    texts = (path.read_text("utf-8") for pattern in SOURCES for path in HERE.parent.glob(pattern))
    return {letter for text in texts for letter in text if ord(letter) >= 0x2010} | set(KANA + SIGNS)


def write_letters(folder: Path, out: Path) -> None:
    """One file a weight, of the parts that the package comes in: one large one, and small ones with the rest."""
    place, options = unpack("noto-sans-jp", folder), subset.Options(layout_features=[], hinting=False)
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE"]
    parts = ["japanese", *(name.strip("[]") for name in json.loads((place / "unicode.json").read_text()))]
    for weight in (400, 700):
        missing = needed_letters()
        chosen: list[Path] = []
        for part in dict.fromkeys(parts):
            font = open_font(place, part, weight)
            if found := missing & set(map(chr, font.getBestCmap())):
                cutter = subset.Subsetter(options)
                cutter.populate(text="".join(found))
                cutter.subset(font)
                chosen.append(folder / f"{len(chosen)}.ttf")
                font.flavor = None
                font.save(chosen[-1])
                missing -= found
        merged = merge.Merger().merge(list(map(str, chosen)))
        merged.flavor, merged.recalcTimestamp = "woff2", False
        merged["head"].created = merged["head"].modified = MADE_AT
        merged.save(out / f"japanese-{weight}.woff2")
    (out / "OFL.txt").write_bytes((place / "LICENSE").read_bytes())


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
    kanji = open_font(unpack("noto-serif-jp", folder), "japanese", 800)
    latin = open_font(unpack("noto-sans-jp", folder), "latin", 700)
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
