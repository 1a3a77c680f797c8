"""Intuition: what patterns around a move speak for it, learned from nothing, and the doubt and analysis over it.

`lattice` has the cells of a board and its turns, `symmetry` finds which of them a game does not tell apart, `views`
reads positions, `patterns` are conditions around a move, `knowledge` is what was learned of them, kept as a file;
`kernels` weigh moves, `growth` finds new patterns, `learning` plays games for it. `doubt` says which moves are worth
looking at, `analysis` looks, with a memory of fixed size. Nothing here knows a game by name, a network or a protocol.
"""
