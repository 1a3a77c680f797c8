"""A game under way: whose turn it is, what may be claimed, how it ends, how stones are counted, what clocks show.

The terminal, the page, matches and studies all play here; each keeps its own manner of asking who is to move.
"""
