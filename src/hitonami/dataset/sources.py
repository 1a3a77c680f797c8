"""DATA arguments as a stream of documents: files, folders, archives, URLs; any size, in bounded memory.

    found = find_sources(["games/", "more.pgn.zst", "s3://bucket/records.tar.xz"], "chess")
    progress = Progress()
    for format_name, document in found.documents(progress): ...

Sources come in the order of their names, members of archives in the archive's own order, so equal input
gives equal documents. Compression (`.gz .bz2 .xz .zst`) and archives (`.zip .7z .tar` and compressed tars) are
read as they stream; members of archives may be compressed once more (`x.pgn.gz` in a zip), but an archive
inside an archive is refused. A file that breaks in the middle gives its documents up to there; what was
wrong is counted in `Progress.broken`, not raised, unless nothing at all could be read.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import BinaryIO

from hitonami.dataset._kinds import SNIFF_BYTES, Formats, Kind, kind_of, sniff
from hitonami.dataset._limits import NO_RECORDS, Damage
from hitonami.dataset._places import Place, Unfit, find_places, open_place
from hitonami.dataset._reader import Broken, Progress, Source, is_junk, list_found, printable, read_source
from hitonami.dataset._streams import Counted, Decoded, buffered
from hitonami.errors import BadData
from hitonami.records import Document

__all__ = ["Broken", "Formats", "Progress", "Source", "Sources", "find_sources", "fingerprint", "read_source"]


def fingerprint(sources: Iterable[Source]) -> str:
    """One mark for all of them together."""
    digest = hashlib.blake2b(digest_size=16)
    for source in sources:
        digest.update(source.fingerprint().encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class Sources:
    """What the arguments came to."""

    arguments: tuple[str, ...]
    game: str
    sources: tuple[Source, ...]
    skipped: Mapping[str, int]
    """Files of folders that are no records of the game, by suffix."""
    unfit: tuple[Broken, ...] = ()
    """What could not even be looked at: folders without permission, links to nowhere, pipes."""

    @cached_property
    def bytes_total(self) -> int:
        """Compressed bytes of all sources whose size is known."""
        return sum(source.size or 0 for source in self.sources)

    def documents(self, progress: Progress | None = None) -> Iterator[tuple[str, Document]]:
        """Format name and document, one after another. Raises BadData at the end where not one could be read."""
        progress = progress if progress is not None else Progress()
        for unfit in self.unfit:
            progress.report(unfit)
        before, formats = progress.documents, Formats(self.game)
        for source in self.sources:
            yield from read_source(source, formats, progress)
        if progress.documents == before:
            raise BadData(self._explain(progress))

    def _explain(self, progress: Progress) -> str:
        """One line for the case that nothing could be read: what is broken, else what is there instead."""
        broken = [each for each in progress.broken if each.reason != NO_RECORDS]
        if broken:
            more = progress.reasons.total() - 1
            return f"{broken[0]} (and {more} more)" if more else str(broken[0])
        where = ", ".join(self.arguments[:3]) + (" …" if len(self.arguments) > 3 else "")
        return f"no {self.game} records in {where}; {list_found(progress.skipped + Counter(self.skipped))}"


def find_sources(arguments: Sequence[str], game: str) -> Sources:
    """Look at files and folders, open nothing but files whose names say nothing.

    Raises BadData for an argument that is missing, not a file or folder, or without records of the game. A
    file that is reached twice is read once.
    """
    formats = Formats(game)
    found: dict[object, Source] = {}
    skipped: Counter[str] = Counter()
    unfit: list[Broken] = []
    for argument in arguments:
        missed: Counter[str] = Counter()
        fit = 0
        for place in find_places(str(argument)):
            if isinstance(place, Unfit):
                unfit.append(Broken(printable(place.name), place.reason, place.detail))
                continue
            kind = _judge(place, formats, str(argument))
            if kind is None:
                missed[kind_of(place.name).shown] += 1
                continue
            fit += 1
            name = printable(place.name)
            found.setdefault(place.identity, Source(name, place.location, place.size, place.changed, kind))
        if not fit:
            raise BadData(f"no {game} records in {argument}; {list_found(missed)}")
        skipped += missed
    given = tuple(str(argument) for argument in arguments)
    return Sources(given, game, _distinct(found.values()), dict(sorted(skipped.items())), tuple(unfit))


def _judge(place: Place, formats: Formats, argument: str) -> Kind | None:
    """What the file is to be read as. None where it is no record of the game."""
    kind = kind_of(place.name)
    if is_junk(place.name):
        return None
    if kind.archive or kind.suffix in formats.by_suffix:
        return kind
    if not place.given or kind.suffix in formats.foreign:
        return None
    kind = _look_inside(place, kind)
    if kind.archive or kind.suffix in formats.by_suffix:
        return kind
    told = f"it looks like {kind.suffix}" if kind.suffix else "its name and its first bytes tell nothing"
    raise BadData(
        f"{argument}: not a record of {formats.game}: {told}; formats: {', '.join(sorted(formats.by_suffix))}"
    )


def _look_inside(place: Place, kind: Kind) -> Kind:
    """The kind by the first bytes, through one layer of compression."""
    try:
        stream: BinaryIO = buffered(Counted(open_place(place.location), lambda size: None), SNIFF_BYTES)
        with stream:
            compression = kind.compression
            if not compression:
                head = stream.read(SNIFF_BYTES)
                found = kind_of("x" + sniff(head))
                if not found.compression:
                    return found
                compression = found.compression
                stream.seek(0)
            inner = buffered(Decoded(compression, stream)).read(SNIFF_BYTES)
            found = kind_of("x" + sniff(inner))
            return Kind(found.suffix, compression, found.archive)
    except Damage as damage:
        raise BadData(str(Broken(place.location, damage.reason, damage.detail))) from None


def _distinct(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Sorted, with names that tell the sources apart: where two arguments hold the same name, by location."""
    listed = list(sources)
    names = Counter(source.name for source in listed)
    named = [
        source if names[source.name] == 1 else replace(source, name=printable(source.location)) for source in listed
    ]
    return tuple(sorted(named, key=lambda source: (source.name, source.location)))
