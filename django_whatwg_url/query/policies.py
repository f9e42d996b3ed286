"""Turns a policy into a condition that a database can check, from the lookups of a URL column."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

from django.db.models import BooleanField, F, Func, Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

from weburl import (
    SPECIAL_SCHEMES,
    HostList,
    IPv4Address,
    IPv6Address,
    URLPolicy,
    default_port,
    parse_host,
)

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

# The standard does not allow credentials in a file URL.
_WITH_CREDENTIALS: Final = [scheme for scheme in SPECIAL_SCHEMES if scheme != "file"]

_ANY: Final = URLPolicy()
# `address_classes` refuses a URL without a host in SQL, too.
_NOT_IN_SQL: Final = (
    "address_classes",
    "networks",
    "patterns",
    "public_suffixes",
    "require_agreement",
    "special_use_names",
    "unknown_suffixes",
    "unresolvable_names",
)


def policy_condition(url_field: str, policy: URLPolicy) -> Q:
    """Return a condition on ``url_field`` that checks ``policy``, as far as SQL can.

    Every URL that the policy allows meets the condition. A URL that it refuses may meet it too.
    """
    condition = Q()
    for each in (policy, *policy.and_also):
        condition &= _parts_condition(url_field, each) & _host_condition(url_field, each)
    # Django drops an empty condition when it is combined with others.
    return condition or Q(**{f"{url_field}__isnull": False})


def rules_left_out(policy: URLPolicy) -> tuple[str, ...]:
    """Return the names of the rules of ``policy`` that `policy_condition` does not check at all."""
    found: set[str] = set()
    for each in (policy, *policy.and_also):
        found.update(name for name in _NOT_IN_SQL if getattr(each, name) != getattr(_ANY, name))
        found.update(
            name for name in ("hosts", "refused_hosts") if isinstance(getattr(each, name), HostList)
        )
    return tuple(sorted(found))


def _parts_condition(url: str, policy: URLPolicy) -> Q:
    condition = Q()
    if policy.schemes is not None:
        condition &= Q(**{f"{url}__scheme__in": policy.schemes})
    if policy.ports is not None:
        by_default = [scheme for scheme in SPECIAL_SCHEMES if default_port(scheme) in policy.ports]
        condition &= (
            Q(**{f"{url}__port__in": policy.ports})
            | Q(**{f"{url}__port__isnull": True, f"{url}__scheme__in": by_default})
            | Q(**{f"{url}__host__isnull": True})
        )
    if not policy.credentials:
        condition &= Q(**{f"{url}__username": ""})
        # Refuse a password without a username. The condition needs a scheme, so it only covers
        # allowed or special schemes.
        for scheme in policy.schemes or _WITH_CREDENTIALS:
            condition &= ~Q(**{f"{url}__startswith": f"{scheme}://:"})
    if not policy.fragments:
        condition &= Q(**{f"{url}__fragment__isnull": True})
    if policy.max_length is not None:
        condition &= Q(LessThanOrEqual(Length(F(url)), policy.max_length))
    return condition


def _host_condition(url: str, policy: URLPolicy) -> Q:
    condition = Q()
    if isinstance(policy.hosts, HostList):
        # SQL cannot check millions of hosts, and `registrable_domains` only adds to them.
        pass
    elif policy.hosts is not None or policy.registrable_domains is not None:
        rules = [host_condition(url, rule) for rule in policy.hosts or ()]
        rules += [Q(**{f"{url}__host__under": name}) for name in policy.registrable_domains or ()]
        condition &= reduce(or_, rules) if rules else Q(**{f"{url}__host__in": []})
    if policy.address_classes is not None:
        condition &= Q(**{f"{url}__host__isnull": False}) & ~Q(**{f"{url}__host": ""})
    for refused in policy.refused:
        for rule in () if isinstance(refused, HostList) else refused:
            condition &= ~host_condition(url, rule.rstrip("."))
            condition &= ~host_condition(url, f"{rule.rstrip('.')}.")
    if not policy.ip_hosts:
        condition &= ~_is_address(url)
    if not policy.single_labels:
        condition &= (
            Q(**{f"{url}__host__isnull": True})
            | Q(**{f"{url}__host": ""})
            | Q(**{f"{url}__host__contains": "."})
            | Q(**{f"{url}__host__startswith": "["})
        )
    return condition


def host_condition(url: str, rule: str) -> Q:
    """Return a condition that is true if the host matches a rule of ``URLPolicy.hosts``.

    ``url``: the name of the field.
    """
    if rule.startswith("."):
        return Q(**{f"{url}__host__under": rule.removeprefix(".")})
    if not rule.startswith("*."):
        host = parse_host(rule)
        if isinstance(host, IPv4Address):
            mapped, compatible = IPv6Address(0xFFFF << 32 | host.value), IPv6Address(host.value)
            return Q(**{f"{url}__host__in": [rule, str(mapped), str(compatible)]})
        return Q(**{f"{url}__host": rule})
    name = rule.removeprefix("*.")
    return Q(**{f"{url}__host__under": name}) & ~Q(**{f"{url}__host": name})


def _is_address(url: str) -> Q:
    """Return a condition that is true if the host is in brackets, or has only digits and dots."""
    return Q(**{f"{url}__host__startswith": "["}) | Q(_IsOfDigitsAndDots(F(f"{url}__host")))


class _IsOfDigitsAndDots(Func):
    """Returns whether text consists only of digits and dots. False for NULL and for empty text."""

    arity = 1
    output_field = BooleanField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        text = "COALESCE(NULLIF(%(expressions)s, ''), 'x')"
        template = _DIGITS_AND_DOTS[connection.vendor].replace("TEXT", text)
        return super().as_sql(compiler, connection, template=template)


# A chain of REPLACE() would work on every database, but it is too deep for SQLite's parser.
_DIGITS_AND_DOTS: Final = {
    "sqlite": "TEXT NOT GLOB '*[^0-9.]*'",
    "postgresql": "TEXT ~ '^[0-9.]+$'",
    "mysql": "TEXT REGEXP '^[0-9.]+$'",
}
