"""`hitonami minds`: the living documentation of the minds folder, read from the files themselves."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting

if TYPE_CHECKING:
    from pydantic import BaseModel


@click.command("minds", cls=Reporting)
@click.argument("kind", required=False)
def command(kind: str | None) -> None:
    """List the minds, or explain KIND: what it does and which fields its TOML takes. --json: the schema of KIND."""
    from hitonami.parts import find_parts, load_part
    from hitonami.specs import schema_of

    if kind is None:
        found = {
            name: (inspect.getdoc(load_part("minds", name)) or "").partition("\n")[0] for name in find_parts("minds")
        }
        tell((f"{name:<14} {summary}" for name, summary in found.items()), lambda: found)
        return
    part, schema = load_part("minds", kind), schema_of(kind)
    tell(_explain(kind, part, schema), schema.model_json_schema)


def _explain(kind: str, part: type, schema: "type[BaseModel]") -> Iterator[str]:
    yield f"{kind}: {inspect.getdoc(part)}\n\nfields:"
    hints = {item.name: item.type for item in dataclasses.fields(part)}
    for name, item in schema.model_fields.items():
        hint = hints[name] if isinstance(hints[name], str) else _readable(hints[name])
        default = "required" if item.is_required() else f"default {item.default!r}"
        yield f"  {name:<18} {hint}, {default}"


def _readable(hint: object) -> str:
    text = getattr(hint, "__name__", None) if isinstance(hint, type) else None
    plain = re.sub(r"hitonami\.\w+\.|typing\.", "", text or str(hint))
    return plain.replace("float | Curve", "Knob")
