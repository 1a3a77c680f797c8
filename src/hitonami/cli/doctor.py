"""`hitonami doctor`: what is installed, found and working."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from time import monotonic

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting


@click.command("doctor", cls=Reporting)
@click.option("--warm-up", is_flag=True, help="Instead compile what is compiled on first use, once and for all.")
def command(warm_up: bool) -> None:
    """Say what is installed, found and working. Fails only where something that is needed is broken."""
    if warm_up:
        _warm_up()
        return
    from hitonami.doctor import Finding, examine

    marks = {"works": ("✓", "green"), "absent": ("–", "yellow"), "stale": ("!", "yellow"), "broken": ("✗", "red")}
    found: list[Finding] = []

    def lines() -> Iterator[str]:
        for finding in examine():
            found.append(finding)
            mark, colour = marks[finding.state]
            yield f"{click.style(mark, fg=colour)} {finding.what:<28} {finding.detail}"

    tell(lines(), lambda: {"findings": [asdict(finding) for finding in found]})
    broken = sum(finding.state == "broken" for finding in found)
    if broken:
        click.echo(f"{broken} broken", err=True)
        sys.exit(1)


def _warm_up() -> None:
    """A line a step, written before its work begins: the longest takes half a minute."""
    from hitonami.warm_up import steps

    seconds: dict[str, float] = {}

    def lines() -> Iterator[str]:
        for step in steps():
            yield f"{step.what} …"
            begin = monotonic()
            step.run()
            seconds[step.what] = monotonic() - begin
            yield f"  ready after {seconds[step.what]:.1f} s"

    tell(lines(), lambda: {"seconds": seconds})
