"""The places, by subject. `steps` says how a place is written."""
