"""The tests of `django_whatwg_url.query`, a file for each of its modules."""
