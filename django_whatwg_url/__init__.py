"""The URL Standard in Django: a model field, a form field and template filters.

Importing the package imports no models. Import the fields from `django_whatwg_url.fields` and
`django_whatwg_url.forms`.
"""
