"""The tests of `weburl.infra`, a file for each of its modules."""
