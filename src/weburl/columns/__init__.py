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
    file_extension,
    file_name,
    host,
    key,
    matches,
    origin,
    parse,
    part,
    path_depth,
    path_segments,
    registrable_domain,
    render,
    resolve,
    same_site,
    search_param,
    search_params,
    site,
    surt,
    without_query_params,
)
from weburl.columns.hosts import (
    canonical_host,
    is_ip,
    public_suffix,
    registrable_domain_of_host,
    subdomain,
)
from weburl.columns.running import BareHostsWarning, Errors, Progress

__all__ = [
    "ArrowArrayExportable",
    "ArrowColumn",
    "ArrowStreamExportable",
    "BareHostsWarning",
    "Base",
    "Column",
    "Errors",
    "Part",
    "Progress",
    "can_parse",
    "canonical_host",
    "canonicalize",
    "check",
    "file_extension",
    "file_name",
    "host",
    "is_ip",
    "key",
    "matches",
    "origin",
    "parse",
    "part",
    "path_depth",
    "path_segments",
    "public_suffix",
    "registrable_domain",
    "registrable_domain_of_host",
    "render",
    "resolve",
    "same_site",
    "search_param",
    "search_params",
    "site",
    "subdomain",
    "surt",
    "without_query_params",
]
