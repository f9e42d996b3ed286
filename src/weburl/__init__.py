"""The WHATWG URL Standard for Python, as typed immutable values.

    url = weburl.parse("https://example.com/a?q=1")     a `URLRecord` of text, read as browsers do
    url.hostname, url.path_text, url.query_params       its parts
    url.join("../b"), url / "segment"                   other URLs from it
    url.with_query_param("page", 2)                     a change makes a new record
    str(url), weburl.render(url)                        text for programs, and for people
    weburl.canonicalize(text)                           one text for all spellings of a URL
    weburl.check(text)                                  what is wrong with it
    weburl.URLPolicy.public_link().parse(text)          only what your rules allow

`URL` and `URLSearchParams` are the classes that browsers have. `URLPattern` matches URLs. Origins
and sites: `origin_of`, `same_origin`, `same_site`. Files: `path_from_file_url`.

A function that takes a URL takes text, a `URLRecord` or a `URL`. Text that does not parse raises
`URLParseError`. A record or a host never equals text: compare `url.hostname`.

The public names are those in `__all__`, `ValidationError` and `__version__`. All other names may
change. ``from weburl import *`` does not import `ValidationError`, because it would hide Django's.
"""

import functools
import importlib
import sys
import types
import typing

from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
)
from weburl.standard.infra.one_value import use_schemas as _use_schemas
from weburl.standard.infra.schemes import SPECIAL_SCHEMES, Scheme, default_port
from weburl.standard.storage import COMPILED
from weburl.standard.url.api import can_parse, canonicalize, check, is_valid_url_string, parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.record import use_references as _use_references

if typing.TYPE_CHECKING:
    from weburl.origins.sites import (
        obtain_a_site,
        same_origin,
        same_site,
    )
    from weburl.origins.texts import OriginError, OriginProblem, origin_problems, parse_origins
    from weburl.patterns.errors import URLPatternError
    from weburl.patterns.lists import URLPatternList
    from weburl.patterns.pattern import URLPattern
    from weburl.patterns.result import URLPatternComponentResult, URLPatternResult
    from weburl.policies.addresses import address_classes
    from weburl.policies.host_list import HostList, HostListProblem
    from weburl.policies.policy import URLPolicy, check_addresses
    from weburl.policies.readers import Reading, Readings, readings
    from weburl.policies.violations import PolicyViolation, URLPolicyError
    from weburl.standard.infra.comparisons import ComparedWithTextWarning
    from weburl.standard.infra.errors import ValidationErrorType
    from weburl.standard.interface.search_params import URLSearchParams
    from weburl.standard.interface.url import URL
    from weburl.standard.rendering.html import render_html
    from weburl.standard.rendering.text import render
    from weburl.standard.url.file_urls import file_url_from_path, path_from_file_url
    from weburl.standard.url.host_texts import parse_host
    from weburl.standard.url.origin import OpaqueOrigin, Origin, SchemeAndHost, Site, TupleOrigin
    from weburl.standard.url.origin_of import origin_of
    from weburl.standard.url.references import RelativeReference, parse_reference
    from weburl.standard.url.report import Report, URLParseError
    from weburl.standard.url.report import ValidationError as ValidationError
else:
    # Hidden from type checkers, which would otherwise accept every misspelt name.
    def __getattr__(name: str) -> typing.Any:  # noqa: ANN401
        """Import a public name on first use, and return it."""
        module = _MODULE_OF.get(name)
        if module is None:
            from weburl.standard.infra.guesses import OF_MODULE, no_such_name

            message = no_such_name(__name__, name, OF_MODULE)
            raise AttributeError(message, name=name, obj=sys.modules[__name__])
        found = vars(_module(module))
        # All public types of the module at once: a class's annotations may name the others. Not its
        # functions, because it may use another one with the name of a public one.
        for known in {name, *__all__, *_MODULE_OF} & found.keys():
            if known == name or not isinstance(found[known], types.FunctionType):
                globals()[known] = found[known]
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
    "COMPILED",
    "SPECIAL_SCHEMES",
    "URL",
    "ComparedWithTextWarning",
    "Domain",
    "EmptyHost",
    "Host",
    "HostList",
    "HostListProblem",
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
    "file_url_from_path",
    "is_valid_url_string",
    "obtain_a_site",
    "origin_of",
    "origin_problems",
    "parse",
    "parse_host",
    "parse_origins",
    "parse_reference",
    "path_from_file_url",
    "readings",
    "render",
    "render_html",
    "same_origin",
    "same_site",
]

# The modules of the names that are imported on first use, so that a program that only parses starts
# in half the time.
_MODULE_OF: typing.Final = {
    name: module
    for module, names in {
        "standard.url.file_urls": "file_url_from_path path_from_file_url",
        "standard.url.host_texts": "parse_host",
        "standard.url.references": "RelativeReference parse_reference",
        "standard.url.origin_of": "origin_of",
        "origins.texts": "OriginError OriginProblem origin_problems parse_origins",
        "standard.url.origin": "OpaqueOrigin Origin SchemeAndHost Site TupleOrigin",
        "standard.rendering.text": "render",
        "standard.rendering.html": "render_html",
        "standard.url.report": "Report URLParseError ValidationError",
        "patterns.pattern": "URLPattern",
        "patterns.errors": "URLPatternError",
        "patterns.lists": "URLPatternList",
        "patterns.result": "URLPatternComponentResult URLPatternResult",
        "standard.interface.search_params": "URLSearchParams",
        "origins.sites": "obtain_a_site same_origin same_site",
        "standard.interface.url": "URL",
        "standard.infra.errors": "ValidationErrorType",
        "standard.infra.comparisons": "ComparedWithTextWarning",
        "policies.host_list": "HostList HostListProblem",
        "policies.addresses": "address_classes",
        "policies.policy": "URLPolicy check_addresses",
        "policies.violations": "PolicyViolation URLPolicyError",
        "policies.readers": "Reading Readings readings",
    }.items()
    for name in names.split()
}


def __dir__() -> list[str]:
    return [*__all__]


# pydantic's schemas are above the values that ask for them, and references above records.
_use_schemas(functools.partial(_module, "integrations.pydantic_schemas"))
_use_references(functools.partial(_module, "standard.url.references"))
