"""The tests of `weburl.policies`, a file for each of its modules, and the published bypasses."""
