"""URLs in Arrow columns: functions from an array of text to an array, by the rules of browsers.

``canonicalize(urls)`` returns every URL in its canonical spelling. A column is anything with the
Arrow PyCapsule interface, such as a `pyarrow.Array`, a Polars Series or a DuckDB relation. The
public names are those in `__all__`. Needs pyarrow: ``pip install 'django-whatwg-url[columns]'``.

Each engine has a module of its own, which no other module imports. May use `rendering` and all
rooms below it.
"""

from weburl.columns.arrow import ArrowArrayExportable, ArrowColumn, ArrowStreamExportable, Column
from weburl.columns.functions import (
    Base,
    Part,
    can_parse,
    canonicalize,
    check,
    host,
    key,
    origin,
    parse,
    part,
    registrable_domain,
    render,
    resolve,
    search_param,
    site,
    surt,
    without_query_params,
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
    "key",
    "origin",
    "parse",
    "part",
    "registrable_domain",
    "render",
    "resolve",
    "search_param",
    "site",
    "surt",
    "without_query_params",
]
