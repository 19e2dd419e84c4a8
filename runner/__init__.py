"""The doing: observes the world, commits decisions, delivers effects."""
