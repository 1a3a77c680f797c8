"""`hitonami doctor`: what is installed, found and working."""

import sys
from time import monotonic

import click


@click.command("doctor")
@click.option("--warm-up", is_flag=True, help="Instead compile what is compiled on first use, once and for all.")
def command(warm_up: bool) -> None:
    """Say what is installed, found and working. Fails only where something that is needed is broken."""
    if warm_up:
        _warm_up()
        return
    from hitonami.doctor import examine

    marks = {"works": ("✓", "green"), "absent": ("–", "yellow"), "stale": ("!", "yellow"), "broken": ("✗", "red")}
    broken = 0
    for finding in examine():
        mark, colour = marks[finding.state]
        click.echo(f"{click.style(mark, fg=colour)} {finding.what:<28} {finding.detail}")
        broken += finding.state == "broken"
    if broken:
        click.echo(f"{broken} broken", err=True)
        sys.exit(1)


def _warm_up() -> None:
    """A line a step, written before its work begins: the longest takes half a minute."""
    from hitonami.warm_up import steps

    for step in steps():
        click.echo(f"{step.what} …")
        begin = monotonic()
        step.run()
        click.echo(f"  ready after {monotonic() - begin:.1f} s")
