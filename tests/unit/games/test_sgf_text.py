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
    Node,
    escape,
    flatten,
    read_main_line,
    split_compose,
    split_games,
    unescape,
    write_node,
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


@pytest.mark.parametrize("text", TRICKY)
def test_sgfmill_reads_the_same(need_module: Callable[[str], ModuleType], text: str) -> None:
    need_module("sgfmill")
    from sgfmill import sgf, sgf_grammar

    games = [sgf.Sgf_game.from_coarse_game_tree(each) for each in sgf_grammar.parse_sgf_collection(text.encode())]
    ours = [read_main_line(game) for _, game in split_games(text)]
    assert [list(map(plain, line)) for line in ours] == [list(map(theirs, game.get_main_sequence())) for game in games]
    assert read_main_line(text) == ours[0]


def plain(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    return sorted((name, tuple(values)) for name, values in node.items())


def theirs(node: Any) -> list[tuple[str, tuple[str, ...]]]:
    return sorted((name, tuple(raw.decode() for raw in node.get_raw_list(name))) for name in node.properties())


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
Tree = tuple[list[Node], list["Tree"]]
LINES = st.lists(NODES, min_size=1, max_size=3)
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.tuples(LINES, st.just([])),
    lambda trees: st.tuples(LINES, st.lists(trees, min_size=2, max_size=3)),
    max_leaves=6,
)


def write_tree(tree: Tree) -> str:
    nodes, children = tree
    return f"({''.join(map(write_node, nodes))}{''.join(map(write_tree, children))})"


@given(trees=st.lists(TREES, min_size=1, max_size=3))
def test_main_lines_are_read_as_they_were_written(trees: list[Tree]) -> None:
    texts = [write_tree(tree) for tree in trees]
    assert [text for _, text in split_games("".join(texts))] == texts
    nodes, children = trees[0]
    main = list(nodes)
    while children:
        nodes, children = children[0]
        main += nodes
    assert read_main_line("".join(texts)) == main


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


@pytest.mark.parametrize(
    "text", ["", "no game", "(;B[aa]", "(;B)", "(;B[aa", "(;[aa])", "(;b1[aa])", "(;B[aa]x)", "(;(B[aa]))"]
)
def test_broken_text_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        read_main_line(text)
    with pytest.raises(BadInput):
        Go().read(text or "(")


@pytest.mark.parametrize("text", ["(;B[aa]())", "(;B[aa]))", "(;B[aa](;W[bb]);B[cc])", "(;B[aa])x(;B[bb])"])
def test_of_a_broken_tree_the_main_line_is_read(text: str) -> None:
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
        read_main_line(text)
    with suppress(BadInput):
        position = Go().read(text)
        assert Go().read(Go().write(position)).key == position.key
    list(split_games(text))
