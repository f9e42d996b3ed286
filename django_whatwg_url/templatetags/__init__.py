"""The package's template tag library, ``{% load whatwg_url %}``."""
