"""How one person plays: features of style, games that are alike, and the making of twins.

Names of people are read where a person has to be found among players, and never written.
"""
