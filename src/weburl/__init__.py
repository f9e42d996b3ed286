"""The WHATWG URL Standard as typed immutable values.

`parse` makes a `URLRecord` of text, `check` says what is wrong with it, `URL` is the web's
own mutable interface on top. What `__all__` names is public; anything else may change.
"""

import functools
import importlib
import typing

from weburl import records
from weburl.api import can_parse, canonicalize, check, is_valid_url_string, parse
from weburl.errors import ValidationErrorType
from weburl.hosts import Domain, EmptyHost, Host, IPv4Address, IPv6Address, OpaqueHost
from weburl.records import URLRecord

if typing.TYPE_CHECKING:
    from weburl.file_urls import file_url_from_path, path_from_file_url
    from weburl.origin import origin_of
    from weburl.origins import OpaqueOrigin, Origin, SchemeAndHost, Site, TupleOrigin
    from weburl.rendering import render
    from weburl.rendering_html import render_html
    from weburl.report import Report, URLParseError, ValidationError
    from weburl.search_params import URLSearchParams
    from weburl.sites import (
        extract_an_origin,
        is_registrable_domain_suffix_of_or_is_equal_to,
        obtain_a_site,
        same_origin,
        same_origin_domain,
        same_site,
        schemelessly_same_site,
    )
    from weburl.url import URL
else:
    # Type checkers would take every misspelt name for one that this finds.
    def __getattr__(name: str) -> typing.Any:  # noqa: ANN401
        """Return a public name that was not asked for before."""
        module = _MODULE_OF.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        return value


__all__ = [
    "URL",
    "Domain",
    "EmptyHost",
    "Host",
    "IPv4Address",
    "IPv6Address",
    "OpaqueHost",
    "OpaqueOrigin",
    "Origin",
    "Report",
    "SchemeAndHost",
    "Site",
    "TupleOrigin",
    "URLParseError",
    "URLRecord",
    "URLSearchParams",
    "ValidationError",
    "ValidationErrorType",
    "can_parse",
    "canonicalize",
    "check",
    "extract_an_origin",
    "file_url_from_path",
    "is_registrable_domain_suffix_of_or_is_equal_to",
    "is_valid_url_string",
    "obtain_a_site",
    "origin_of",
    "parse",
    "path_from_file_url",
    "render",
    "render_html",
    "same_origin",
    "same_origin_domain",
    "same_site",
    "schemelessly_same_site",
]

# Where the names are that a program may do without: what only parses loads in half the time.
_MODULE_OF: typing.Final = {
    "file_url_from_path": "file_urls",
    "path_from_file_url": "file_urls",
    "origin_of": "origin",
    "OpaqueOrigin": "origins",
    "Origin": "origins",
    "SchemeAndHost": "origins",
    "Site": "origins",
    "TupleOrigin": "origins",
    "render": "rendering",
    "render_html": "rendering_html",
    "Report": "report",
    "URLParseError": "report",
    "ValidationError": "report",
    "URLSearchParams": "search_params",
    "extract_an_origin": "sites",
    "is_registrable_domain_suffix_of_or_is_equal_to": "sites",
    "obtain_a_site": "sites",
    "same_origin": "sites",
    "same_origin_domain": "sites",
    "same_site": "sites",
    "schemelessly_same_site": "sites",
    "URL": "url",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@functools.cache
def _operations() -> records.Operations:
    from weburl.operations import OPERATIONS

    return OPERATIONS


records.bind_operations(_operations)
