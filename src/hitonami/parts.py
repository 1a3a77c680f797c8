"""Find games, minds, encoders and record formats by the names of their files.

A *part* is one module in one folder: `minds/inner_product.py` holds the class `InnerProduct` and is
known to users as `inner-product`. Files that start with an underscore are not parts. Folders named in
the environment variable HITONAMI_PARTS (separated like PATH) are searched too: `DIR/minds/mine.py` is
the mind `mine`, with no other edit. A packaged part wins over a user's part of the same name.
"""

import importlib.util
import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from hitonami.errors import UnknownPart, alternatives, quote

_PACKAGE = Path(__file__).parent
_SINGULAR = {"games": "game", "minds": "mind", "models/encoders": "encoder", "protocols": "protocol"}


def find_parts(folder: str) -> dict[str, Path]:
    """Map the public name of each part in `folder` to its file, by name."""
    found: dict[str, Path] = {}
    extra = [Path(root) for root in os.environ.get("HITONAMI_PARTS", "").split(os.pathsep) if root]
    for root in [*reversed(extra), _PACKAGE]:
        for path in sorted((root / folder).glob("*.py")):
            if not path.stem.startswith("_"):
                found[path.stem.replace("_", "-")] = path
    return dict(sorted(found.items()))


def load_part(folder: str, name: str) -> type:
    """Import the part and return its class: the CamelCase of the file's name."""
    parts = find_parts(folder)
    if name not in parts:
        kind = _SINGULAR.get(folder, folder)
        raise UnknownPart(f"there is no {kind} {quote(name)}; {alternatives(name, parts)}")
    path = parts[name]
    module = _import_file(folder, path)
    wanted = "".join(word.capitalize() for word in path.stem.split("_"))
    part = getattr(module, wanted, None)
    if not isinstance(part, type):
        raise UnknownPart(f"{path.name} must define a class {wanted}")
    return part


@cache
def _import_file(folder: str, path: Path) -> ModuleType:
    if path.is_relative_to(_PACKAGE):
        dotted = ".".join(path.relative_to(_PACKAGE).with_suffix("").parts)
        return import_module(f"hitonami.{dotted}")
    name = f"hitonami_user_{folder.replace('/', '_')}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownPart(f"{path} cannot be imported as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while the class is made
    spec.loader.exec_module(module)
    return module
