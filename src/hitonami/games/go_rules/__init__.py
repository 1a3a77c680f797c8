"""The rules of Go in pieces, for whoever needs a board without the game: stones, rule sets, counting, SGF."""
