"""How strong is a player? A rating from moves alone, and from puzzles, on the scale of a pool.

evidence: what minds say of a player's moves; estimate: evidence as a rating with its interval; fit and run: calibrating
that on people whose ratings are known; rating_of: the people in records; puzzles, item_response: items
whose difficulty is known.
"""
