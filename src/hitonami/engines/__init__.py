"""Clients of external programs: UCI, USI and GTP engines spoken to by lines.

A client turns a core Position into the program's commands and its answer into moves and lines. It has
no opinion of its own: how scores become probabilities is the business of `minds/`.
"""
