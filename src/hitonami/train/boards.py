"""The log of a run for TensorBoard, written by tensorboardX: the viewer itself is the user's to install.

One scalar a column of log.csv, under the same step. It is a copy for looking at: nothing is read back from it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hitonami.errors import BadInput

BOARDS_FOLDER: Final = "tensorboard"


class Boards:
    """Event files in a folder. A run that goes on hides what an earlier one wrote after its checkpoint."""

    def __init__(self, folder: Path, step: int) -> None:
        try:
            from tensorboardX import SummaryWriter  # a second to import: only for those who asked
        except ImportError:
            raise BadInput("tensorboard = true needs the library tensorboardX: pip install 'hitonami[train]'") from None
        self._make: Any = SummaryWriter
        self._folder, self._step = folder, step
        self._writer: Any = None

    def write(self, row: Mapping[str, float | int]) -> None:
        """Add a line of the log, and see it onto the disk."""
        if self._writer is None:  # a folder is made by the first line only
            self._writer = self._make(str(self._folder), purge_step=self._step + 1 if self._step else None)
        for name, value in row.items():
            if name != "step":
                group = "validation" if name.startswith("validation_") else "training"
                self._writer.add_scalar(f"{group}/{name.removeprefix('validation_')}", value, int(row["step"]))
        self._writer.flush()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
