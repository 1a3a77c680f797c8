"""Charsets told by the bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.records._encoding import decode

KIF = "開始日時：2026/11/15\n手合割：平手\n先手：青\n後手：赤\n   1 ７六歩(77)\n"
SGF = "(;GM[1]PB[黑方]BR[9段]PW[白方]WR[业余3段]RE[黑中盘胜])"


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc_jp", "iso2022_jp"])
def test_japanese(charset: str) -> None:
    assert decode(KIF.encode(charset)) == KIF


@pytest.mark.parametrize("charset", ["utf-8", "gb18030"])
def test_chinese(charset: str) -> None:
    assert decode(SGF.encode(charset)) == SGF


def test_single_accents_are_latin() -> None:
    assert decode("PB[Søren]PW[José]".encode("latin-1")) == "PB[Søren]PW[José]"


def test_a_name_of_a_charset_is_believed_where_it_fits() -> None:
    assert decode("PB[김]PW[이]".encode("euc_kr"), "EUC-KR") == "PB[김]PW[이]"
    assert decode("PB[青]".encode(), "Shift_JIS") == "PB[青]"
    for nonsense in ("punycode", "unicode-escape", "rot13", "hex", "no such charset", "\x00", "idna"):
        assert decode(KIF.encode("cp932"), nonsense) == KIF


def test_lost_bytes_leave_the_rest_readable() -> None:
    broken = SGF.encode().replace("方".encode(), "方".encode()[:2], 1)
    assert "BR[9段]" in decode(broken)
    assert decode(broken).count("]") == SGF.count("]")


@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_bytes_are_text(data: bytes, declared: str) -> None:
    assert isinstance(decode(data, declared), str)
