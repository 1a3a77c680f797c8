"""A trained network to a model that everybody can run: `model.onnx` and `card.json`, checked before they are written.

The file's outputs are compared with torch's on positions of random play. Weights in 16 bits are rounded before that,
so the comparison is as strict for them.
"""

import copy
import csv
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import torch

from hitonami.core import Player, Query, Setup, open_game
from hitonami.dataset.labels import hash_labels, read_label_manifest
from hitonami.errors import WorkFailed
from hitonami.models.card import Card, Heads, Metric, Source
from hitonami.models.encoders import start_for
from hitonami.models.graft import Graft
from hitonami.models.layers import Conv
from hitonami.models.net import Net, to_tensors
from hitonami.models.runtime import Runtime, Settings
from hitonami.models.sessions import open_session
from hitonami.models.store import Model, load_model, write_model
from hitonami.train._graft_graph import graft_to_onnx
from hitonami.train._graph import to_onnx
from hitonami.train._writer import rounded
from hitonami.train.checkpoints import BEST, load_weights
from hitonami.train.loop import build_net
from hitonami.train.recipe import resolve
from hitonami.train.run import MODEL_FOLDER, Run, hash_dataset, read_commit
from hitonami.train.warm_start import describe_files

NetOrGraft = TypeVar("NetOrGraft", Net, Graft)
TOLERANCE: Final = 1e-4
_PLAYOUT_PLIES, _GO_SIZES = 30, (9, 13, 19)


def export_run(run: Run) -> Path:
    """Write the best network of a run as a model. Raises WorkFailed where the file does not do what torch does."""
    recipe = run.recipe
    net = build_net(run)
    net.load_state_dict(load_weights(run.out / BEST))
    if isinstance(net, Net) and not _is_expert_taught(run):
        net.expert = None  # it would say what its random start says
    onnx = export_net(net, bits=recipe.export.bits)
    game, condition = recipe.network.open_encoder().game, recipe.network.condition
    card = Card(
        name=recipe.name,
        game=game,
        encoder=recipe.network.encoder,
        inputs=net.shape.names,
        heads=Heads(human="human", expert="expert" if net.has_expert else None, wdl="wdl"),
        rating_range=None if condition is None else (condition.low, condition.high),
        symmetries=recipe.export.symmetries,
        serves=recipe.export.serves,
        licence=recipe.export.licence,
        provenance=_sources(run),
        metrics=_metrics(run.log),
        recipe=json.dumps(recipe.as_dict(), ensure_ascii=False),
        commit=read_commit(),
        notes=recipe.export.notes,
        model_sha256=hashlib.sha256(onnx).hexdigest(),
    )
    with Runtime(card, onnx, Settings(threads=1, cache_rows=0)):
        return write_model(Model(card, onnx, run.out), run.model)


def _is_expert_taught(run: Run) -> bool:
    """By this run; or by one that it started from, whole."""
    recipe = run.recipe
    if "expert" in [*(spec.head for spec in recipe.teachers), *(spec.head for spec in recipe.labels)]:
        return True
    models = [path / MODEL_FOLDER for path in run.start_from if (path / MODEL_FOLDER).is_dir()]
    return any(load_model(path).card.heads.expert for path in models)


def export_net(net: Net | Graft, *, bits: int) -> bytes:
    """The network as ONNX, equal to torch within TOLERANCE."""
    queries = sample_queries(net)
    arrays = net.spec.open_encoder().encode(queries)
    planes_type = arrays["planes"].dtype.type
    flat: Net | Graft
    if isinstance(net, Graft):
        flat = flatten(net, bits=bits)
        onnx = graft_to_onnx(flat, planes_type, bits=bits)
    else:
        flat = flatten(net, bits=bits)
        onnx = to_onnx(flat, planes_type, bits=bits)
    session = open_session(onnx, 1)
    with torch.no_grad():
        wanted = flat(to_tensors(arrays, net.shape.names))
    wanted["wdl"] = torch.softmax(wanted["wdl"], dim=1)
    made = session.run(list(wanted), {name: arrays[name] for name in net.shape.names})
    for (name, tensor), array in zip(wanted.items(), made, strict=True):
        off = float(np.abs(tensor.numpy() - array).max())
        if not off <= TOLERANCE * max(1.0, float(tensor.abs().max())):
            raise WorkFailed(f"the exported network's output {name} differs from torch's by {off:.2g}")
    return onnx


