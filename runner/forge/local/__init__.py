"""The built-in forge: pull requests, reviews and CI beside a git repository, with no network."""
