"""What the arrows ask for: pure functions of a snapshot that return requests and effects."""
