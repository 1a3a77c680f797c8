"""Records on their way to a twin: sent in pieces, kept in a folder that ends with the server, read in limits.

A piece says where it begins, so that one that was sent twice counts once and a broken line goes on where it was.
"""

import tempfile
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final

from hitonami.dataset.reading import Tally, open_data
from hitonami.errors import BadInput
from hitonami.records import open_format
from hitonami.style.person import OWN_SHARE, name_of
from hitonami.web.database import new_id
from hitonami.web.pasted import endings_of, format_of, game_of
from hitonami.web.refusals import OutOfStep, Refusal, TooMany
from hitonami.web.twins.schemas import FoundPeople, FoundPerson

MOST_BYTES: Final = 4 << 20
MOST_FILES: Final = 60
_MOST_DRAFTS: Final = 40
_MOST_PEOPLE: Final = 12
_HEAD_BYTES: Final = 4096


@dataclass(frozen=True)
class Piece:
    """Some bytes of one file of a draft."""

    file: int
    name: str
    offset: int
    content: bytes


@dataclass
class Draft:
    """What a visitor has sent so far."""

    id: str
    visitor: str
    folder: Path
    game: str = ""
    paths: dict[int, Path] = field(default_factory=dict)
    found: FoundPeople | None = None
    """Who is in it, once somebody has looked."""

    def size_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.paths.values())


class Drafts:
    """The drafts of one server. A visitor has one; of too many the oldest goes."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hitonami-sent-")
        self._drafts: OrderedDict[str, Draft] = OrderedDict()

    def begin(self, visitor: str) -> Draft:
        for each in [draft for draft in self._drafts.values() if draft.visitor == visitor]:
            self.drop(each)
        while len(self._drafts) >= _MOST_DRAFTS:
            self.drop(next(iter(self._drafts.values())))
        draft = Draft(new_id(), visitor, Path(self._folder.name))
        draft.folder = draft.folder / draft.id
        draft.folder.mkdir()
        self._drafts[draft.id] = draft
        return draft

    def find(self, draft_id: str, visitor: str | None) -> Draft:
        """Raises Refusal where the visitor has no such draft."""
        draft = self._drafts.get(draft_id)
        if draft is None or draft.visitor != visitor:
            raise Refusal("draft-gone", "what was sent is no longer here; please send it again")
        return draft

    def add(self, draft: Draft, piece: Piece, usual: str | None) -> int:
        """Keep a piece; returns how many bytes of its file are here. Raises OutOfStep for one that leaves a gap."""
        known = piece.file in draft.paths
        if not known and len(draft.paths) >= MOST_FILES:
            raise TooMany("twin-files", f"{MOST_FILES} files at most", {"count": MOST_FILES})
        if draft.size_bytes() + len(piece.content) > MOST_BYTES:
            megabytes = MOST_BYTES >> 20
            raise Refusal("too-large", f"{megabytes} MB of records at most", {"megabytes": megabytes})
        if not known:
            draft.game = draft.game or game_of(piece.name, piece.content, usual)
            draft.paths[piece.file] = draft.folder / f"{piece.file:03d}{_ending(draft.game, piece)}"
            draft.paths[piece.file].touch(0o600)
        path = draft.paths[piece.file]
        held = path.stat().st_size
        if piece.offset > held:
            raise OutOfStep("a piece before this one is missing")
        if piece.offset == held:
            with path.open("ab") as file:
                file.write(piece.content)
        return path.stat().st_size

    def drop(self, draft: Draft) -> None:
        self._drafts.pop(draft.id, None)
        for path in draft.paths.values():
            path.unlink(missing_ok=True)
        if draft.folder.is_dir():
            draft.folder.rmdir()

    def close(self) -> None:
        self._drafts.clear()
        self._folder.cleanup()


def _ending(game: str, piece: Piece) -> str:
    """One that says what the file is, and is none of an archive."""
    ending = PurePath(piece.name.replace("\\", "/")).suffix.lower()
    if ending in endings_of(game):
        return ending
    return open_format(format_of(game, piece.content[:_HEAD_BYTES].decode("utf-8", "replace"))).suffixes[0]


def find_people(wanted: tuple[str, tuple[str, ...]]) -> FoundPeople:
    """Who played the games of these files, of that game. Works in a process with limits. Raises Refusal."""
    game, files = wanted
    tally, seen = Tally(), set[int]()
    names, spelled = Counter[str](), dict[str, str]()
    try:
        for found in open_data(list(files), game, named=True).games(tally):
            if not found.record.moves or found.content in seen:
                continue
            seen.add(found.content)
            here = {name_of(player) for player in found.record.players} - {""}
            names.update({name.casefold() for name in here})
            spelled |= {name.casefold(): name for name in here}
    except BadInput:
        pass
    if not seen:
        raise Refusal("no-game", "there is no game in these files", {"game": game, "number": 1})
    people = [FoundPerson(name=spelled[name], games=count) for name, count in names.most_common(_MOST_PEOPLE)]
    alone = len(people) == 1 or (len(people) > 1 and people[0].games > people[1].games)
    likely = people[0].name if people and alone and people[0].games >= OWN_SHARE * len(seen) else ""
    return FoundPeople(
        game=game, games=len(seen), unread=tally.rejected.total() + len(tally.broken), people=people, likely=likely
    )
