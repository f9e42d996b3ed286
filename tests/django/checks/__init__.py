"""The tests of `django_whatwg_url.checks`, a file for each of its modules."""
