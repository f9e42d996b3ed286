"""The tests of `django_whatwg_url.columns`, a file for each of its modules."""
