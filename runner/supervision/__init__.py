"""Worker processes that outlive the tick: start at most once, watch, stop, and read what became of them."""
