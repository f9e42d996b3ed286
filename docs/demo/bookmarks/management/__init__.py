"""The demo's additions to `manage.py`."""
