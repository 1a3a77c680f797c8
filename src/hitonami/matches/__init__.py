"""Games between minds, and what they prove: pairing, blocks of games that advance together, Elo, SPRT, standings.

entrants and openings: who plays, from where; pairing: the plan; block: the games of one; tournament: all of them, kept;
elo, expectation, sprt, standings: what the results say. No clocks here, and no people.
"""
