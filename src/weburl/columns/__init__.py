"""URLs in columns of Arrow: from an array of text to an array, by the rules of browsers.

``canonicalize(urls)`` gives every URL in one spelling. A column is anything with the Arrow
PyCapsule interface: a `pyarrow.Array`, a Polars Series, a relation of DuckDB. Public are the names
in `__all__`. Needs pyarrow: ``pip install 'django-whatwg-url[columns]'``.

The engines are files of their own, which nobody else imports. May use `rendering` and all rooms
below it.
"""

from weburl.columns.arrow import ArrowArrayExportable, ArrowColumn, ArrowStreamExportable, Column
from weburl.columns.functions import (
    Base,
    Part,
    can_parse,
    canonicalize,
    check,
    host,
    origin,
    parse,
    part,
    registrable_domain,
    render,
    resolve,
    search_param,
    site,
)
from weburl.columns.running import Errors, Progress

__all__ = [
    "ArrowArrayExportable",
    "ArrowColumn",
    "ArrowStreamExportable",
    "Base",
    "Column",
    "Errors",
    "Part",
    "Progress",
    "can_parse",
    "canonicalize",
    "check",
    "host",
    "origin",
    "parse",
    "part",
    "registrable_domain",
    "render",
    "resolve",
    "search_param",
    "site",
]
