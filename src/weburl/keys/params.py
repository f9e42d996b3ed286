"""Which parameters a rule names: by name, by prefix or by pattern, on all sites or on some."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

import attrs

from weburl.keys.patterns import linear_pattern
from weburl.standard.hosts.values import Domain
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.one_value import check_boolean
from weburl.standard.infra.query_pairs import name_in
from weburl.standard.infra.strings import (
    ascii_lowercase,
    require_text,
    shortened,
    to_scalar_value_string,
)
from weburl.standard.url.api import parse

_ANY_SUFFIX: Final = ".*"


def _require_list(value: object, argument: str) -> None:
    """Raise TypeError if the value of ``argument`` is one text, or cannot be iterated over."""
    if isinstance(value, str):
        shown = shortened(masked_before_at_sign(value))
        raise TypeError(f"{argument} is a list of names, not one text: write [{shown!r}]")
    if not isinstance(value, Iterable):
        raise TypeError(f"{argument} is a list of names, not {type(value).__name__}")


def as_texts(value: Iterable[str], argument: str) -> tuple[str, ...]:
    """Return names as a tuple. Raises TypeError if they are one text, or not text."""
    _require_list(value, argument)
    what = f"a name in {argument}"
    return tuple(to_scalar_value_string(require_text(each, what)) for each in value)


# Named functions, because mypy takes no `attrs.Converter`, which would get the name of the field.
def _as_names(value: Iterable[str]) -> tuple[str, ...]:
    return as_texts(value, "names")


def _as_prefixes(value: Iterable[str]) -> tuple[str, ...]:
    found = as_texts(value, "prefixes")
    if "" in found:
        raise ValueError("an empty prefix would match every parameter")
    return found


def _as_patterns(value: Iterable[str]) -> tuple[str, ...]:
    return as_texts(value, "patterns")


def _as_sites(value: Iterable[str]) -> tuple[str, ...]:
    """Return sites in ASCII and lowercase. Raises ValueError if one is not a domain."""
    return tuple(map(_site, as_texts(value, "sites")))


def _as_except_sites(value: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_site, as_texts(value, "except_sites")))


def _site(text: str) -> str:
    name = text.removesuffix(_ANY_SUFFIX)
    try:
        host = parse(f"https://{name}/").host
    except ValueError:
        host = None
    if not isinstance(host, Domain) or {"/", "?", "#", "@", ":", "\\"} & set(name):
        shown = masked_before_at_sign(text)
        raise ValueError(
            "a site must be a domain such as 'example.com' or 'example.*',"
            f" not {shortened(shown)!r}"
        )
    return host.value.removesuffix(".") + text[len(name) :]


@attrs.frozen
class ParamRule:
    """Params of a query: those with one of the names, prefixes or patterns, on some sites.

    Args:
        names: decoded names, as in a form. The comparison is exact.
        prefixes: what names begin with.
        patterns: regexes that match the whole of a name. They are limited to those that take
            linear time; see `weburl.keys.linear_pattern`.
        sites: the domains that the rule is for, with all their subdomains. ``example.*`` is a
            registrable domain with any public suffix. Empty for all URLs.
        except_sites: the domains that the rule is not for.
        ignore_case: whether the case of ASCII letters in names is ignored.

    Raises:
        TypeError: an argument is not a list of text.
        ValueError: a prefix is empty, a pattern is refused, or a site is not a domain.
    """

    __module__ = "weburl.keys"

    names: tuple[str, ...] = attrs.field(default=(), converter=_as_names)
    prefixes: tuple[str, ...] = attrs.field(default=(), converter=_as_prefixes, kw_only=True)
    patterns: tuple[str, ...] = attrs.field(default=(), converter=_as_patterns, kw_only=True)
    sites: tuple[str, ...] = attrs.field(default=(), converter=_as_sites, kw_only=True)
    except_sites: tuple[str, ...] = attrs.field(
        default=(), converter=_as_except_sites, kw_only=True
    )
    ignore_case: bool = attrs.field(default=False, validator=check_boolean, kw_only=True)

    @patterns.validator
    def _check_patterns(self, _attribute: object, value: tuple[str, ...]) -> None:
        for pattern in value:
            linear_pattern(pattern)


Params: TypeAlias = Iterable[str | ParamRule]
"""Names of parameters, and rules that name parameters."""


def param_rules(value: Params, argument: str) -> tuple[ParamRule, ...]:
    """Return rules for what was given: names become one rule, before the others."""
    _require_list(value, argument)
    given = tuple(value)
    what = f"a name in {argument}"
    names = [require_text(each, what) for each in given if not isinstance(each, ParamRule)]
    rules = [each for each in given if isinstance(each, ParamRule)]
    return (*([ParamRule(names)] if names else ()), *rules)


MOST_PLAIN_NAMES: Final = 256
"""How many names a `ParamMatcher` lists at most as its `plain_names`."""


class PlainName(NamedTuple):
    """A name of parameters, or what names begin with, in ASCII."""

    text: str
    is_prefix: bool
    is_everywhere: bool
    """Whether the rule is for all URLs."""


class ParamMatcher:
    """Rules, found by the host that they are for."""

    __slots__ = (
        "_by_site",
        "_everywhere",
        "_has_others",
        "_most_labels",
        "_names",
        "_prefixes",
        "plain_names",
    )

    plain_names: tuple[PlainName, ...] | None
    """All names and prefixes of the rules; None if there is more to them, or too many of them."""

    def __init__(self, rules: tuple[ParamRule, ...]) -> None:
        self._everywhere: list[_Prepared] = []
        self._by_site: dict[str, list[_Prepared]] = {}
        for rule in _merged(rules):
            prepared = _Prepared(rule)
            for site in rule.sites:
                self._by_site.setdefault(site, []).append(prepared)
            if not rule.sites:
                self._everywhere.append(prepared)
        self._most_labels = max((site.count(".") + 1 for site in self._by_site), default=0)
        # What `never_match` needs.
        self._has_others = any(rule.patterns or rule.ignore_case for rule in rules)
        self._names = frozenset(name for rule in rules for name in rule.names)
        self._prefixes = tuple(prefix for rule in rules for prefix in rule.prefixes)
        self.plain_names = None if self._has_others else _plain_names(rules)

    def never_match(self, names: list[str]) -> bool:
        """Return whether no rule names any of these on any site; False if that is not sure."""
        if self._has_others or not self._names.isdisjoint(names):
            return False
        prefixes = self._prefixes
        return not (prefixes and any(name.startswith(prefixes) for name in names))

    def rules_for(self, host: str) -> list[_Prepared]:
        """Return the rules that are for a host, in ASCII and lowercase."""
        found = self._everywhere
        if self._by_site:
            found = [*found]
            for site in _sites_of(host, self._most_labels, self._by_site):
                found += self._by_site.get(site, ())
        return [rule for rule in found if not rule.excepts(host)]


def _plain_names(rules: tuple[ParamRule, ...]) -> tuple[PlainName, ...] | None:
    """Return names and prefixes, sorted. What is not ASCII is left out: see `PlainName`."""
    found = {
        PlainName(text, is_prefix, not (rule.sites or rule.except_sites))
        for rule in rules
        for is_prefix, texts in ((False, rule.names), (True, rule.prefixes))
        for text in texts
        if text and text.isascii()
    }
    return tuple(sorted(found)) if len(found) <= MOST_PLAIN_NAMES else None


def _merged(rules: tuple[ParamRule, ...]) -> list[ParamRule]:
    """Return the same rules, with those that only have names, or prefixes, as one."""
    plain = [rule for rule in rules if rule == ParamRule(rule.names, prefixes=rule.prefixes)]
    names = [name for rule in plain for name in rule.names]
    prefixes = [prefix for rule in plain for prefix in rule.prefixes]
    return [
        *([ParamRule(names, prefixes=prefixes)] if plain else ()),
        *(rule for rule in rules if rule not in plain),
    ]


class _Prepared:
    """One rule, prepared."""

    __slots__ = ("_except", "_ignore_case", "_names", "_patterns", "_prefixes")

    def __init__(self, rule: ParamRule) -> None:
        fold = ascii_lowercase if rule.ignore_case else str
        self._ignore_case = rule.ignore_case
        self._names = frozenset(map(fold, rule.names))
        self._prefixes = tuple(map(fold, rule.prefixes))
        self._patterns: list[re.Pattern[str]] = [
            linear_pattern(text, ignore_case=rule.ignore_case) for text in rule.patterns
        ]
        self._except = dict.fromkeys(rule.except_sites)

    def excepts(self, host: str) -> bool:
        """Return whether the rule is not for this host."""
        if not self._except:
            return False
        most = max(site.count(".") + 1 for site in self._except)
        return any(site in self._except for site in _sites_of(host, most, self._except))

    def matches(self, name: str) -> bool:
        """Return whether the rule names the parameter."""
        if self._ignore_case:
            name = ascii_lowercase(name)
        return (
            name in self._names
            or name.startswith(self._prefixes)
            or any(pattern.fullmatch(name) for pattern in self._patterns)
        )


def _sites_of(host: str, most_labels: int, known: Iterable[str]) -> Iterator[str]:
    """Yield the site of ``host`` and all that it is in, as far as a list of sites may name them."""
    name = host.removesuffix(".")
    labels = name.rsplit(".", most_labels)[-most_labels:] if most_labels else []
    for at in range(len(labels)):
        yield ".".join(labels[at:])
    if any(site.endswith(_ANY_SUFFIX) for site in known):
        from weburl.standard.hosts.public_suffix import current_list  # its table is big

        suffix = current_list().public_suffix(name)
        if suffix is not None and name.endswith(f".{suffix}"):
            label = name[: -len(suffix) - 1].rpartition(".")[2]
            yield label + _ANY_SUFFIX


def named_by(rules: list[_Prepared], pair: str) -> bool:
    """Return whether one of the rules names the parameter of ``pair``, text such as ``a=1``."""
    name = name_in(pair)
    return any(rule.matches(name) for rule in rules)
