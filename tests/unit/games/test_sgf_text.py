"""SGF as text: what the standard says of escapes, charsets and trees, and what sgfmill makes of the same."""

from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.errors import BadInput, BadRecord
from hitonami.games.go import Go
from hitonami.games.go_rules.sgf_tree import (
    Tree,
    decode,
    escape,
    flatten,
    read_main_line,
    read_trees,
    split_compose,
    split_games,
    unescape,
    write_trees,
)

TRICKY = [
    "(;)",
    "(;B[])",
    "(;C[a \\] b \\\\] B[aa])",
    "(;C[line\nbreak\r\nand\\\nsoft])",
    "(;AB[aa][bb]\n[cc] [dd];W[ee])",
    "(;C[(;B[aa\\])])",
    "(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[ff]))",
    "(;FF[4];B[aa];W[bb]C[x];B[cc];W[])",
    "(;B[aa];W[bb];B[cc][dd])",
    "  (\n;\tSZ [9] ; B [aa] \n)\n",
    "(;C[co\\:lon]LB[aa:\\]\\:])",
    "(;GN[ΑΒΓ 囲碁])",
    "(;B[aa])(;W[bb])",
]


def plain(tree: Any) -> tuple[object, ...]:
    """Our tree and sgfmill's as the same nested tuples. sgfmill keeps one node a tree; so does this."""
    if isinstance(tree, Tree):
        inner: list[Any] = [plain(child) for child in tree.children]
        for node in reversed(tree.nodes):
            inner = [(sorted((name, tuple(values)) for name, values in node.items()), inner)]
        return tuple(inner[0])
    names = [(name, tuple(raw.decode() for raw in tree.get_raw_list(name))) for name in tree.properties()]
    return (sorted(names), [plain(child) for child in tree])


@pytest.mark.parametrize("text", TRICKY)
def test_sgfmill_reads_the_same(need_module: Callable[[str], ModuleType], text: str) -> None:
    need_module("sgfmill")
    from sgfmill import sgf, sgf_grammar

    ours = [plain(tree) for tree in read_trees(text)]
    games = [sgf.Sgf_game.from_coarse_game_tree(each) for each in sgf_grammar.parse_sgf_collection(text.encode())]
    assert ours == [plain(game.get_root()) for game in games]
    main = [sorted((name, tuple(values)) for name, values in node.items()) for node in read_main_line(text)]
    assert main == [plain(node)[0] for node in games[0].get_main_sequence()]


@pytest.mark.parametrize("text", TRICKY[2:5] + TRICKY[10:11])
def test_sgfmill_reads_the_same_values(need_module: Callable[[str], ModuleType], text: str) -> None:
    need_module("sgfmill")
    from sgfmill import sgf_grammar

    for node in read_main_line(text):
        for values in node.values():
            for value in values:
                assert unescape(value).encode() == sgf_grammar.text_value(value.encode())
                assert flatten(value).encode() == sgf_grammar.simpletext_value(value.encode()).strip()
                halves = split_compose(value)
                assert tuple(half and half.encode() for half in halves) == sgf_grammar.parse_compose(value.encode())


NODES = st.dictionaries(
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=2),
    st.lists(st.text(max_size=8).map(escape), min_size=1, max_size=3),
    max_size=3,
)
LEAVES = st.builds(Tree, st.lists(NODES, min_size=1, max_size=3), st.just([]))
TREES = st.recursive(
    LEAVES,
    lambda trees: st.builds(Tree, st.lists(NODES, min_size=1, max_size=3), st.lists(trees, min_size=2, max_size=3)),
    max_leaves=6,
)


@given(trees=st.lists(TREES, min_size=1, max_size=3))
def test_writing_and_reading_are_inverse(trees: list[Tree]) -> None:
    text = write_trees(trees)
    assert read_trees(text) == trees
    assert [write_trees(read_trees(game)) for _, game in split_games(text)] == [write_trees([tree]) for tree in trees]
    node, main = trees[0], list(trees[0].nodes)
    while node.children:
        node = node.children[0]
        main += node.nodes
    assert read_main_line(text) == main


