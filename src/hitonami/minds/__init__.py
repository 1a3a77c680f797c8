"""Minds, one file each: the file's name is the mind's kind, its dataclass fields are its schema.

`hitonami minds` lists them with their fields. docs/adding-a-mind.md shows how to add one.
"""
