"""The WHATWG URL Standard for Python, as typed immutable values.

`parse` turns text into a `URLRecord`. `check` says what is wrong with a text. `URL` is the mutable
class that browsers have.
The public names are those in `__all__`, `ValidationError` and `__version__`. All other names may
change. ``from weburl import *`` does not import `ValidationError`, because it would hide Django's.
"""

import importlib
import typing

from weburl.api import can_parse, canonicalize, check, is_valid_url_string, parse
from weburl.hosts.values import Domain, EmptyHost, Host, IPv4Address, IPv6Address, OpaqueHost
from weburl.infra.errors import ValidationErrorType
from weburl.infra.schemes import SPECIAL_SCHEMES, Scheme, default_port
from weburl.records.record import URLRecord

if typing.TYPE_CHECKING:
    from weburl.file_urls import file_url_from_path, path_from_file_url
    from weburl.interface.search_params import URLSearchParams
    from weburl.interface.url import URL
    from weburl.origins.of_url import origin_of
    from weburl.origins.sites import (
        extract_an_origin,
        is_registrable_domain_suffix_of_or_is_equal_to,
        obtain_a_site,
        same_origin,
        same_origin_domain,
        same_site,
        schemelessly_same_site,
    )
    from weburl.origins.texts import OriginError, OriginProblem, origin_problems, parse_origins
    from weburl.origins.values import OpaqueOrigin, Origin, SchemeAndHost, Site, TupleOrigin
    from weburl.patterns.conditions import URLPatternCondition
    from weburl.patterns.errors import URLPatternError
    from weburl.patterns.lists import URLPatternList
    from weburl.patterns.pattern import URLPattern
    from weburl.patterns.result import URLPatternComponentResult, URLPatternResult
    from weburl.policies.addresses import address_classes
    from weburl.policies.contacting import check_addresses
    from weburl.policies.policy import URLPolicy
    from weburl.policies.violations import PolicyViolation, URLPolicyError
    from weburl.readers.agreement import Readings, readings
    from weburl.readers.reading import Reading
    from weburl.references import RelativeReference
    from weburl.rendering.html import render_html
    from weburl.rendering.text import render
    from weburl.validation.report import Report, URLParseError
    from weburl.validation.report import ValidationError as ValidationError
else:
    # Hidden from type checkers, which would otherwise accept every misspelt name.
    def __getattr__(name: str) -> typing.Any:  # noqa: ANN401
        """Import a public name on first use, and return it."""
        module = _MODULE_OF.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = vars(_module(module))
        # All public names of the module at once: a class's annotations may name the others.
        public = {*__all__, *_MODULE_OF}
        globals().update({known: found[known] for known in public if known in found})
        return found[name]


__version__ = "0.1.0"
"""The version of this package and of `django_whatwg_url`, such as "1.2.0".

This is the only place where it is written. The build reads it from this line.
"""
# Not read from the installed metadata, because that takes time, may be stale in an editable
# install, and does not exist if the files were only copied.


def _module(name: str) -> typing.Any:  # noqa: ANN401
    """Import a module of the package, and return it."""
    return importlib.import_module(f"{__name__}.{name}")


__all__ = [
    "SPECIAL_SCHEMES",
    "URL",
    "Domain",
    "EmptyHost",
    "Host",
    "IPv4Address",
    "IPv6Address",
    "OpaqueHost",
    "OpaqueOrigin",
    "Origin",
    "OriginError",
    "OriginProblem",
    "PolicyViolation",
    "Reading",
    "Readings",
    "RelativeReference",
    "Report",
    "Scheme",
    "SchemeAndHost",
    "Site",
    "TupleOrigin",
    "URLParseError",
    "URLPattern",
    "URLPatternComponentResult",
    "URLPatternCondition",
    "URLPatternError",
    "URLPatternList",
    "URLPatternResult",
    "URLPolicy",
    "URLPolicyError",
    "URLRecord",
    "URLSearchParams",
    "ValidationErrorType",
    "address_classes",
    "can_parse",
    "canonicalize",
    "check",
    "check_addresses",
    "default_port",
    "extract_an_origin",
    "file_url_from_path",
    "is_registrable_domain_suffix_of_or_is_equal_to",
    "is_valid_url_string",
    "obtain_a_site",
    "origin_of",
    "origin_problems",
    "parse",
    "parse_origins",
    "path_from_file_url",
    "readings",
    "render",
    "render_html",
    "same_origin",
    "same_origin_domain",
    "same_site",
    "schemelessly_same_site",
]

# The modules of the names that are imported on first use, so that a program that only parses starts
# in half the time.
_MODULE_OF: typing.Final = {
    "file_url_from_path": "file_urls",
    "path_from_file_url": "file_urls",
    "RelativeReference": "references",
    "origin_of": "origins.of_url",
    "OriginError": "origins.texts",
    "OriginProblem": "origins.texts",
    "origin_problems": "origins.texts",
    "parse_origins": "origins.texts",
    "OpaqueOrigin": "origins.values",
    "Origin": "origins.values",
    "SchemeAndHost": "origins.values",
    "Site": "origins.values",
    "TupleOrigin": "origins.values",
    "render": "rendering.text",
    "render_html": "rendering.html",
    "Report": "validation.report",
    "URLParseError": "validation.report",
    "ValidationError": "validation.report",
    "URLPattern": "patterns.pattern",
    "URLPatternCondition": "patterns.conditions",
    "URLPatternError": "patterns.errors",
    "URLPatternList": "patterns.lists",
    "URLPatternComponentResult": "patterns.result",
    "URLPatternResult": "patterns.result",
    "URLSearchParams": "interface.search_params",
    "extract_an_origin": "origins.sites",
    "is_registrable_domain_suffix_of_or_is_equal_to": "origins.sites",
    "obtain_a_site": "origins.sites",
    "same_origin": "origins.sites",
    "same_origin_domain": "origins.sites",
    "same_site": "origins.sites",
    "schemelessly_same_site": "origins.sites",
    "URL": "interface.url",
    "address_classes": "policies.addresses",
    "check_addresses": "policies.contacting",
    "URLPolicy": "policies.policy",
    "PolicyViolation": "policies.violations",
    "URLPolicyError": "policies.violations",
    "Readings": "readers.agreement",
    "readings": "readers.agreement",
    "Reading": "readers.reading",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULE_OF})
