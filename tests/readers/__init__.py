"""The tests of `weburl.readers`, and the tables of published confusions."""
