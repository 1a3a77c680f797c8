"""Tree search: arrays and kernels that `minds/puct.py` searches with.

`tree` holds one search, `rounds` runs many at once over one mind, `policy` turns visits and values into an opinion,
`pikl` is the regularised one, `shelf` keeps trees for the next move. Nothing here knows a game, a network or
a protocol.
"""
