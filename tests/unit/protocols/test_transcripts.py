"""Golden transcripts: what a GUI sends (`>`) and every line that must come back (`<`), in order.

`# mind NAME` at the top names the mind, `# game NAME` the game of a protocol that has several, and `{version}` is the
package's version; other lines that start with `#` are for the reader.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitonami import __version__

_GOLDEN = Path(__file__).parents[2] / "golden" / "protocols"


@pytest.mark.parametrize("path", sorted(_GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_session_answers_as_written(path: Path, talk: Callable[..., Any]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    mind = next((line.removeprefix("# mind ") for line in lines if line.startswith("# mind ")), "uniform")
    game = dict(line[2:].split() for line in lines if line.startswith("# game "))
    there = talk(path.stem.partition("_")[0], mind=mind, **game)
    for number, line in enumerate(lines, 1):
        if line.startswith(">"):
            there.send(line[2:])
        elif line.startswith("<"):
            assert there.hear() == line[2:].replace("{version}", __version__), f"{path.name}, line {number}"
    there.session.close()
    assert there.rest() == []
