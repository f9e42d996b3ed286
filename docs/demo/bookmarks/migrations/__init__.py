"""The steps that make the demo's tables."""
