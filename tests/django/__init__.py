"""Tests of `django_whatwg_url`, with the settings and the app they run in."""
