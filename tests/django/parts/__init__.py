"""The tests of `django_whatwg_url.parts`, a file for each of its modules."""
