"""The rules of Othello, for `othello.py` and whatever else turns discs over."""
