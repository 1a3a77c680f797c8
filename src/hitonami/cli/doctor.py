"""`hitonami doctor`: what is installed, found and working."""

import sys

import click


@click.command("doctor")
def command() -> None:
    """Say what is installed, found and working. Fails only where something that is needed is broken."""
    from hitonami.doctor import examine

    marks = {"works": ("✓", "green"), "absent": ("–", "yellow"), "broken": ("✗", "red")}
    broken = 0
    for finding in examine():
        mark, colour = marks[finding.state]
        click.echo(f"{click.style(mark, fg=colour)} {finding.what:<28} {finding.detail}")
        broken += finding.state == "broken"
    if broken:
        click.echo(f"{broken} broken", err=True)
        sys.exit(1)
