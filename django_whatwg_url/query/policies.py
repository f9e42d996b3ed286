"""Turns a policy into a condition that a database can check, on the text of a canonical URL.

PostgreSQL, MariaDB and MySQL match regular expressions. SQLite has none of its own, so there the
host is taken out of the URL, and its last labels are compared with lists. Each list costs one host,
however long it is, because Django reads the SQL of a table on SQLite with sqlparse, which gives up
after 10,000 tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import NotSupportedError
from django.db.models import BooleanField, F, Func, Q

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

MOST_CHARACTERS: Final = 20_000
"""How long the hosts of a policy may be together. Databases limit a regular expression."""
MOST_LENGTHS: Final = 10
"""How many different numbers of labels the hosts of a policy may have."""

_ANY: Final = URLPolicy()
# `address_classes` and `networks` refuse a URL without a host in SQL, too.
_NOT_IN_SQL: Final = (
    "address_classes",
    "leading_hyphens",
    "networks",
    "not_like",
    "patterns",
    "public_suffixes",
    "require_agreement",
    "special_use_names",
    "unknown_suffixes",
    "unresolvable_names",
)


def policy_condition(url_field: str, policy: URLPolicy) -> Q:
    """Return a condition on ``url_field`` that checks ``policy``, as far as SQL can.

    It is true for every URL that the policy allows, and may be true for others. Raises ValueError
    for a policy with too many hosts for SQL.
    """
    for each in (policy, *policy.and_also):
        _check_size([*_allowed(each), *_refused(each)])
    return Q(_AllowedBy(F(url_field), policy=policy))


class _AllowedBy(Func):
    arity = 1
    output_field = BooleanField()

    def __init__(self, url: Any, *, policy: URLPolicy, **extra: Any) -> None:
        self.policy = policy
        super().__init__(url, **extra)

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        dialect = _DIALECTS.get(connection.vendor)
        if dialect is None:
            raise NotSupportedError(
                "A policy can be checked on SQLite, PostgreSQL, MariaDB and MySQL, but not on "
                f"{connection.display_name}."
            )
        policies = (self.policy, *self.policy.and_also)
        terms = dict.fromkeys(
            term for each in policies for term in _terms(each, dialect(self.policy))
        )
        (source,) = self.get_source_expressions()
        sql, params = compiler.compile(source)
        if params and connection.vendor == "postgresql":
            sql = f"({sql})::text"  # PostgreSQL cannot infer the type of a parameter.
        # The hosts are literals, because a table's SQL has no parameters. Django formats it with %.
        text = (" AND ".join(terms) or "1=1").replace("%", "%%")
        return f"({text.replace(_U, sql)})", tuple(params) * text.count(_U)


def rules_left_out(policy: URLPolicy) -> tuple[str, ...]:
    """Return the names of the rules of ``policy`` that `policy_condition` does not check at all."""
    found: set[str] = set()
    for each in (policy, *policy.and_also):
        found.update(name for name in _NOT_IN_SQL if getattr(each, name) != getattr(_ANY, name))
        found.update(
            name for name in ("hosts", "refused_hosts") if isinstance(getattr(each, name), HostList)
        )
    return tuple(sorted(found))


def _allowed(policy: URLPolicy) -> list[str]:
    """Return the hosts that a policy allows, as its rules name them."""
    if isinstance(policy.hosts, HostList):
        return []
    return [*(policy.hosts or ()), *(f".{name}" for name in policy.registrable_domains or ())]


def _refused(policy: URLPolicy) -> list[str]:
    """Return the hosts that a policy refuses, without dots at their ends, which do not count."""
    lists = (rules for rules in policy.refused if not isinstance(rules, HostList))
    return [rule.rstrip(".") for rules in lists for rule in rules]


def _check_size(rules: list[str]) -> None:
    lengths = {rule.count(".") for rule in rules}
    if sum(map(len, rules)) > MOST_CHARACTERS or len(lengths) > MOST_LENGTHS:
        raise ValueError(
            f"{len(rules)} hosts are too many for a constraint: they may have {MOST_CHARACTERS}"
            f" characters, and {MOST_LENGTHS} different numbers of labels. Put them into a"
            " weburl.HostList: the constraint then leaves them out, and the field checks them"
        )


def _by_kind(rules: list[str]) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return hosts that are meant alone, with those below them, only those below, and addresses.

    An IPv4 address is also meant by two IPv6 addresses, which are in brackets.
    """
    alone, with_below, only_below, addresses = [], [], [], []
    for rule in rules:
        if rule.startswith("*."):
            only_below.append(rule.removeprefix("*."))
        elif rule.startswith("."):
            with_below.append(rule.removeprefix("."))
        elif rule.startswith("["):
            addresses.append(rule)
        else:
            alone.append(rule)
            if isinstance(host := parse_host(rule), IPv4Address):
                addresses += map(
                    str, (IPv6Address(0xFFFF << 32 | host.value), IPv6Address(host.value))
                )
    return alone, with_below, only_below, addresses


