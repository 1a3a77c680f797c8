"""Averaged weights: what a falling rate gives, at any time of a run whose rate does not fall."""

import torch
from torch import nn


@torch.no_grad()
def follow(average: nn.Module, net: nn.Module, keep: float, step: int) -> None:
    """Move averaged weights (and statistics) towards a network's after `step` steps; a share of `keep` stays.

    In the first steps less stays, so that a random start is soon forgotten.
    """
    share = 1.0 - min(keep, (1 + step) / (10 + step))
    held, given = average.state_dict(), net.state_dict()
    for name, tensor in held.items():
        tensor.lerp_(given[name].to(tensor.dtype), share)
