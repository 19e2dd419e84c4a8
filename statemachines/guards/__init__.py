"""Questions about snapshots, answered by verdicts."""
