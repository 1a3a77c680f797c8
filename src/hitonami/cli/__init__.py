"""The command line: thin commands, one file a family, no logic of their own.

A command's module is imported only when the command runs: `hitonami --help` and an engine's first
answer must not wait for numpy, networks or rules.
"""

import importlib
import signal
import sys
from types import FrameType

import click

from hitonami import __version__
from hitonami.errors import HitonamiError

_COMMANDS = {
    "play": "Play a game in the terminal.",
    "serve": "Serve the page: play and predict in the browser.",
    "engine": "Speak UCI (chess), USI (shogi) or GTP (Go) on standard input and output.",
    "predict": "Say what people of a level would play here, and how often they win.",
    "models": "List, show and add networks.",
    "twin": "Make a model of one person from their games, and forget it.",
    "twins": "List the models of persons that are kept here.",
    "style": "Show how one person plays, beside people of their level.",
    "similar": "Find games like those of one person, or who may have played them.",
    "ingest": "Turn game records into a dataset.",
    "data": "Look at datasets.",
    "label": "Have a strong mind judge positions, for training and for judging moves.",
    "train": "Train a network from a recipe.",
    "selfplay": "Learn a game from its rules by playing it.",
    "evaluate": "Measure how well minds predict what people played.",
    "experiment": "Run a named study from data to a report.",
    "judge": "Compare how much people and agents of their level give away a move, by an engine.",
    "openings": "Compare how minds and people begin their games.",
    "endings": "Compare how minds and people go on from won positions.",
    "likeness": "Measure how human minds are beyond the moves they find likeliest.",
    "unmask": "Tell programs from people by single games.",
    "blind": "Make a blind set of games for an expert, and score the verdicts.",
    "winrate": "Measure how well minds foretell who wins.",
    "mates": "Compare how often people and agents find wins at once.",
    "repeats": "Learn from games whether people who repeat a position go on, and measure it.",
    "resign": "Learn when people give up.",
    "draws": "Learn when people agree on a draw.",
    "passes": "Measure whether a mind ends games with passes as people do.",
    "pace": "Learn how long people think.",
    "refine": "Count how wide and how long games are (Game Refinement).",
    "fit": "Fit the knobs of a level to what people played.",
    "learn": "Learn any game from nothing: an intuition that can be read.",
    "explain": "Say which patterns speak for a move, with pictures.",
    "tournament": "Play games among players and rate them.",
    "rate": "Estimate the ratings of players from their moves.",
    "review": "Review a game: what people of a level would play, and what moves cost.",
    "puzzles": "Rate a mind, or a person, by puzzles of known difficulty.",
    "games": "List the games, their boards and who plays them.",
    "minds": "List the minds, or explain one.",
    "doctor": "Say what is installed, found and working.",
}


class _LazyGroup(click.Group):
    """Knows its commands by name and imports `hitonami.cli.NAME` when one is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"hitonami.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="hitonami")
def cli() -> None:
    """Hitonami (人並み, "on a par with people"): opponents, predictions and studies that are human."""


class _Interrupted:
    """SIGTERM is Ctrl-C: what is open is closed, workers and engines end, what is unfinished can be gone on with."""

    exit_code = 128 + signal.SIGINT

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.exit_code = 128 + number
        raise KeyboardInterrupt


def main() -> None:
    """Run a command. Exit codes: 0 done, 1 the work failed, 2 bad usage or input, 130 Ctrl-C, 143 SIGTERM."""
    interrupted = _Interrupted()
    signal.signal(signal.SIGTERM, interrupted)
    try:
        cli(standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except HitonamiError as wrong:
        click.echo(f"hitonami: {wrong}", err=True)
        sys.exit(wrong.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("hitonami: interrupted", err=True)
        sys.exit(interrupted.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as wrong:  # a full disk, a folder without permission
        where = f"{wrong.filename}: " if wrong.filename else ""
        click.echo(f"hitonami: {where}{wrong.strerror or wrong}", err=True)
        sys.exit(1)
