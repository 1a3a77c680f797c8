"""Specs of minds: plain data that says which mind to build, and the room in which it is built.

A *spec* is frozen, hashable and prints as the record of an experiment. `open_mind` turns it into a
running mind, starting each engine and loading each network once, and ends them all when it closes.

A mind is one file in `minds/` with one dataclass whose fields are its schema. It either is callable as
a `Mind`, or has `open(room) -> Mind` because it needs something from outside (a process, a network).
Fields annotated `Mind` or `tuple[Mind, ...]` take nested specs.

    >>> spec = mind_spec({"kind": "temper", "rho": 2.0, "mind": "uniform"})
    >>> spec
    temper(mind=uniform(), rho=2.0)
    >>> mind_spec({"kind": "temper", "rhoo": 2.0, "mind": "uniform"})
    Traceback (most recent call last):
    hitonami.errors.BadSpec: mind temper: unknown key 'rhoo'; did you mean rho?
"""

import dataclasses
import tomllib
import types
import typing
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, create_model

from hitonami.core import Mind
from hitonami.errors import BadInput, BadSpec, UnknownPart, alternatives, quote
from hitonami.knobs import Curve
from hitonami.parts import find_parts, load_part

T = TypeVar("T")
_DEEPEST: Final = 40
"""Minds inside minds, lists inside lists: more than any real spec has, and less than the interpreter bears."""
_reading: ContextVar[tuple[Path, ...]] = ContextVar("_reading", default=())
"""The files that are being read, each named by the one before."""


@dataclasses.dataclass(frozen=True)
class MindSpec:
    """Which mind, with which fields. Build one with `mind_spec`, which checks it."""

    kind: str
    fields: tuple[tuple[str, Any], ...] = ()

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(f'{name}={value!r}' for name, value in self.fields)})"

    def as_dict(self) -> dict[str, Any]:
        """The spec as TOML would hold it: `mind_spec` reads it back to an equal spec."""
        return {"kind": self.kind} | {name: _plain(value) for name, value in self.fields}


def _plain(value: Any) -> Any:
    match value:
        case MindSpec():
            return value.as_dict()
        case Curve():
            return [list(point) for point in value.points]
        case tuple():
            return [_plain(each) for each in value]
        case _:
            return value


def mind_spec(source: "MindSpec | Mapping[str, Any] | str") -> MindSpec:
    """Check and freeze a spec given as a mapping, or as text: a kind, `uci:COMMAND`, a path of TOML or of a model."""
    if isinstance(source, MindSpec):
        return source
    if isinstance(source, str):
        return _spec_from_text(source)
    if not isinstance(source, Mapping):
        raise BadSpec(f"a mind is a table with a kind, or a name, got {quote(repr(source))}")
    _check_depth(source)
    fields = dict(source)
    kind = fields.pop("kind", None)
    if not isinstance(kind, str):
        raise BadSpec(f"a mind's table needs a kind; {alternatives('', find_parts('minds'))}")
    schema = schema_of(kind)
    for name in fields:
        if name not in schema.model_fields:
            raise BadSpec(f"mind {kind}: unknown key {quote(name)}; {alternatives(name, schema.model_fields)}")
    try:
        checked = schema(**fields)
    except ValidationError as wrong:
        problems = wrong.errors()
        for problem in problems:  # of a union's several complaints, ours says most
            if isinstance(cause := problem.get("ctx", {}).get("error"), BadInput):
                raise BadSpec(str(cause)) from None
        where = ".".join(str(step) for step in problems[0]["loc"])
        raise BadSpec(f"mind {kind}: {where}: {problems[0]['msg']}") from None
    given = [(name, getattr(checked, name)) for name in schema.model_fields if name in fields]
    return MindSpec(kind, tuple((name, _freeze(value)) for name, value in given))


def _spec_from_text(text: str) -> MindSpec:
    kind, colon, argument = text.partition(":")
    if text.endswith(".toml"):
        return read_spec(Path(text))
    if kind not in find_parts("minds") and _is_model(text):
        return mind_spec({"kind": "neural", "model": text})
    if not colon:
        return mind_spec({"kind": kind})
    shorthand = next(iter(schema_of(kind).model_fields), None)
    if shorthand is None:
        raise BadSpec(f"mind {kind} takes nothing after a colon, got {quote(text)}")
    return mind_spec({"kind": kind, shorthand: argument})


def base_spec(base: str) -> MindSpec:
    """The mind that a base stands for: a text with a mind's kind and a colon, a TOML file, else a model."""
    kind, colon, _ = base.partition(":")
    if base.endswith(".toml") or (colon and kind in find_parts("minds")):
        return mind_spec(base)
    return mind_spec({"kind": "neural", "model": base})


def base_of(mind: str) -> str:
    """What the mind `human` stands on; "" for the packaged networks and for every other mind."""
    spec = mind_spec(mind)
    return str(dict(spec.fields).get("base", "")) if spec.kind == "human" else ""


def _is_model(text: str) -> bool:
    try:
        return text.endswith((".onnx", ".pb.gz")) or Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError):  # too long for a path, the home of nobody, a NUL
        return False


