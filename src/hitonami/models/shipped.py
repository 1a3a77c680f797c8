"""Which networks come with the package: a look at their cards, without checking or loading anything.

Choosing a default must not delay an engine's first answer, so this reads JSON and imports neither numpy nor a schema.
`store` lists and checks the same folders; a card that cannot be read is its business.
"""

import json
from pathlib import Path
from typing import Literal

EMBEDDED = Path(__file__).with_name("embedded")
"""A folder for each packaged model."""


def shipped_models(head: Literal["human", "expert"], serves: Literal["moves", "ahead"] = "moves") -> dict[str, Path]:
    """The packaged model of each game that has this head and this use; of several, the first by name."""
    found: dict[str, Path] = {}
    for path in sorted(EMBEDDED.glob("[!._]*/card.json")):
        try:
            card = json.loads(path.read_bytes())
            if card["heads"].get(head) and card.get("serves", "moves") == serves:
                found.setdefault(card["game"], path.parent)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
    return found
