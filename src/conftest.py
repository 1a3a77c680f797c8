"""Doctests of modules that need torch, an extra, are left out where it is missing."""

import importlib.util
import os

if importlib.util.find_spec("torch") is None and os.environ.get("CI") != "true":
    collect_ignore = ["hitonami/train", "hitonami/models/net.py"]
