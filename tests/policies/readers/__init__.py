"""The tests of `weburl.policies.readers`, and the tables of published confusions."""
