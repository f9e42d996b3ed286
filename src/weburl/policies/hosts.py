"""The hosts that a rule means, and facts about the host of a URL.

Rules are text: "example.com" means only that host, "*.example.com" all hosts below it, and
".example.com" both, as in Django's ``ALLOWED_HOSTS``. A rule that can mean no host is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from weburl.policies.addresses import embedded_ipv4
from weburl.standard.hosts.domains import domain_to_look_up
from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv6Address,
    OpaqueHost,
)
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.percent_encoding import percent_decode_to_text
from weburl.standard.infra.strings import shortened, to_scalar_value_string

if TYPE_CHECKING:
    from weburl.standard.hosts.public_suffix import PublicSuffixList

BELOW: Final = "*."
"""What a rule begins with that means only the hosts below its name."""
WITH_BELOW: Final = "."
"""What a rule begins with that means these and the host itself."""


def host_rules(rules: Iterable[str], name: str) -> tuple[str, ...]:
    """Return ``rules`` in canonical form, sorted and without duplicates.

    ``name``: the name of the argument, for messages. Raises TypeError if the list is a string, and
    ValueError if a value is not a host.
    """
    require_list(rules, name, "hosts")
    return tuple(sorted({"".join(canonical_rule(rule, name)) for rule in rules}))


def domain_rules(domains: Iterable[str], name: str) -> tuple[str, ...]:
    """Return ``domains`` as `host_rules` does. They must be registrable domains."""
    require_list(domains, name, "hosts")
    return tuple(sorted({_domain_rule(domain, name) for domain in domains}))


def _domain_rule(domain: str, name: str) -> str:
    _require_text(domain, name)
    if domain.startswith((BELOW, WITH_BELOW)):
        bare = shortened(masked_before_at_sign(domain.lstrip("*.")))
        raise ValueError(f"{name}: a domain includes all hosts below it, so write {bare!r}")
    host = _canonical(domain, name)
    if not isinstance(host, Domain):
        raise ValueError(f"{name}: {str(host)!r} is an address, not a domain")  # noqa: TRY004
    registrable = host.registrable_domain
    if registrable is None:
        raise ValueError(
            f"{name}: no one can register {shortened(host.value)!r}, so it is the registrable"
            f" domain of no host. As a host, it goes into a list of hosts"
        )
    if registrable != host:
        raise ValueError(
            f"{name}: the registrable domain of {shortened(host.value)!r} is"
            f" {shortened(registrable.value)!r}. To name the hosts below one of its subdomains, use"
            f" a list of hosts with {shortened(f'.{host}')!r}"
        )
    return host.value


def canonical_rule(rule: str, name: str) -> tuple[str, str]:
    """Return what ``rule`` begins with ("", "." or "*.") and its host in canonical form.

    An IPv6 address that is another spelling of an IPv4 address becomes that. Raises as
    `host_rules`.
    """
    _require_text(rule, name)
    start = next((start for start in (BELOW, WITH_BELOW) if rule.startswith(start)), "")
    host = plain_address(_canonical(rule.removeprefix(start), name))
    if start and not isinstance(host, Domain):
        shown = shortened(masked_before_at_sign(rule))
        raise ValueError(f"{name}: an address has no subdomains: {shown!r}")
    return start, str(host)


def _require_text(rule: object, name: str) -> None:
    if not isinstance(rule, str):
        raise TypeError(f"{name}: a host must be text, not {type(rule).__name__}")


def require_list(rules: object, name: str, of: str) -> None:
    """Raise TypeError if the argument ``name`` is not an iterable of what ``of`` names."""
    if isinstance(rules, str):
        raise TypeError(f"{name} must be an iterable of {of}, not one string")
    if not isinstance(rules, Iterable):
        raise TypeError(f"{name} must be an iterable of {of}, not {type(rules).__name__}")


def _canonical(text: str, name: str) -> Host:
    host = host_of(text)
    if host is None or "*" in str(host) or str(host).startswith("."):
        shown = shortened(masked_before_at_sign(text))
        raise ValueError(
            f"{name}: {shown!r} is not a host like 'example.com', '.example.com' (with all hosts"
            f" below it) or '*.example.com' (only those). Leave out scheme, port and path. An IPv6"
            f" address is in brackets"
        )
    return host


def host_of(text: str) -> Host | None:
    """Return the host that ``text`` is in a URL of the web, or None."""
    if not text:
        return None
    try:
        return parse_host(to_scalar_value_string(text), False)
    except Failure:
        return None


def host_to_look_up(text: str) -> Host | None:
    """Return the host that ``text`` is, or None, in a time that a long text keeps short.

    A label that is too long for the names of a list may be replaced by another such label.
    """
    if len(text) > MAX_DOMAIN_LENGTH and not text.startswith("["):
        text = domain_to_look_up(percent_decode_to_text(to_scalar_value_string(text))) or ""
    return host_of(text)


def judged_host(host: Host | None) -> Host | None:
    """Return the host that ``host`` may lead to. An opaque host is parsed as a host of the web.

    A domain that would be an address without extra dots at its ends ("127.0.0.1..") is read as that
    address, because some programs drop the dots. The result is None if there is no host, or an
    empty one. An opaque host that does not parse as a host of the web remains opaque.
    """
    if host is None or isinstance(host, EmptyHost):
        return None
    if isinstance(host, OpaqueHost):
        return judged_host(host_of(host.value)) or host
    if isinstance(host, Domain) and (host.value[-1] == "." or host.value[0] == "."):
        bare = host_of(host.value.strip("."))
        return host if isinstance(bare, Domain) or bare is None else bare
    return host


def plain_address(host: Host) -> Host:
    """Return the IPv4 address for its mapped and its compatible form, and any other host as it is.

    Spec: RFC 4291, section 2.5.5
    """
    if isinstance(host, IPv6Address) and host.value >> 32 in (0, 0xFFFF):
        return next(iter(embedded_ipv4(host)), host)
    return host


def means(rule: str, host: str) -> bool:
    """Return whether ``rule`` means exactly ``host``; a trailing dot makes a difference."""
    if rule.startswith(BELOW):
        return host.endswith(rule[1:]) and len(host) >= len(rule)
    if rule.startswith(WITH_BELOW):
        return host == rule[1:] or (host.endswith(rule) and host != rule)
    return host == rule


def spellings(host: Host) -> Iterator[str]:
    """Yield the strings under which ``host`` may be in a list of hosts that are refused.

    They are its text without dots at its ends, and the IPv4 addresses in an address.
    """
    yield str(host).strip(".")
    if isinstance(host, IPv6Address):
        yield from map(str, embedded_ipv4(host))


def bare_rule(rule: str) -> str:
    """Return a rule without dots at its end, which resolvers ignore."""
    return rule.rstrip(".")


def has_registrable_domain_in(host: Host, domains: Collection[str]) -> bool:
    """Return whether the registrable domain of ``host`` is one of ``domains``."""
    if not domains or not isinstance(host, Domain):
        return False
    registrable = host.registrable_domain
    return registrable is not None and registrable.value in domains


@cache
def _list_in_use() -> Callable[[], PublicSuffixList]:
    from weburl.standard.hosts.public_suffix import current_list  # It loads ten thousand rules.

    return current_list


def public_suffix(name: str) -> str | None:
    """Return the public suffix of a domain, as text. It ends with a dot if the domain does.

    This uses the current Public Suffix List.

    Spec: #host-public-suffix
    """
    return _list_in_use()().public_suffix(name)


def is_known_suffix(suffix: str | None) -> bool:
    """Return whether a rule of the current list has the public suffix of a domain."""
    if suffix is None:
        return False
    suffixes = _list_in_use()()
    name = suffix.removesuffix(".")
    return (
        name in suffixes.rules
        or name.partition(".")[2] in suffixes.wildcards
        or any(exception.partition(".")[2] == name for exception in suffixes.exceptions)
    )
