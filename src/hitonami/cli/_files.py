"""Files that commands write: places checked before any work, figures and pages written and told at the end of it."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from hitonami import disk
from hitonami.errors import BadInput


def check_folders(files: Iterable[Path | None]) -> None:
    """Raises BadInput, before any work, for a file that could not be written in the end."""
    for file in files:
        if file is not None and not file.absolute().parent.is_dir():
            raise BadInput(f"{file}: there is no folder {file.parent}")


def as_text(figures: Any) -> str:
    """Figures as JSON, line by line. What is not a number is no figure."""
    return json.dumps(figures, indent=1, ensure_ascii=False, allow_nan=False)


def write_figures(path: Path, figures: Any) -> None:
    """Write figures as JSON, and say so."""
    write_file(path, as_text(figures) + "\n")


def write_file(path: Path, text: str, *, err: bool = False) -> None:
    """Write it, and say so; on standard error where standard output is for figures. Raises BadInput."""
    try:
        disk.write_text(path, text)
    except OSError as wrong:
        raise BadInput(f"{path}: cannot be written: {wrong.strerror}") from None
    click.echo(f"wrote {path}", err=err)
