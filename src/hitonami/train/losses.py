"""What training minimises: cross-entropies over the legal moves, and of the result.

A batch is what `dataset.batches` makes. Two arrays are optional, aligned with `legal` and padded with zeros:
`teacher` (a distribution to imitate beside the human's move) and `expert` (what the expert head should say). A row
of zeros means that nothing is known for that position; it then counts for nothing.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from hitonami.train.recipe import LossSpec


def legal_log_probs(logits: Tensor, legal: Tensor) -> Tensor:
    """[N, most] log-probabilities of the legal moves; -inf in the padding. Illegal moves have no share."""
    places = legal.long()
    chosen = logits.gather(1, places.clamp(min=0)).masked_fill(places < 0, -torch.inf)
    return torch.log_softmax(chosen, dim=1)


def played_index(batch: Mapping[str, Tensor]) -> Tensor:
    """[N] where the human's move stands among the legal moves."""
    return (batch["legal"] == batch["target"][:, None]).int().argmax(1)


def cross_entropy(log_probs: Tensor, wanted: Tensor) -> Tensor:
    """Mean over the rows that want something; 0 where none does. `wanted` [N, most] sums to 1 or 0 in each row."""
    known = wanted.sum(1)
    rows = -(wanted * log_probs.masked_fill(log_probs == -torch.inf, 0.0)).sum(1)
    return rows.sum() / known.sum().clamp(min=1.0)


def losses_of(outputs: Mapping[str, Tensor], batch: Mapping[str, Tensor], weights: LossSpec) -> dict[str, Tensor]:
    """The parts by name, and their weighted sum as "loss".

    Heads without targets are added with a weight of 0, so that every parameter has a gradient: processes that share
    a training wait for each one.
    """
    human = legal_log_probs(outputs["human"], batch["legal"])
    parts = {"hard": -human.gather(1, played_index(batch)[:, None]).mean()}
    if "teacher" in batch:
        parts["soft"] = cross_entropy(human, batch["teacher"])
    if "expert" in outputs:
        expert = legal_log_probs(outputs["expert"], batch["legal"])
        if "expert" in batch:
            parts["expert"] = cross_entropy(expert, batch["expert"])
        else:
            parts["unused"] = 0.0 * outputs["expert"].sum()
    parts["wdl"] = cross_entropy(torch.log_softmax(outputs["wdl"], dim=1), batch["wdl"])
    factors = {"hard": weights.hard, "soft": weights.soft, "expert": weights.expert, "wdl": weights.wdl, "unused": 1.0}
    total = torch.stack([factors[name] * part for name, part in parts.items()]).sum()
    parts.pop("unused", None)
    return {"loss": total, **parts}


def score_batch(outputs: Mapping[str, Tensor], batch: Mapping[str, Tensor]) -> dict[str, float]:
    """Sums over a batch, for validation: cross-entropy and hits of the human's move, cross-entropy of the result."""
    human = legal_log_probs(outputs["human"], batch["legal"])
    played = played_index(batch)
    wdl = -(batch["wdl"] * torch.log_softmax(outputs["wdl"], dim=1)).sum(1)
    return {
        "cross_entropy": -human.gather(1, played[:, None]).sum().item(),
        "accuracy": (human.argmax(1) == played).sum().item(),
        "wdl": wdl.sum().item(),
        "n": float(len(played)),
        "n_wdl": batch["wdl"].sum().item(),
    }
