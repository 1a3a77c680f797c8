"""What commands tell and write: lines for people, figures as JSON, pages; places are checked before any work."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hitonami import disk
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.evaluate.selection import Selected

PLACE = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
STANDARD_OUTPUT = Path("-")
JSON_FILE = "hitonami.json_file"
"""Where the context of a `Reporting` command keeps what was typed after --json."""
PAGE_FILE = "hitonami.page_file"
"""The same after --html."""


def check_folders(files: Iterable[Path | None]) -> None:
    """Raises BadInput, before any work, for a file that could not be written in the end."""
    for file in files:
        if file is not None and not file.absolute().parent.is_dir():
            raise BadInput(f"{file}: there is no folder {file.parent}")


def check_file(out: Path | None, method: str) -> None:
    """Raises BadInput for a folder where a file is to be written."""
    if out is not None and out.is_dir():
        raise BadInput(f"--out {out}: is a folder; fit {method} writes a file")


def tell(lines: Iterable[str], figures: Callable[[], Any], page: Callable[[str], str] | None = None) -> None:
    """Lines for people; then, where they are asked for, the figures (--json) and the page (--html).

    A page is made from the command as it was typed. Where the figures go to standard output, nothing else is printed
    there. Raises BadInput.
    """
    alone = is_json_printed()
    for line in lines:
        if not alone:
            click.echo(line)
    file, page_file = _typed(JSON_FILE), _typed(PAGE_FILE)
    if alone:
        click.echo(_as_text(figures()))
    elif file is not None:
        write_file(file, _as_text(figures()) + "\n")
    if page is not None and page_file is not None:
        write_file(page_file, page(" ".join(sys.argv[1:])))


def say(line: str) -> None:
    """A remark beside the figures: on standard error where standard output is for them."""
    click.echo(line, err=is_json_printed())


def warn(line: str) -> None:
    """What a reader of the figures should know, on standard error."""
    click.echo(f"hitonami: {line}", err=True)


def warn_of(drawn: "Selected") -> None:
    """What is to be known of the moves that were drawn."""
    for complaint in drawn.complaints():
        warn(complaint)


def write_file(path: Path, text: str) -> None:
    """Write it, and say so. Raises BadInput."""
    try:
        disk.write_text(path, text)
    except OSError as wrong:
        raise BadInput(f"{path}: cannot be written: {wrong.strerror}") from None
    say(f"wrote {path}")


def _typed(name: str) -> Path | None:
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(name)


def is_json_printed() -> bool:
    """Whether standard output is for the figures alone."""
    return _typed(JSON_FILE) == STANDARD_OUTPUT


def _as_text(figures: Any) -> str:
    """Line by line. What is not a number is no figure."""
    return json.dumps(figures, indent=1, ensure_ascii=False, allow_nan=False)
