"""The tests of `weburl.standard.infra`, a file for each of its modules."""
