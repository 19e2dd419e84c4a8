"""Frozen facts as read at one moment, one file per source."""
