"""The tests of `weburl.command_line`; those of the first commands are in `tests/test_main.py`."""
