"""Experiments: named studies written as data, whose steps are kept by a hash of everything that they depend on."""
