"""The rules: lifecycles, guards and policies over frozen snapshots; no I/O, no clock, no environment."""
