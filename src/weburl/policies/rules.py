"""The arguments of a policy: which values are allowed, and their canonical form.

The other modules know what they mean. None means no rule.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, TypedDict

import attrs

from weburl.lookalikes import ProtectedNames
from weburl.patterns.pattern import URLPattern, address_in_part, pattern_of
from weburl.policies.addresses import ADDRESS_CLASSES, AddressClass
from weburl.policies.host_list import HostList
from weburl.policies.hosts import domain_rules, host_rules, require_list
from weburl.standard.infra.credentials import masked_before_at_sign, masked_value
from weburl.standard.support.typed_text import normalized_schemes


class Rules(TypedDict, total=False):
    """The arguments of `URLPolicy`, except ``and_also``."""

    schemes: Iterable[str] | None
    hosts: Iterable[str] | None
    registrable_domains: Iterable[str] | None
    refused_hosts: Iterable[str]
    refused_registrable_domains: Iterable[str]
    ports: Iterable[int] | None
    credentials: bool
    fragments: bool
    max_length: int | None
    ip_hosts: bool
    address_classes: Iterable[AddressClass] | None
    networks: Iterable[str] | None
    single_labels: bool
    special_use_names: bool
    public_suffixes: bool
    unknown_suffixes: bool
    unresolvable_names: bool
    leading_hyphens: bool
    not_like: Iterable[str] | ProtectedNames
    require_agreement: bool
    patterns: Iterable[str | Mapping[str, str] | URLPattern] | None


def schemes(values: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return schemes in lowercase, sorted, without duplicates. Raises TypeError, ValueError."""
    if values is None:
        return None
    require_list(values, "schemes", "schemes")
    return tuple(sorted(normalized_schemes(values)))


def ports(values: Iterable[int] | None) -> tuple[int, ...] | None:
    """Return ports, sorted, without duplicates. Raises TypeError, ValueError."""
    if values is None:
        return None
    require_list(values, "ports", "ports")
    found = set()
    for port in values:
        if type(port) is not int or not 0 <= port <= 0xFFFF:
            kind = ValueError if type(port) is int else TypeError
            raise kind(f"a port must be an integer from 0 to 65535, not {masked_value(port)}")
        found.add(port)
    return tuple(sorted(found))


def classes(values: Iterable[AddressClass] | None) -> tuple[AddressClass, ...] | None:
    """Return classes of addresses without duplicates, in a fixed order. Raises as `schemes`."""
    if values is None:
        return None
    require_list(values, "address_classes", "names")
    wanted = []
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"a class of addresses must be text, not {type(value).__name__}")
        wanted.append(value)
    if unknown := set(wanted).difference(ADDRESS_CLASSES):
        raise ValueError(
            f"{masked_value(min(unknown))} is not a class of addresses; "
            f"the classes are {', '.join(ADDRESS_CLASSES)}"
        )
    return tuple(name for name in ADDRESS_CLASSES if name in wanted)


def networks(values: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return networks in canonical form, sorted, without duplicates. Raises TypeError, ValueError.

    Only the address may be written, without a length: then the network is only this address.
    """
    if values is None:
        return None
    require_list(values, "networks", "networks")
    found = set()
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"a network must be text, not {type(value).__name__}")
        # Raised after the handler, so that Python's error with the whole text is not its context.
        with suppress(ValueError):
            found.add(str(ipaddress.ip_network(value)))
            continue
        text = masked_before_at_sign(value)[:100]
        raise ValueError(f"{text!r} is not a network like '10.0.0.0/8' or 'fd00::/8'")
    return tuple(sorted(found))


def hosts(values: Iterable[str] | None) -> tuple[str, ...] | HostList | None:
    """Return rules for hosts in canonical form. Raises as `host_rules`."""
    if values is None or isinstance(values, HostList):
        return values
    return host_rules(values, "hosts")


def domains(values: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return domains in canonical form. Raises as `domain_rules`."""
    if values is None:
        return None
    return domain_rules(values, "registrable_domains")


def refused_hosts(values: Iterable[str]) -> tuple[str, ...] | HostList:
    """Return rules for hosts in canonical form. Raises as `host_rules`."""
    if isinstance(values, HostList):
        return values
    return host_rules(values, "refused_hosts")


def refused_domains(values: Iterable[str]) -> tuple[str, ...]:
    """Return domains in canonical form. Raises as `domain_rules`."""
    return domain_rules(values, "refused_registrable_domains")


def not_like(values: Iterable[str] | ProtectedNames) -> tuple[str, ...]:
    """Return registrable domains in canonical form. Raises as `ProtectedNames`."""
    names = values if isinstance(values, ProtectedNames) else ProtectedNames(values)
    return names.names


def patterns(
    values: Iterable[str | Mapping[str, str] | URLPattern] | None,
) -> tuple[URLPattern, ...] | None:
    """Return patterns without duplicates, in their order. Raises TypeError, `URLPatternError`.

    A pattern that makes `URLPattern` warn is an error here, because it allows more than it seems.
    """
    if values is None:
        return None
    if isinstance(values, (str, Mapping, URLPattern)):
        raise TypeError("patterns must be an iterable of patterns, not one pattern")
    require_list(values, "patterns", "patterns")
    made = [_pattern(value) for value in values]
    for problem in filter(None, map(address_in_part, made)):
        raise problem
    return tuple(dict.fromkeys(made))


def _pattern(value: str | Mapping[str, str] | URLPattern) -> URLPattern:
    if value is None:  # of which `URLPattern` would make a pattern for every URL
        raise TypeError("a pattern is text, a mapping or a URLPattern, not None")
    return value if isinstance(value, URLPattern) else pattern_of(value)


def check_max_length(_policy: object, _attribute: attrs.Attribute[Any], value: int | None) -> None:
    """Raise TypeError or ValueError if the value cannot be a length."""
    if value is not None and (type(value) is not int or value < 1):
        kind = ValueError if type(value) is int else TypeError
        raise kind(f"max_length must be a positive integer or None, not {masked_value(value)}")