def read_spec(path: Path) -> MindSpec:
    """Read a spec from a TOML file. Errors name the file."""
    above = _reading.get()
    if path.absolute() in above:
        raise BadSpec(f"{path} names itself{', by way of another file' * (path.absolute() != above[-1])}")
    if len(above) >= _DEEPEST:
        raise BadSpec(f"{path}: more than {_DEEPEST} files deep")
    token = _reading.set((*above, path.absolute()))
    try:
        return mind_spec(read_toml(path))
    except BadInput as wrong:
        told = str(wrong)
        raise BadSpec(told if told.startswith(str(path)) else f"{path}: {told}") from None
    finally:
        _reading.reset(token)


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises BadSpec that names the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise BadSpec(f"{path}: {wrong.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadSpec(f"{path}: not TOML: {wrong}") from None
    except RecursionError:
        raise BadSpec(f"{path}: tables or lists too deep") from None
    except ValueError as wrong:  # a NUL in the name
        raise BadSpec(f"{quote(str(path))}: {wrong}") from None


def _check_depth(source: Mapping[str, Any]) -> None:
    """Refuse what could not be looked through: the checks below call themselves."""
    level: list[Any] = [source]
    for _ in range(_DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return
    raise BadSpec(f"a mind more than {_DEEPEST} tables or lists deep")


def _inside(value: Any) -> Iterator[Any]:
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return (each for each in values if isinstance(each, Mapping | list | tuple))


def _freeze(value: Any) -> Any:
    match value:
        case list() | tuple():
            return tuple(_freeze(each) for each in value)
        case Mapping():
            return tuple(sorted((name, _freeze(each)) for name, each in value.items()))
        case _:
            return value


@cache
def schema_of(kind: str) -> type[BaseModel]:
    """The schema of a mind, derived from the fields of its dataclass."""
    part = load_part("minds", kind)
    if not dataclasses.is_dataclass(part):
        raise UnknownPart(f"mind {kind}: {part.__name__} must be a dataclass")
    hints = typing.get_type_hints(part, include_extras=True)
    fields: dict[str, Any] = {}
    for item in dataclasses.fields(part):
        if not item.init:
            continue
        default = item.default if item.default is not dataclasses.MISSING else ...
        if item.default_factory is not dataclasses.MISSING:
            default = item.default_factory()
        fields[item.name] = (_spec_type(hints[item.name]), default)
    config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, strict=False)
    return create_model(kind, __config__=config, **fields)


def _spec_type(hint: Any) -> Any:
    """The type that a field has in a spec: a nested spec for a mind, a list of points for a curve."""
    if hint is Mind:
        return typing.Annotated[MindSpec, BeforeValidator(mind_spec)]
    if hint is Curve:
        return typing.Annotated[Curve, BeforeValidator(_read_curve)]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return typing.Union[tuple(_spec_type(each) for each in arguments)]  # noqa: UP007
    if origin is tuple:
        return types.GenericAlias(tuple, tuple(each if each is ... else _spec_type(each) for each in arguments))
    return hint


def _read_curve(value: Any) -> Any:
    return Curve(tuple((x, y) for x, y in value)) if isinstance(value, list | tuple) else value


class Room:
    """Owns what minds need from outside. Equal keys share one thing; closing ends them all, last first."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._shared: dict[Hashable, Any] = {}
        self._named: dict[str, Mind] = {}

    def share(self, key: Hashable, make: Callable[[], AbstractContextManager[T]]) -> T:
        """The thing under this key, made and entered on first use."""
        if key not in self._shared:
            self._shared[key] = self._stack.enter_context(make())
        shared: T = self._shared[key]
        return shared

    def open(self, source: "MindSpec | Mapping[str, Any] | str") -> Mind:
        """Build a mind. Equal specs give the same mind.

        A text is read once, since some are asked by name at every move; a file that changes is read by the next room.
        """
        if isinstance(source, str):
            if source not in self._named:
                self._named[source] = self.open(mind_spec(source))
            return self._named[source]
        spec = mind_spec(source)
        if ("mind", spec) not in self._shared:
            part = load_part("minds", spec.kind)
            built = part(**{name: self._build(value) for name, value in spec.fields})
            self._shared["mind", spec] = built.open(self) if hasattr(built, "open") else built
        mind: Mind = self._shared["mind", spec]
        return mind

    def _build(self, value: Any) -> Any:
        if isinstance(value, MindSpec):
            return self.open(value)
        return tuple(self._build(each) for each in value) if isinstance(value, tuple) else value

    def close(self) -> None:
        self._shared.clear()
        self._named.clear()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def open_minds(sources: Mapping[str, str]) -> Iterator[dict[str, Mind]]:
    """Several minds by name for the length of a `with` block, in one room: they share networks."""
    with Room() as room:
        yield {name: room.open(text) for name, text in sources.items()}


@contextmanager
def open_mind(source: "MindSpec | Mapping[str, Any] | str") -> Iterator[Mind]:
    """A running mind for the length of a `with` block."""
    with Room() as room:
        yield room.open(source)
