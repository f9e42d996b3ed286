"""The tests of `django_whatwg_url.column`, a file for each of its modules."""
