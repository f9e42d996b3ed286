"""The commands for `manage.py`, and what they have in common."""
