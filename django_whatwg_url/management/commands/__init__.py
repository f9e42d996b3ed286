"""The commands of `manage.py`, each in its own module."""
