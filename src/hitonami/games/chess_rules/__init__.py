"""The rules of chess in pieces: two libraries behind one face, and a board for kernels."""