_U: Final = "{url}"


class _Dialect:
    """Writes conditions for a rule of a policy, which is a part of the ``whole`` policy.

    All parts must be met together, so what one of them refuses does not matter to the others.
    """

    def __init__(self, whole: URLPolicy) -> None:
        self.without_credentials = not whole.credentials
        # Only URLs with other schemes have opaque hosts, which may be numbers or percent-encoded.
        self.only_special = set(whole.schemes or [""]) <= set(SPECIAL_SCHEMES)


# Backslashes and opening brackets in sets have another meaning on each database, so there are none.
_START: Final = "^[^:]*://(?:[^/?#@]*@)?"
_NAME: Final = "[^/?#:@]"
_END: Final = "(?::[0-9]+)?(?:[/?#]|$)"
_PORT: Final = ":[0-9]+(?:[/?#]|$)"


class _Regex(_Dialect):
    size: ClassVar[str]
    """The function that counts characters."""
    like: ClassVar[str]
    unlike: ClassVar[str]
    exactly: ClassVar[str] = ""

    def _like(self, pattern: str) -> str:
        return f"{_U} {self.like} {_quoted(self.exactly + pattern)}"

    def _unlike(self, pattern: str) -> str:
        return f"{_U} {self.unlike} {_quoted(self.exactly + pattern)}"

    def schemes(self, schemes: Iterable[str]) -> str:
        return self._like(f"^(?:{'|'.join(map(_pattern, schemes))}):")

    def no_credentials(self) -> str:
        return self._unlike("^[^:]*://[^/?#@]*@")

    def ports(self, ports: Iterable[int], schemes: list[str]) -> str:
        kinds = ["[^:]*:(?!//)"]  # A URL without a host has no port.
        if numbers := "|".join(map(str, ports)):
            kinds.append(f"[^:]*://[^/?#]*:(?:{numbers})(?:[/?#]|$)")
        if schemes:
            kinds.append(f"(?:{'|'.join(schemes)})://(?![^/?#]*{_PORT})")
        return self._like(f"^(?:{'|'.join(kinds)})")

    def no_fragment(self) -> str:
        return self._unlike("#")

    def has_host(self) -> str:
        return self._like(f"{_START}[^/?#]")

    def hosts(self, rules: list[str]) -> str:
        return self._like(f"{_START}(?:{self._names(rules)}){_END}")

    def no_host_of(self, rules: list[str]) -> str:
        return self._unlike(f"{_START}[.]*(?:{self._names(rules)})[.]*{_END}")

    def no_address(self) -> str:
        return self._unlike(f"^[^:]*://(?:[^/?#]*]|(?:[^/?#@]*@)?[.]*[0-9][0-9.]*{_END})")

    def no_single_label(self) -> str:
        label = "[^/?#:@.%]"  # An opaque host may contain an encoded dot.
        number = "" if self.only_special else f"(?!(?:0[xX][0-9A-Fa-f]*|[0-9]+)[.]*{_END})"
        ipv6 = "(?![^/?#@:]*:[^/?#@]*])"
        return self._unlike(f"{_START}{ipv6}{number}(?:[.]+{label}*|{label}+)[.]*{_END}")

    def _names(self, rules: list[str]) -> str:
        alone, with_below, only_below, addresses = _by_kind(rules)
        kinds = [
            ("", alone),
            (f"(?:{_NAME}+[.])?", with_below),
            (f"{_NAME}+[.]", only_below),
            (".", [address.removeprefix("[") for address in addresses]),
        ]
        return "|".join(
            f"{before}(?:{'|'.join(map(_pattern, names))})" for before, names in kinds if names
        )


