"""The tests of `django_whatwg_url.storage`, a file for each of its modules."""
