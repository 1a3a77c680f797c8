"""`hitonami minds`: the living documentation of the minds folder, read from the files themselves."""

import dataclasses
import inspect
import json
import re

import click


@click.command("minds")
@click.argument("kind", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the JSON schema of KIND.")
def command(kind: str | None, as_json: bool) -> None:
    """List the minds, or explain KIND: what it does and which fields its TOML takes."""
    from hitonami.parts import find_parts, load_part
    from hitonami.specs import schema_of

    if kind is None:
        for name in find_parts("minds"):
            summary = (inspect.getdoc(load_part("minds", name)) or "").partition("\n")[0]
            click.echo(f"{name:<14} {summary}")
        return
    part, schema = load_part("minds", kind), schema_of(kind)
    if as_json:
        click.echo(json.dumps(schema.model_json_schema(), indent=2, ensure_ascii=False))
        return
    click.echo(f"{kind}: {inspect.getdoc(part)}\n\nfields:")
    hints = {item.name: item.type for item in dataclasses.fields(part)}
    for name, item in schema.model_fields.items():
        hint = hints[name] if isinstance(hints[name], str) else _readable(hints[name])
        default = "required" if item.is_required() else f"default {item.default!r}"
        click.echo(f"  {name:<18} {hint}, {default}")


def _readable(hint: object) -> str:
    text = getattr(hint, "__name__", None) if isinstance(hint, type) else None
    plain = re.sub(r"hitonami\.\w+\.|typing\.", "", text or str(hint))
    return plain.replace("float | Curve", "Knob")
