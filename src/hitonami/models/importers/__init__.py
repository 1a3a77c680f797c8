"""Importers: other projects' network files to a card and an ONNX file of ours, one file each.

An importer reads weights and nothing else; it runs no code from the file and unpickles nothing.
"""
