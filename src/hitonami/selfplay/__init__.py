"""A game learned from nothing but its rules: many games in lockstep, a network that learns from them, and again.

`recipe` says what is wanted, `whole` does it; torch lives in `learner` and `beginning` alone.
"""
