"""The migrations that create the demo's tables."""
