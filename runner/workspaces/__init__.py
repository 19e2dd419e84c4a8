"""Mirrors and working trees: every git command the product runs."""
