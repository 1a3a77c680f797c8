"""`hitonami games`: every game that can be played here, its boards, its protocol and who plays it."""

from collections.abc import Iterator
from typing import Any, Literal

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting


@click.command("games", cls=Reporting)
def command() -> None:
    """List the games: name, boards, engine protocol, who plays it. Names after a colon go to the part before it."""
    from hitonami.customs import games_offered
    from hitonami.parts import find_parts, load_part

    offered = games_offered()
    rows = [_row(name) for name in offered]
    named = {part: load_part("games", part) for part in find_parts("games")}
    more = {
        part: [name for name in kind.names() if f"{part}:{name}" not in offered]
        for part, kind in named.items()
        if hasattr(kind, "names")
    }
    tell(_lines(rows, more), lambda: {"games": rows, "more": more})


def _row(name: str) -> dict[str, Any]:
    from hitonami.customs import customs_of, title_of
    from hitonami.minds import known_engine
    from hitonami.models.shipped import shipped_models

    customs = customs_of(name)
    heads: tuple[Literal["human", "expert"], ...] = ("human", "expert")
    players: list[str] = [head for head in heads if name in shipped_models(head)]
    engine = known_engine(name)
    return {
        "name": name,
        "title": title_of(name),
        "boards": list(customs.sizes),
        "protocol": customs.protocol,
        "players": (players or ["playout"]) + ([engine] if engine else []),
    }


def _lines(rows: list[dict[str, Any]], more: dict[str, list[str]]) -> Iterator[str]:
    wide = max(len(row["name"]) for row in rows)
    for row in rows:
        boards = "/".join(str(size) for size in row["boards"]) or "one board"
        yield f"{row['name']:<{wide}}  {boards:<14} {row['protocol']:<6} {', '.join(row['players'])}"
    for part, names in more.items():
        yield f"{part}:…{' ' * max(wide - len(part) - 2, 0)}  {', '.join(names)}"
