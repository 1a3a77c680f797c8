"""Fits: the knobs that turn a distribution into a player of a level, found on human moves.

Every mind is asked once about every decision (`sheet`); what follows is arithmetic on the answers. A knob is fitted for
each group and as a curve over rating (`knobs`, `curves`), by likelihood or by accuracy, and checked on games that the
fit never saw (`held_out`). `blend`, `softmax` and `distance` say what their knob does to the answers. Nothing here
trains a network, and nothing is fitted to results of games.
"""