def _pattern(text: str) -> str:
    return re.sub("[^]a-z0-9:_-]", r"[\g<0>]", text)


class _PostgreSQL(_Regex):
    like, unlike, size = "~", "!~", "LENGTH"


class _MySQL(_Regex):
    like, unlike, size = "REGEXP", "NOT REGEXP", "CHAR_LENGTH"
    exactly = "(?-i)"


_HAS_HOST: Final = f"substr({_U},instr({_U},':'),3)='://'"
_REST: Final = f"substr({_U},instr({_U},':')+3)"
_SLASHES: Final = f"replace(replace({_REST},'?','/'),'#','/')"
_AUTHORITY: Final = f"substr({_REST},1,instr({_SLASHES}||'/','/')-1)"
_SCHEME: Final = f"substr({_U},1,instr({_U},':')-1)"


class _SQLite(_Dialect):
    size = "length"

    @property
    def _place(self) -> str:
        """The host and port. A URL with credentials may give anything if it is refused anyway."""
        if self.without_credentials:
            return _AUTHORITY
        return f"substr({_AUTHORITY},instr({_AUTHORITY},'@')+1)"

    @property
    def _name(self) -> str:
        """The host if it is not in brackets, or a part of it."""
        if self.without_credentials:
            return f"substr({_REST},1,instr(replace({_SLASHES},':','/')||'/','/')-1)"
        return f"substr({self._place},1,instr({self._place}||':',':')-1)"

    @property
    def _has_host(self) -> str:
        """The start of a condition about the host, which URLs with special schemes always have."""
        return "" if self.only_special else f"{_HAS_HOST} AND "

    def schemes(self, schemes: Iterable[str]) -> str:
        return f"{_SCHEME} IN {_listed(schemes)}"

    def no_credentials(self) -> str:
        return f"({self._has_host}instr({_AUTHORITY},'@')>0)=0"

    def ports(self, ports: Iterable[int], schemes: list[str]) -> str:
        before = f"rtrim({self._place},'0123456789')"
        kinds = [] if self.only_special else [f"({_HAS_HOST})=0"]
        if numbers := [f":{port}" for port in ports]:
            kinds.append(f"substr({self._place},length({before})) IN {_listed(numbers)}")
        if schemes:
            kinds.append(f"{_SCHEME} IN {_listed(schemes)} AND {before} NOT GLOB '*:'")
        return f"({' OR '.join(kinds) or '1=0'})"

    def no_fragment(self) -> str:
        return f"instr({_U},'#')=0"

    def has_host(self) -> str:
        return f"{self._has_host}{self._place}<>''"

    def hosts(self, rules: list[str]) -> str:
        # Nothing is below "example.com" in ".example.com", so the first dot begins a label.
        labels = f"""replace({_labels(self._name)},'["","','["<')"""
        return f"{self._has_host}({self._means(rules, self._name, labels)})"

    def no_host_of(self, rules: list[str]) -> str:
        name = f"trim({self._name},'.')"
        return f"({self._has_host}({self._means(rules, name, _labels(name))}))=0"

    def no_address(self) -> str:
        is_of_digits = f"{self._place} NOT GLOB '*[^0-9.:]*' AND trim({self._name},'.')<>''"
        return f"({self._has_host}(instr({_AUTHORITY},']')>0 OR {is_of_digits}))=0"

    def no_single_label(self) -> str:
        name = f"trim({self._name},'.')"
        kinds = [
            f"{self._place}=''",
            f"instr({name},'.')>0",
            f"instr({_AUTHORITY},']')>0",
        ]
        if not self.only_special:
            kinds += [
                f"({_HAS_HOST})=0",
                f"instr({name},'%')>0",
                f"{name}<>'' AND {name} NOT GLOB '*[^0-9]*'",
                f"{name} GLOB '0[xX]*' AND substr({name},3) NOT GLOB '*[^0-9A-Fa-f]*'",
            ]
        return f"({' OR '.join(kinds)})"

    def _means(self, rules: list[str], name: str, labels: str) -> str:
        alone, with_below, only_below, addresses = _by_kind(rules)
        kinds = [f"{name} IN {_listed(alone)}"] if alone else []
        kinds += _last_labels_in(with_below, labels)
        if below := " OR ".join(_last_labels_in(only_below, labels)):
            kinds.append(f"({below}) AND {name} NOT IN {_listed(only_below)}")
        if addresses:
            bracketed = f"substr({self._place},1,instr({self._place},']'))"
            kinds.append(f"{bracketed} IN {_listed(addresses)}")
        return " OR ".join(kinds)


