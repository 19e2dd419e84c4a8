"""Programs that edit code, behind one protocol: what to run, and how to read what it printed."""
