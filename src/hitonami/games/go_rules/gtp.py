"""How an engine that speaks GTP is told where a game of Go starts."""

from collections.abc import Collection
from typing import Any

import numpy as np

from hitonami.games.go_rules.points import vertex


def start_commands(start: Any, commands: Collection[str]) -> list[str]:
    """Size, komi and stones of a position, for an engine that knows `commands`."""
    told = ["set_game Go"] if "set_game" in commands else []
    told += [f"boardsize {start.size}", "clear_board", f"komi {start.komi:g}"]
    black, white = ([vertex(start.size, at) for at in np.flatnonzero(start.board == side).tolist()] for side in (1, 2))
    if "set_free_handicap" in commands and start.handicap > 1 and len(black) > 1 and not white:
        return [*told, f"set_free_handicap {' '.join(black)}"]
    # In any order: a part of a position without captures has none either.
    return [*told, *(f"play black {at}" for at in black), *(f"play white {at}" for at in white)]