def _labels(name: str) -> str:
    """Return SQL for the labels of a host, as a list in JSON."""
    return f"""'['||replace(json_quote({name}),'.','","')||']'"""


def _last_labels_in(names: list[str], labels: str) -> list[str]:
    """Return a condition for each number of labels that some of ``names`` have."""
    by_count: dict[int, list[str]] = {}
    for name in names:
        last = name.split(".")
        # One value is extracted as it is, and several as a list.
        text = name if len(last) == 1 else json.dumps(last, separators=(",", ":"))
        by_count.setdefault(len(last), []).append(text)
    found = []
    for count, texts in sorted(by_count.items()):
        paths = ",".join(f"'$[#-{number}]'" for number in range(count, 0, -1))
        found.append(f"json_extract({labels},{paths}) IN {_listed(texts)}")
    return found


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _listed(texts: Iterable[str]) -> str:
    return "(" + ",".join(map(_quoted, texts)) + ")"


def _terms(policy: URLPolicy, write: _Regex | _SQLite) -> list[str]:
    """Return conditions that must all be true."""
    found = []
    allowed, refused = _allowed(policy), _refused(policy)
    if policy.schemes is not None:
        found.append(write.schemes(policy.schemes) if policy.schemes else "1=0")
    if not policy.credentials:
        found.append(write.no_credentials())
    if policy.ports is not None:
        schemes = [each for each in SPECIAL_SCHEMES if default_port(each) in policy.ports]
        found.append(write.ports(policy.ports, schemes))
    if not policy.fragments:
        found.append(write.no_fragment())
    if policy.max_length is not None:
        found.append(f"{write.size}({_U})<={policy.max_length}")
    if allowed:
        found.append(write.hosts(allowed))
    elif (policy.hosts, policy.registrable_domains) != (None, None) and not policy.hosts:
        found.append("1=0")
    elif (policy.hosts, policy.address_classes, policy.networks) != (None, None, None):
        found.append(write.has_host())
    if refused:
        found.append(write.no_host_of(refused))
    if not policy.ip_hosts:
        found.append(write.no_address())
    if not policy.single_labels:
        found.append(write.no_single_label())
    return found


_DIALECTS: Final[dict[str, type[_Regex | _SQLite]]] = {
    "sqlite": _SQLite,
    "postgresql": _PostgreSQL,
    "mysql": _MySQL,
}
