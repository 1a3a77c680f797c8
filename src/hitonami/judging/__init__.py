"""How good is a move? An independent judge, what moves give away, who blunders, who converts what is won.

judge: an engine or network that is none of the minds under test; losses, blunders: its words as figures; conversion:
won positions played out; phases: when in a game.
"""
