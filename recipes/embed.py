"""Put a trained model into the package, with what `hitonami evaluate --json` measured of it in its card.

python recipes/embed.py RUN/model NAME=evaluation.json … : the figures of the group "all" of the evaluation's first mind
become metrics NAME_accuracy and NAME_cross_entropy with their intervals. A model of the same name is replaced only by
one that the evaluations were made of: check them first.
"""

import json
import shutil
import sys
from pathlib import Path

from hitonami.models.card import Card, Metric, read_card
from hitonami.models.store import load_model

PACKAGED = Path(__file__).parents[1] / "src" / "hitonami" / "models" / "embedded"
LARGEST_BYTES = 6_000_000


def embed(folder: Path, evaluations: dict[str, Path]) -> Path:
    size = (folder / "model.onnx").stat().st_size
    if size > LARGEST_BYTES:
        sys.exit(f"{folder}: {size:,} bytes, a packaged model has at most {LARGEST_BYTES:,}")
    card = read_card((folder / "card.json").read_bytes())
    metrics = {**card.metrics, **{key: each for name, path in evaluations.items() for key, each in _read(name, path)}}
    out = PACKAGED / card.name
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder / "model.onnx", out / "model.onnx")
    made = Card(**{**card.model_dump(), "metrics": metrics})
    (out / "card.json").write_text(made.to_json(), encoding="utf-8")
    load_model(out)
    return out


def _read(name: str, path: Path) -> list[tuple[str, Metric]]:
    groups = json.loads(path.read_text(encoding="utf-8"))["minds"][0]["groups"]
    pooled = next(group for group in groups if group["group"] == "all")
    return [
        (f"{name}_{measure}", Metric(**pooled[measure], n=pooled["n"])) for measure in ("accuracy", "cross_entropy")
    ]


if __name__ == "__main__":
    given = dict(word.split("=", 1) for word in sys.argv[2:])
    print(embed(Path(sys.argv[1]), {name: Path(text) for name, text in given.items()}))
