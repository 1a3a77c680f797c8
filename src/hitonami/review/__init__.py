"""Reviews: a game looked at move by move. What people of a level would have played, and what a move cost.

`walk.Reviewing` yields a step a move as it goes; `reading` finds the game in a file, up to its break if it has one.
"""
