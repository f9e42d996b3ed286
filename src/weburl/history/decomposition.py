"""The seven URL decomposition attributes of the HTML5 draft, section 2.6.6.

Links and locations had these attributes before the URL class existed. The functions take and return
text. The caller does the common setter action of the draft, which stores the result.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, get_args

import attrs

from weburl.history.html5_urls import (
    is_absolute_url,
    is_authority_based_url,
    is_hierarchical_url,
    parse,
    split,
)
from weburl.history.rfc3986 import URI, percent_encode
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.strings import require_text, to_scalar_value_string

__all__ = ["decompose", "get_attribute", "set_attribute"]

Attribute: TypeAlias = Literal["protocol", "host", "hostname", "port", "pathname", "search", "hash"]
"""The names of the seven attributes."""

ATTRIBUTES: Final[tuple[Attribute, ...]] = get_args(Attribute)

_NOT_IN_SCHEME: Final = re.compile("[^A-Za-z0-9+.-]")
_DIGITS: Final = re.compile("[0-9]*")
_MAX_PORT: Final = 65535
_MAX_PORT_DIGITS: Final = 5


def get_attribute(url: str, attribute: Attribute) -> str:
    """Return what ``attribute`` of an interface whose input is ``url`` gives.

    The result is "" if the input is not an absolute URL, or does not meet the getter condition of
    the attribute. Raises ValueError if no attribute has this name.

    Spec divergence (the draft's own table of examples has it so): the pathname of a URL with an
    authority and an empty path is "/".

    Document: HTML5 working draft, 2.6.6.
    """
    _require_attribute(attribute)
    if not is_absolute_url(url):
        return ""
    components = parse(url)
    match attribute:
        case "protocol":
            return f"{components.scheme}:"
        case "host" if is_authority_based_url(url):
            return components.hostport or ""
        case "hostname" if is_authority_based_url(url):
            return components.host or ""
        case "port" if is_authority_based_url(url):
            return components.port or ""
        case "pathname" if is_hierarchical_url(url):
            return components.path or "/"
        case "search" if is_hierarchical_url(url) and components.query is not None:
            return f"?{components.query}"
        case "hash" if components.fragment:
            return f"#{components.fragment}"
        case _:
            return ""


def decompose(url: str) -> dict[Attribute, str]:
    """Return what each of the seven attributes gives, in the draft's order."""
    return {attribute: get_attribute(url, attribute) for attribute in ATTRIBUTES}


def set_attribute(url: str, attribute: Attribute, value: str) -> str:
    """Return the output of setting ``attribute`` to ``value`` where the input is ``url``.

    The output is what the common setter action gets. It is ``url`` itself if the setter condition
    is not met. Code points that the component cannot contain are percent-encoded. Raises
    ValueError if no attribute has this name, and TypeError for a value that is not text.

    Spec divergence (the URL would have two ports): setting the host also replaces the default
    port, which is not part of ⟨hostport⟩.

    Document: HTML5 working draft, 2.6.6.
    """
    _require_attribute(attribute)
    require_text(value, "the value of an attribute")
    if not is_absolute_url(url):
        return url
    components = split(url)
    value = to_scalar_value_string(value)
    match attribute:
        case "protocol":
            value = _NOT_IN_SCHEME.sub(
                lambda found: percent_encode(found[0].encode()), value.rstrip(":")
            )
            return str(attrs.evolve(components, scheme=value)) if value else url
        case "host" if value and is_authority_based_url(url):
            host, colon, port = value.rpartition(":")
            has_port = bool(colon) and _DIGITS.fullmatch(port) is not None
            host = _escape_host(host if has_port else value)
            return str(attrs.evolve(components, host=host, port=port if has_port else None))
        case "hostname" if is_authority_based_url(url):
            value = _escape_host(value.lstrip("/"))
            return str(attrs.evolve(components, host=value)) if value else url
        case "port" if is_authority_based_url(url):
            found = _DIGITS.match(value)
            port = ("" if found is None else found[0]).lstrip("0") or "0"
            # Converting a long number to an int would take quadratic time.
            is_port = len(port) <= _MAX_PORT_DIGITS and int(port) <= _MAX_PORT
            return str(attrs.evolve(components, port=port)) if is_port else url
        case "pathname" if is_hierarchical_url(url):
            path = URI.escape("path", value if value.startswith("/") else f"/{value}")
            return str(attrs.evolve(components, path=path))
        case "search" if is_hierarchical_url(url):
            query = URI.escape("query", value.removeprefix("?"))
            return str(attrs.evolve(components, query=query))
        case "hash":
            fragment = URI.escape("fragment", value.removeprefix("#"))
            return str(attrs.evolve(components, fragment=fragment))
        case _:
            return url


def _require_attribute(attribute: str) -> None:
    if attribute not in ATTRIBUTES:
        raise ValueError(
            f"there is no attribute {masked_value(attribute)}, only {', '.join(ATTRIBUTES)}"
        )


def _escape_host(host: str) -> str:
    return host if URI.is_ip_literal(host) else URI.escape("host", host)
