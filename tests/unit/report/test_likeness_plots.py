"""Plots of likeness say in words what they show: counts of a Venn diagram, percent on logarithmic axes."""

import re

from hitonami.evaluate.likeness import MoveBin
from hitonami.report.likeness_plots import move_calibration, scatter, venn


def texts(svg: str) -> list[str]:
    return re.findall(r">([^<>\n]+)</text>", svg)


def test_every_region_of_a_venn_diagram_has_its_count() -> None:
    counts = {frozenset(): 57, frozenset("a"): 3, frozenset("b"): 4, frozenset("ab"): 1234}
    told = texts(venn("All", ["a", "b"], counts))
    assert {"a", "b", "57", "3", "4", "1,234"} <= set(told)
    three = {frozenset(each): at + 10 for at, each in enumerate(["", "a", "b", "c", "ab", "ac", "bc", "abc"])}
    assert {str(count) for count in three.values()} <= set(texts(venn("All", ["a", "b", "c"], three)))
    assert venn("All", list("abcd"), {}) == "", "four circles do not have all regions"


def test_small_probabilities_are_told_in_percent() -> None:
    bins = [MoveBin(0.001, 0.01, 50, 0.004, 0.005), MoveBin(0.5, 0.6, 20, 0.55, 0.5)]
    told = texts(move_calibration("All", [("human", bins)]))
    assert told.count("0.1%") == 2
    assert told.count("10%") == 2
    assert "human" in told


def test_a_scatter_of_nothing_is_drawn() -> None:
    assert "<svg" in scatter("None", [], "x", "y")
