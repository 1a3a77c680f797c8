"""The rules of shogi in pieces, for readers and encoders: SFEN, Japanese notation, what a setup may choose."""
