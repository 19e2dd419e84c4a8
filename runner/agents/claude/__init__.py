"""Claude Code as an unattended worker: what to run, how to read its stream, what it said and did."""

from runner.agents.claude.invocation import command
from runner.agents.claude.reading import read
from runner.agents.claude.transcript import transcript

__all__ = ["command", "read", "transcript"]
