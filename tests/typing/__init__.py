"""Examples that type checkers check; nothing here is ever run."""
