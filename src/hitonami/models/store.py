"""Where models are: packaged, the user's own, or a path. Loading is checking; adding is copying what was checked.

A model is a folder with `model.onnx` and `card.json`. The user's models lie in HITONAMI_MODELS, else in the
platform's folder for a user's data. Nothing is unpickled: PyTorch files are refused by name.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hitonami import disk
from hitonami.errors import BadModel, WorkFailed, alternatives, quote
from hitonami.models import shipped
from hitonami.models.card import Card, name_from, read_card
from hitonami.models.importers.katago import import_katago
from hitonami.models.importers.lc0 import import_lc0
from hitonami.models.importers.onnx import import_onnx
from hitonami.models.onnx_graph import check_onnx

MODEL_FILE, CARD_FILE = "model.onnx", "card.json"
_LARGEST_BYTES: Final = 1 << 31  # protobuf itself ends there
_PICKLES = (".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin")
_MAGIC = {
    b"PK\x03\x04": "a zip archive, as PyTorch saves pickles in",
    b"\x80": "a Python pickle",
}
Origin = Literal["embedded", "yours", "file"]


@dataclass(frozen=True)
class Model:
    """A model that was read in full and whose parts fit together."""

    card: Card
    onnx: bytes
    source: Path


@dataclass(frozen=True)
class Listed:
    """A model in a store, by its card; `problem` says why it cannot be used."""

    name: str
    origin: Origin
    path: Path
    card: Card | None = None
    problem: str = ""


def user_store() -> Path:
    """The folder of the user's own models. It need not exist."""
    if given := os.environ.get("HITONAMI_MODELS"):
        return Path(given).expanduser()
    return disk.user_folder() / "models"


def list_models() -> Iterator[Listed]:
    """Every model in the stores, by name, the packaged ones first. A broken one is listed with its problem."""
    places: tuple[tuple[Origin, Path], ...] = (("embedded", shipped.EMBEDDED), ("yours", user_store()))
    for origin, root in places:
        folders = sorted(root.iterdir()) if root.is_dir() else []
        for folder in folders:
            if not folder.is_dir() or folder.name.startswith((".", "_")):
                continue
            try:
                yield Listed(folder.name, origin, folder, _read_card_in(folder))
            except BadModel as wrong:
                yield Listed(folder.name, origin, folder, problem=str(wrong))


def origin_of(model: Model) -> Origin:
    """Which store a model was read from, or that it was a file."""
    stores: tuple[tuple[Origin, Path], ...] = (("embedded", shipped.EMBEDDED), ("yours", user_store()))
    return next((origin for origin, root in stores if model.source.parent == root), "file")


def find_model(text: str) -> Path:
    """The folder or file that a model's name or path stands for. A name in a store wins over a path of that name."""
    names = {listed.name: listed.path for listed in reversed(list(list_models()))}
    if text in names:
        return names[text]
    try:
        path = Path(text).expanduser()
        if path.exists():
            return path
    except (OSError, RuntimeError, ValueError) as wrong:  # too long for a path, the home of nobody, a NUL
        raise BadModel(f"model {quote(text)}: {getattr(wrong, 'strerror', None) or wrong}") from None
    if path.name != text or path.suffix in (".onnx", ".gz", ".pb", *_PICKLES):
        raise BadModel(f"model {quote(text)}: no such file or folder")
    raise BadModel(f"there is no model {quote(text)}; {alternatives(text, names)}")


def load_model(text: str | Path) -> Model:
    """Read a model by name or path and check it. Raises BadModel that names the file and the reason."""
    path = find_model(str(text))
    try:
        return _load(path)
    except BadModel as wrong:
        shown = str(wrong)
        raise BadModel(shown if shown.startswith(str(path)) else f"{path}: {shown}") from None
    except OSError as wrong:
        raise BadModel(f"{path}: {wrong.strerror or wrong}") from None


