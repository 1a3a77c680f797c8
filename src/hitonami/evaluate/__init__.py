"""How human is a mind? Human decisions are drawn once, every mind is asked about the same ones, figures get intervals.

reading: games of any DATA; drawing: which decisions; decisions: one row a human move and mind; metrics, level_matrix:
figures, with the intervals of intervals. Nothing here prints, plots or trains.
"""
