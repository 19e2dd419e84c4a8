"""Where pull requests live, behind one protocol."""
