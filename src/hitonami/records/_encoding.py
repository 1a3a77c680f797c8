"""Bytes of a game record into text, whatever charset it was saved in.

Records name their charset rarely and wrongly often, so a name is believed only where the bytes fit it.
UTF-8 is tried first: other charsets almost never make valid UTF-8. What is left is told apart by the
words that game records are made of, which needs no statistics of whole languages. Never raises: bytes
that fit nothing become Latin-1, the default of the SGF standard.
"""

import codecs
import re
from typing import Final

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CANDIDATES: Final = ("cp932", "euc_jp", "gb18030", "big5", "euc_kr")
# Python calls these encodings; as the charset of a file they would run escapes or always fail.
_NOT_CHARSETS: Final = frozenset(
    {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"}
)
_WORDS: Final = frozenset(
    "歩香桂銀金角飛玉王龍竜馬成打同手先後下上合割平落戦棋持時間消費分秒終局勝投了盤面駒一二三四五六七八九十段級名人"
    "年月日開始日場所備考表題戦型変化詰負反則千日将黒白目中押围棋级黑胜负认输业余赛让子贴杯"
)
_SAMPLE_BYTES: Final = 8192
_FOREIGN_BYTES: Final = re.compile(rb"[\x80-\xff]+")


def decode(data: bytes, declared: str = "") -> str:
    """The text; `declared` is the charset that the record itself names, if any."""
    return data.decode(find_charset(data, declared), "replace")


def find_charset(data: bytes, declared: str = "") -> str:
    """Python's name of the charset that the bytes are most likely in."""
    for bom, charset in _BOMS:
        if data.startswith(bom):
            return charset
    if b"\x1b$" in data:
        return "iso2022_jp"
    if data.isascii():
        return "ascii"
    named = _known(declared)
    for charset in ("utf-8", named) if named else ("utf-8",):
        try:
            data.decode(charset)
        except (UnicodeError, ValueError):
            continue
        return charset
    return _likeliest(data, named)


def _known(name: str) -> str:
    """Python's name of a charset, "" for a name that is none. EUC-JP files call themselves Shift_JIS and
    the reverse, which strict decoding then finds out."""
    try:
        charset = codecs.lookup(name.strip()).name if name.strip() else ""
    except (LookupError, ValueError):
        return ""
    if charset.replace("_", "-") in _NOT_CHARSETS or not _is_text_codec(charset):
        return ""
    return "gb18030" if charset in ("gb2312", "gbk") else "cp932" if charset == "shift_jis" else charset


def _is_text_codec(charset: str) -> bool:
    try:
        return isinstance(b"a".decode(charset), str)
    except (LookupError, UnicodeError, ValueError):
        return charset.startswith("utf")  # one byte is not enough for UTF-16 and UTF-32


def _likeliest(data: bytes, named: str) -> str:
    sample = _sample(data)
    if not named and all(len(run) == 1 for run in _FOREIGN_BYTES.findall(sample)):
        return "latin-1"  # single letters with accents among ASCII
    if _share_of_utf8(sample) > 0.5:
        return "utf-8"  # with a few bytes lost on the way, as names that went through a second charset have
    scores = {charset: _plausibility(sample, charset) for charset in _CANDIDATES}
    if named:
        scores[named] = _plausibility(sample, named) + 0.1
    best = max(scores, key=lambda charset: scores[charset])
    return best if scores[best] > 0 else "latin-1"


def _share_of_utf8(sample: bytes) -> float:
    """How many of the bytes beyond ASCII are part of whole UTF-8 characters; in other charsets few are, by chance."""
    foreign = sum(map(len, _FOREIGN_BYTES.findall(sample)))
    whole = sum(map(len, _FOREIGN_BYTES.findall(sample.decode("utf-8", "ignore").encode())))
    return whole / max(1, foreign)


def _sample(data: bytes) -> bytes:
    """The lines that hold anything but ASCII, as many as tell a charset."""
    held: list[bytes] = []
    size = 0
    for line in data.split(b"\n"):
        if not line.isascii():
            held.append(line[:_SAMPLE_BYTES])
            size += len(line)
            if size > _SAMPLE_BYTES:
                break
    return b"\n".join(held)


def _plausibility(sample: bytes, charset: str) -> float:
    """Share of characters that records are made of, less what a wrong charset leaves behind.

    Half-width katakana and private characters are what EUC and GB text turns into as Shift_JIS; broken
    bytes are what most wrong guesses come to.
    """
    foreign = [letter for letter in sample.decode(charset, "replace") if letter > "\x7f"]
    if not foreign:
        return 0.0
    points = 0.0
    for letter in foreign:
        if letter in _WORDS:
            points += 2
        elif letter == "\ufffd" or "\ue000" <= letter <= "\uf8ff":
            points -= 4
        elif "\uff61" <= letter <= "\uff9f":
            points -= 1
        elif "\u3040" <= letter <= "\u30ff" or "\u4e00" <= letter <= "\u9fff" or "\uff00" <= letter <= "\uff60":
            points += 0.5
    return points / len(foreign)
