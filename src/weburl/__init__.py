"""The WHATWG URL Standard as typed immutable values.

`parse` makes a `URLRecord` of text, `check` says what is wrong with it, `URL` is the web's
own mutable interface on top. What `__all__` names is public; anything else may change.
"""

from weburl import operations as operations  # binds the records' methods
from weburl.api import can_parse, canonicalize, check, is_valid_url_string, parse
from weburl.errors import ValidationErrorType
from weburl.file_urls import file_url_from_path, path_from_file_url
from weburl.hosts import Domain, EmptyHost, Host, IPv4Address, IPv6Address, OpaqueHost
from weburl.origin import origin_of
from weburl.origins import OpaqueOrigin, Origin, SchemeAndHost, Site, TupleOrigin
from weburl.records import URLRecord
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
    "same_origin",
    "same_origin_domain",
    "same_site",
    "schemelessly_same_site",
]
