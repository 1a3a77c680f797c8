"""Bot or not: Turing tests with hidden opponents.

An experimenter sets a study up; visitors watch or play games and judge them; `evaluate/turing.py` sums the answers up.
Who the opponent was is told to nobody but the holder of the study's key, or to a visitor whose last answer is in: not
by ids (random), nor by timing (one pace for all), nor by how games end (nobody resigns or claims), nor by their length
(games to watch have the same number of moves), nor by what fails (one sentence for all failures).
"""
