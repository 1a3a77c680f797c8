"""Hitonami: opponents, predictions and studies of play that are human.

The package imports nothing heavy by itself; see `hitonami.core` for the nouns and `hitonami.specs` for
turning a spec into a running mind.
"""

__version__ = "0.1.0"
