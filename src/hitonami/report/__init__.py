"""Rows in, tables, plots and pages out. Computes nothing that anybody would cite."""
