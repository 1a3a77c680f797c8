"""`hitonami twins`: the twins that are kept here."""

from hitonami.cli.twin import list_command as command

__all__ = ["command"]
