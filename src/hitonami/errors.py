"""Everything that Hitonami raises on purpose.

    HitonamiError
    ├── BadInput (also a ValueError)      the caller's input; the command line exits with 2
    │   ├── BadSetup                      a board size, komi, handicap, variant or rule set
    │   ├── BadPosition                   FEN, SFEN or SGF text
    │   ├── BadMove                       move text, or an id that is not legal here
    │   ├── BadRecord                     a game record that cannot be read or written
    │   ├── BadData                       files, folders and archives of records
    │   ├── BadSpec                       a mind's spec: unknown kind, key or value
    │   ├── TooFew                        games or turns that can be read, and are too few to learn from
    │   ├── BadModel                      a network's file or card: damaged, foreign or too new
    │   └── UnknownPart                   no game, mind, encoder ... of that name
    └── WorkFailed (also a RuntimeError)  the input was fine and the work failed; exit code 1
        ├── NoOpinion                     a mind excludes every legal move
        └── EngineFailed                  an external program crashed, hung or answered nonsense

Messages quote the offending input and name the alternatives. They are written for the person who
typed it, so they never contain a traceback or an internal name.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class HitonamiError(Exception):
    """The root: catch this to catch everything that the package raises on purpose."""

    exit_code = 1


class BadInput(HitonamiError, ValueError):
    """The caller gave something that cannot be used."""

    exit_code = 2


class BadSetup(BadInput):
    """A board size, komi, handicap, variant or rule set that the game does not have."""


class BadPosition(BadInput):
    """Position text that does not describe a legal position."""


class BadMove(BadInput):
    """Move text or a move id that is not legal in this position. `plain` leaves the position out."""

    def __init__(self, message: str = "", position: str = "") -> None:
        super().__init__(f"{message} in {position}" if position else message)
        self.plain = message


class BadRecord(BadInput):
    """A game record that cannot be read or written."""


class BadData(BadInput):
    """A file, folder or archive that is missing, broken or holds no records of the game."""


class BadSpec(BadInput):
    """A mind's spec with an unknown kind or key, or a value out of range."""


class TooFew(BadInput):
    """Games or turns that can be read, and are too few to learn from."""


class BadModel(BadInput):
    """A network's file or card that is damaged, foreign or too new."""


class UnknownPart(BadInput):
    """No game, mind or encoder of that name."""


class WorkFailed(HitonamiError, RuntimeError):
    """The input was fine, the work was not."""


class NoOpinion(WorkFailed):
    """A mind, or a combination of minds, excludes every legal move."""


class EngineFailed(WorkFailed):
    """An external program crashed, hung or answered nonsense."""


def quote(text: str, limit: int = 80) -> str:
    """Quote input for a message: control characters escaped, long text cut in the middle."""
    shown = text if len(text) <= limit else f"{text[: limit // 2]}…{text[-limit // 2 :]}"
    return repr(shown)


def alternatives(wrong: str, known: Iterable[str]) -> str:
    """Name what could have been meant: the nearest names first, else all of them."""
    names = sorted(known)
    near = get_close_matches(wrong, names, n=3)
    return f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names) or 'none'}"
