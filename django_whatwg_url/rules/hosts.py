"""Parses hosts that people type in a form or pass to a query."""

from __future__ import annotations

import ipaddress
from contextlib import suppress
from typing import Final

from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.column.values import text_of
from django_whatwg_url.rules.messages import part_error
from weburl import EmptyHost, OpaqueHost, URLParseError

_HOSTS: Final = (weburl.Domain, weburl.IPv4Address, weburl.IPv6Address, OpaqueHost, EmptyHost)
_NO_HOST: Final = _("“%(culprit)s” is not a host. A host looks like “example.com”.")


def host_operand(value: object) -> tuple[weburl.Host, ...]:
    """Return the hosts that ``value`` may mean. The first is the host of a special URL.

    ``value``: text, a host, or an address from `ipaddress`.
    """
    if isinstance(value, _HOSTS):
        return (value,)
    if isinstance(value, ipaddress.IPv4Address):
        return (weburl.IPv4Address.from_ipaddress(value),)
    if isinstance(value, ipaddress.IPv6Address):
        value = f"[{value}]"  # The parser refuses a zone.
    text = text_of(value)
    if text == "":
        return (EmptyHost(),)
    hosts: dict[str, weburl.Host] = {}
    for is_opaque in (False, True):
        with suppress(URLParseError):
            host = weburl.parse_host(text, is_opaque=is_opaque)
            hosts.setdefault(str(host), host)
    if not hosts:
        raise part_error(_NO_HOST, text)
    return tuple(hosts.values())


def named_host_operand(value: object) -> tuple[weburl.Host, ...]:
    """Return the same as `host_operand`, and treat ".example.com" as "example.com".

    "*.example.com" is refused, because it looks like a pattern. To find one of the few hosts with
    an asterisk, pass a host instead of text.
    """
    if isinstance(value, str):
        if value.startswith("*."):
            raise part_error(_NO_HOST, value)
        value = value.removeprefix(".") or value
    return host_operand(value)
