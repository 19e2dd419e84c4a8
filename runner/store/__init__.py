"""Persistence: the only SQL of the project."""