def flatten(net: NetOrGraft, *, bits: int) -> NetOrGraft:
    """A copy for evaluation: normalisation folded into the convolutions, weights rounded to what `bits` can hold."""
    flat: NetOrGraft = copy.deepcopy(net)
    flat.eval()
    with torch.no_grad():
        for module in flat.modules():
            if isinstance(module, Conv) and module.norm is not None:
                weight, bias = module.folded()
                assert module.conv.bias is not None
                module.conv.weight.copy_(weight)
                module.conv.bias.copy_(bias)
                module.norm = None
        parts = flat.spec.groups if isinstance(flat, Net) and flat.some is not None else 1  # stored trunk by trunk
        for name, tensor in (*flat.named_parameters(), *(("", kept) for kept in flat.kept_weights())):
            pieces = tensor.chunk(1 if name.startswith("condition.") else parts)
            tensor.copy_(torch.cat([rounded(piece, bits) for piece in pieces]))
    return flat


def sample_queries(net: Net | Graft, count: int = 24) -> list[Query]:
    """Positions of random play, by players of all levels and pools; in Go on boards of three sizes, mixed."""
    encoder, rng = net.spec.open_encoder(), np.random.default_rng(0)
    sizes: Sequence[int] = _GO_SIZES if net.spec.mask_plane is not None else (0,)
    pools = (*net.spec.pools, "")
    condition = net.spec.condition
    low, high = (0.0, 1.0) if condition is None else (condition.low, condition.high)
    queries = []
    for at in range(count):
        size = sizes[at % len(sizes)]
        position = open_game(encoder.game).start(Setup(size=size)) if size else start_for(encoder)
        for _ in range(int(rng.integers(_PLAYOUT_PLIES))):
            after = position.play(int(rng.choice(position.legal)))
            position = after if len(after.legal) else position
        ratings = [None if rng.random() < 0.2 else float(rng.uniform(2 * low - high, 2 * high - low)) for _ in range(2)]
        own, other = (Player(rating, str(rng.choice(pools))) for rating in ratings)
        queries.append(Query(position, own, other))
    return queries


def _sources(run: Run) -> tuple[Source, ...]:
    """All that the network was made from, each once."""
    begun = describe_files(run.start_from, dict(run.roots))
    return tuple(dict.fromkeys([*_data_sources(run), *begun, *_teachers(run), *_labels(run)]))


def _data_sources(run: Run) -> list[Source]:
    named = zip(run.recipe.data.folders, run.folders, strict=True)
    return [Source(what=f"games: {Path(text).name}", sha256=hash_dataset(folder)) for text, folder in named]


def _labels(run: Run) -> list[Source]:
    told = []
    for spec, source in zip(run.recipe.labels, run.labels, strict=True):
        about = read_label_manifest(source.folder)["about"]
        judges = ", ".join(about["engines"]) or about["mind"]["kind"]
        told.append(Source(what=f"labels: {Path(spec.folder).name}, by {judges}", sha256=hash_labels(source.folder)))
    return told


def _teachers(run: Run) -> list[Source]:
    models = [load_model(resolve(text, dict(run.roots))) for spec in run.recipe.teachers for text in spec.models]
    return [
        Source(what=f"teacher: {each.card.name}", sha256=each.card.model_sha256, licence=each.card.licence)
        for each in models
    ]


def _metrics(log: Path) -> dict[str, Metric]:
    """The validation of the best weights, as the log has it. Intervals are for `hitonami evaluate`."""
    with log.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["validation_n"]]
    if not rows:
        return {}
    best = min(rows, key=lambda row: float(row["validation_cross_entropy"]))
    n = int(best["validation_n"])
    names = ("cross_entropy", "accuracy", "wdl")
    return {f"validation_{name}": Metric(value=float(best[f"validation_{name}"]), n=n) for name in names}