def _load(path: Path) -> Model:
    if path.is_dir():
        return _load_folder(path)
    name = path.name.lower()
    _refuse_pickles(path)
    if name.endswith((".bin.gz", ".txt.gz")):
        return Model(*import_katago(path), path)
    if name.endswith((".pb", ".gz")):
        return Model(*import_lc0(path), path)
    if name.endswith(".onnx"):
        return _load_onnx(path)
    raise BadModel("not a model; known: a folder with card.json and model.onnx, .onnx, Lc0's .pb.gz, KataGo's .bin.gz")


def _refuse_pickles(path: Path) -> None:
    with path.open("rb") as stream:
        begin = stream.read(4)
    meanings = [meaning for magic, meaning in _MAGIC.items() if begin.startswith(magic)]
    if path.suffix.lower() in _PICKLES:
        meanings.append(f"a {path.suffix} file")
    if meanings:
        raise BadModel(f"{meanings[0]}; nothing is unpickled here: export the network to ONNX")


def _load_folder(folder: Path) -> Model:
    card = _read_card_in(folder)
    return _checked(card, folder / MODEL_FILE, folder)


def _load_onnx(path: Path) -> Model:
    """An ONNX file whose card lies beside it, or another project's that is known here."""
    if not (path.parent / CARD_FILE).is_file():
        return Model(*import_onnx(path), path)
    return _checked(_read_card_in(path.parent), path, path.parent)


def _checked(card: Card, onnx_path: Path, folder: Path) -> Model:
    if not onnx_path.is_file():
        raise BadModel(f"there is no {onnx_path.name}")
    if onnx_path.stat().st_size > _LARGEST_BYTES:
        raise BadModel(f"{onnx_path.name} is larger than {_LARGEST_BYTES >> 30} GiB")
    onnx = onnx_path.read_bytes()
    found = hashlib.sha256(onnx).hexdigest()
    if found != card.model_sha256:
        raise BadModel(
            f"{onnx_path.name} is not the file that its card describes (sha256 {found[:12]}…, not "
            f"{card.model_sha256[:12]}…): it is damaged or was exchanged"
        )
    check_onnx(onnx)
    card.open_encoder()
    return Model(card, onnx, folder)


def _read_card_in(folder: Path) -> Card:
    try:
        data = (folder / CARD_FILE).read_bytes()
    except OSError as wrong:
        raise BadModel(f"{folder}: {CARD_FILE}: {wrong.strerror}") from None
    try:
        return read_card(data)
    except BadModel as wrong:
        raise BadModel(f"{folder}: {wrong}") from None


def write_model(model: Model, folder: Path) -> Path:
    """Write a model's folder whole or not at all. Raises BadModel where it exists, WorkFailed where it cannot be."""
    if folder.exists():
        raise BadModel(f"{folder}: there is such a model already; remove it first or choose another name")
    try:
        with disk.building(folder) as draft:
            disk.write_bytes(draft / MODEL_FILE, model.onnx)
            disk.write_text(draft / CARD_FILE, model.card.to_json())
    except OSError as wrong:
        raise WorkFailed(f"{folder}: {wrong.strerror}") from None
    return folder


def add_model(path: Path, name: str = "", licence: str = "") -> Listed:
    """Check a model, convert it where it is another project's, try it out, and copy it into the user's store.

    A `licence` that is known from elsewhere goes into its card.
    """
    from hitonami.models.runtime import Runtime, Settings

    if not path.exists():
        raise BadModel(f"{path}: no such file or folder")
    try:
        model = _load(path)
        with Runtime(model.card, model.onnx, Settings(cache_rows=0)):
            pass
    except BadModel as wrong:
        raise BadModel(str(wrong) if str(wrong).startswith(str(path)) else f"{path}: {wrong}") from None
    chosen = name_from(Path(name)) if name else model.card.name
    if name and chosen != name:
        raise BadModel(f"a model's name is lower-case letters, digits, dots and dashes, got {quote(name)}")
    told = {"name": chosen, "licence": licence or model.card.licence}
    model = Model(model.card.model_copy(update=told), model.onnx, model.source)
    folder = write_model(model, user_store() / chosen)
    return Listed(chosen, "yours", folder, model.card)
