"""A blind set as a page for the expert, and the expert's verdicts in words and as figures. Computes nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

from hitonami.judging.blind import Hidden, Scored
from hitonami.judging.blind_run import moves_in_words
from hitonami.report.page import page, section, table
from hitonami.report.text import aligned, percent_text, titled


def set_page(games: Sequence[Hidden]) -> str:
    """What the expert reads: ids and moves by level, and where to write. Nothing of who played."""
    levels = dict.fromkeys(each.level for each in games)
    lead = (
        "Each game is between two of a kind: two people, or one program against itself. Write person or program for "
        "each id into sheet.csv. All games are cut after the same number of moves; as files they "
        "lie beside this page."
    )
    return page(
        "Person or program?",
        lead,
        *(
            section(
                f"Level {level:g}",
                table(
                    ["id", "moves"], [[each.id, moves_in_words(each.record)] for each in games if each.level == level]
                ),
            )
            for level in levels
        ),
    )


def as_lines(found: Scored) -> Iterator[str]:
    rows = [
        [
            "all levels" if each.level is None else f"{each.level:g}",
            f"{each.n}",
            each.kind,
            percent_text(each.called_person),
            f"{each.p_value:.3f}",
        ]
        for each in found.rows
    ]
    yield from aligned([["level", "games", "kind", "called a person", "p against coin tossing"], *rows])
    told = [
        [
            " and ".join(each.kinds),
            f"{each.chi_square:.2f}",
            f"{each.p_value:.4f}",
            "" if each.exact is None else f"{each.exact:.4f}",
        ]
        for each in found.apart
    ]
    yield from titled("told apart?", [["kinds", "χ²", "p", "p by Fisher"], *told])
    yield ""
    left = f"; {found.left_out} games have no verdict" if found.left_out else ""
    yield f"right in {percent_text(found.right)}{left}"


def as_json(found: Scored) -> dict[str, Any]:
    """The documented JSON (docs/likeness.md)."""
    return {
        "kinds": [
            {
                "level": each.level,
                "kind": each.kind,
                "n": each.n,
                "called_person": vars(each.called_person),
                "p": each.p_value,
            }
            for each in found.rows
        ],
        "apart": [
            {"kinds": list(each.kinds), "chi_square": each.chi_square, "p": each.p_value, "exact_p": each.exact}
            for each in found.apart
        ],
        "right": vars(found.right),
        "left_out": found.left_out,
    }