@given(text=st.text(st.characters(exclude_characters="\r\t\v\f")))
def test_escaped_text_comes_back(text: str) -> None:
    assert unescape(escape(text)) == text
    assert split_compose(f"{escape(text)}:x") == (escape(text), "x")


def test_text_values_follow_the_standard() -> None:
    assert unescape("a\\\nb\\\r\nc\n\rd\te\\]\\\\") == "abc\nd e]\\"
    assert flatten(" a\nb ") == "a b"
    assert split_compose("aa:bb:cc") == ("aa", "bb:cc")
    assert split_compose("a\\:b") == ("a\\:b", None)


def test_old_files_spell_names_out() -> None:
    assert read_main_line("(;GaMe[1]SiZe[9];Black[aa])") == [{"GM": ["1"], "SZ": ["9"]}, {"B": ["aa"]}]


def test_deep_variations_need_no_deep_stack() -> None:
    text = "(;B[aa]" * 20_000 + ")" * 20_000
    assert len(read_main_line(text)) == 20_000
    assert write_trees(read_trees(text)) == text


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("(;CA[GB18030]PB[围棋])".encode("gb18030"), "围棋"),
        ("(;CA[Shift_JIS]PB[表ソ])".encode("shift_jis"), "表ソ"),  # both end in a backslash byte
        ("(;PB[囲碁])".encode(), "囲碁"),
        ("\ufeff(;PB[囲碁])".encode(), "囲碁"),
        ("(;PB[囲碁])".encode("utf-16"), "囲碁"),
        ("(;PB[Müller])".encode("latin-1"), "Müller"),
        ("(;CA[no-such]PB[é])".encode(), "é"),
        ("(;CA[base64]PB[é])".encode(), "é"),
        (b"(;CA[unicode_escape]PB[\\\\x41])", "\\x41"),
        (b"(;CA[utf-8]PB[\xff])", "�"),
    ],
)
def test_charsets(data: bytes, name: str) -> None:
    assert flatten(read_main_line(decode(data))[0]["PB"][0]) == name


@pytest.mark.parametrize(
    "text", ["", "no game", "(;B[aa]", "(;B)", "(;B[aa", "(;[aa])", "(;b1[aa])", "(;B[aa]x)", "(;(B[aa]))"]
)
def test_broken_text_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        read_trees(text)
    with pytest.raises(BadInput):
        Go().read(text or "(")


@pytest.mark.parametrize("text", ["(;B[aa]())", "(;B[aa]))", "(;B[aa](;W[bb]);B[cc])", "(;B[aa])x(;B[bb])"])
def test_a_broken_tree_is_refused_and_its_main_line_read(text: str) -> None:
    with pytest.raises(BadRecord):
        read_trees(text)
    assert read_main_line(text)[0] == {"B": ["aa"]}


SOUP_BITS = (
    *("(;", "(", ")", ";", "]", "[", "\\", "\n", "é", "AE[", "C[\\]]", "B[]", "B[aa]", "W[bb]", "AB[aa:cc]", "AW[aa]"),
    *("SZ[9]", "SZ[0]", "SZ[x]", "HA[2]", "HA[99]", "KM[6.5]", "KM[1e9]", "PL[W]", "RU[x]", "GM[2]", "CA[utf-16]"),
)
SOUP = st.lists(st.sampled_from(SOUP_BITS), max_size=25).map("".join)


@settings(max_examples=300)
@given(text=SOUP | st.text(max_size=30).map(lambda text: f"(;{text}"))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(BadRecord):
        read_trees(text)
    with suppress(BadInput):
        position = Go().read(text)
        assert Go().read(Go().write(position)).key == position.key
    list(split_games(text))
    decode(text.encode("utf-8", "surrogatepass"))
