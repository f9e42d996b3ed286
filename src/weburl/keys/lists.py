"""Reads lists of tracking params that people have: ClearURLs' JSON, Adblock filters, Brave's JSON.

None of these lists is part of the package, because of their licenses. What a list says about paths,
redirects or types of requests does not fit `ParamRule`. Such entries are left out and reported. May
use this room and `infra`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar

import attrs

from weburl.keys.params import ParamRule
from weburl.keys.patterns import linear_pattern
from weburl.standard.infra.credentials import masked, masked_value
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.infra.strings import require_text

_A_NAME: Final = re.compile(r"[A-Za-z0-9_~-]+", re.ASCII)
_A_SITE: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.ASCII | re.IGNORECASE)
# The ways in which ClearURLs writes "a domain and its subdomains" and "every URL".
_CLEARURLS_SITE: Final = re.compile(
    r"\^https\?:(?:\\?/){2}(?:\(\?:\[a-z0-9-\]\+\\\.\)\*\??)?((?:[a-z0-9-]|\\?\.)++)",
    re.ASCII | re.IGNORECASE,
)
_CLEARURLS_EVERYWHERE: Final = frozenset({".*", "^.*", "^https?://.*"})
_ANY_SUFFIX: Final = r"(?:\.[a-z]{2,}){1,}"
_BRAVE_SITE: Final = re.compile(r"\*://(?:\*\.|www\.)?([a-z0-9.-]+)/\*", re.ASCII | re.IGNORECASE)
_BRAVE_EVERYWHERE: Final = "*://*/*"
_ADBLOCK_RULE: Final = re.compile(r"(?:\|\|([a-z0-9.-]+)\^?|\*)?\$(.*)", re.ASCII | re.IGNORECASE)
_ADBLOCK_EXCEPTION: Final = re.compile(
    r"@@\|\|([a-z0-9.-]++)(?:[/^][^$]*+)?\$(.*)", re.ASCII | re.IGNORECASE
)
_EXCEPTION: Final = "@@"
_REMOVEPARAM: Final = ("removeparam=", "queryprune=")


_Kind = TypeVar("_Kind", dict[str, Any], list[Any])


@attrs.frozen
class ParamList:
    """What was read from a list of params.

    Args:
        rules: the rules, to be given to `KeyRules` as ``drop_params``.
        left_out: each entry that did not become a rule, and why.
    """

    __module__ = "weburl.keys"

    rules: tuple[ParamRule, ...]
    left_out: tuple[str, ...]


class _Reader:
    """Collects rules, and the entries that are left out."""

    def __init__(self) -> None:
        self.rules: list[ParamRule] = []
        self.left_out: list[str] = []

    def leave_out(self, entry: str, reason: str) -> None:
        mark = _EXCEPTION if entry.startswith(_EXCEPTION) else ""  # not the "@" of a password
        shown = mark + masked(entry.removeprefix(_EXCEPTION))
        self.left_out.append(f"{shown[:200]!r}: {reason}")

    def add(self, entry: str, **arguments: Any) -> None:  # noqa: ANN401  # those of ParamRule
        """Add a rule, or report that it was refused."""
        try:
            self.rules.append(ParamRule(**arguments))
        except ValueError as error:
            self.leave_out(entry, str(error))

    def accepts(self, entry: str, pattern: str) -> bool:
        """Return whether a pattern is linear, and report it if it is not."""
        try:
            linear_pattern(pattern)
        except ValueError as error:
            self.leave_out(entry, str(error))
            return False
        return True

    def result(self) -> ParamList:
        return ParamList(tuple(self.rules), tuple(self.left_out))


def params_from_clearurls(text: str) -> ParamList:
    """Return the rules of a catalog of ClearURLs, such as its ``data.min.json``.

    The "rules" of each provider are read, and its "referralMarketing" is not. A provider is left
    out if its pattern is not that of one domain or of every URL, or if one of its exceptions does
    not begin with a domain. An exception for a part of a site becomes one for the whole site.

    Raises:
        TypeError: ``text`` is not text.
        ValueError: it is not JSON, or not a catalog.
    """
    providers = _read(text, dict).get("providers")
    if not isinstance(providers, dict):
        raise ValueError(  # noqa: TRY004  # the type of a value in the text
            'a catalog of ClearURLs is an object with "providers"'
        )
    reader = _Reader()
    for name, provider in providers.items():
        shown = f"the provider {masked_value(name)}"
        if not isinstance(provider, dict):
            raise ValueError(f"{shown} is not an object")  # noqa: TRY004
        patterns = _texts(provider, "rules", shown)
        if provider.get("rawRules"):
            reader.leave_out(name, "rawRules change more than params")
        if not patterns:
            continue
        sites = _clearurls_sites(provider.get("urlPattern"))
        excepted = [_clearurls_exception(each) for each in _texts(provider, "exceptions", shown)]
        if sites is None:
            reader.leave_out(name, "its urlPattern is not that of one domain")
        elif None in excepted:
            reader.leave_out(name, "one of its exceptions does not begin with a domain")
        else:
            _add_patterns(reader, patterns, sites, tuple(filter(None, excepted)))
    return reader.result()


def _clearurls_sites(pattern: object) -> tuple[str, ...] | None:
    """Return the sites of a provider, () for every URL, or None if it has another pattern."""
    if not isinstance(pattern, str):
        return None
    if pattern in _CLEARURLS_EVERYWHERE:
        return ()
    site, rest = _clearurls_site(pattern)
    if rest == _ANY_SUFFIX and site and "." not in site:
        return (f"{site}.*",)
    return (site,) if rest in ("", "/", "\\/") and _A_SITE.fullmatch(site) else None


def _clearurls_exception(pattern: str) -> str | None:
    """Return the site of an exception with all that is below it, or None."""
    site, rest = _clearurls_site(pattern)
    if rest.startswith(_ANY_SUFFIX) and site:
        return f"{site.rpartition('.')[2]}.*"
    is_whole = rest == "" or rest.startswith(("/", "\\/"))
    return site if is_whole and _A_SITE.fullmatch(site) else None


def _clearurls_site(pattern: str) -> tuple[str, str]:
    """Return the domain that a pattern begins with, or "", and the rest of the pattern."""
    found = _CLEARURLS_SITE.match(pattern)
    if found is None:
        return "", pattern
    return found[1].replace("\\.", "."), pattern[found.end() :]


def _add_patterns(
    reader: _Reader, patterns: list[str], sites: tuple[str, ...], excepted: tuple[str, ...]
) -> None:
    """Add one rule: with a rule for each pattern, the exceptions would be there as often."""
    names = [each for each in patterns if _A_NAME.fullmatch(each)]
    others = [
        each for each in patterns if not _A_NAME.fullmatch(each) and reader.accepts(each, each)
    ]
    if names or others:
        reader.rules.append(
            ParamRule(names, patterns=others, sites=sites, except_sites=excepted, ignore_case=True)
        )


def params_from_brave(text: str) -> ParamList:
    """Return the rules of a list of Brave in the format of its ``clean-urls.json``.

    An entry is left out if one of its "exclude" is not ``*://domain/*``. So is each "include"
    that is not. A rule is for a domain with all its subdomains, without ``www.`` at the start.

    Raises:
        TypeError: ``text`` is not text.
        ValueError: it is not JSON, or not such a list.
    """
    reader = _Reader()
    for at, entry in enumerate(_read(text, list)):
        if not isinstance(entry, dict):
            raise ValueError(f"entry {at} of the list is not an object")  # noqa: TRY004
        includes, excludes, names = (
            _texts(entry, key, f"entry {at}") for key in ("include", "exclude", "params")
        )
        excluded = [_brave_site(each) for each in excludes]
        if None in excluded or _BRAVE_EVERYWHERE in excludes:
            reader.leave_out(f"entry {at}", "it excludes a part of a site")
            continue
        sites = []
        for each in includes:
            site = _brave_site(each)
            if site is None and each != _BRAVE_EVERYWHERE:
                reader.leave_out(each, "it is not that of a whole site")
            elif site is not None:
                sites.append(site)
        if names and (sites or _BRAVE_EVERYWHERE in includes):
            where = () if _BRAVE_EVERYWHERE in includes else tuple(sites)
            but = tuple(filter(None, excluded))
            reader.add(f"entry {at}", names=names, sites=where, except_sites=but)
    return reader.result()


def _brave_site(pattern: str) -> str | None:
    found = _BRAVE_SITE.fullmatch(pattern)
    return None if found is None else found[1]


def params_from_adblock(text: str) -> ParamList:
    """Return the rules of the filters with ``$removeparam=`` in an Adblock list.

    Read are filters for every URL or for one domain (``||example.com^$removeparam=a``), with a
    name or a regex from ``^`` to ``=`` (``/^a_[0-9]+=/``). An exception (``@@||example.com^…``)
    counts for all params and for the whole of its site. Left out are exceptions that do not name
    one site, and filters that have a path, another option, or ``~`` before the name.
    Comments and filters without the option are skipped.

    Raises TypeError if ``text`` is not text.
    """
    reader = _Reader()
    lines = list(_lines(require_text(text, "a list")))
    exceptions = _adblock_exceptions(
        reader, [line for line in lines if line.startswith(_EXCEPTION)]
    )
    names: list[str] = []
    patterns: dict[bool, list[str]] = {False: [], True: []}
    for line in lines:
        if line.startswith(_EXCEPTION):
            continue
        found = _ADBLOCK_RULE.fullmatch(line)
        name = None if found is None else _removed(found[2])
        if found is None or not name or name.startswith("~"):
            reader.leave_out(line, "it has a path, other options or no name")
            continue
        pattern, ignore_case = _adblock_pattern(name)
        if pattern == "":
            reader.leave_out(line, 'only regexes from "^" to "=" are read')
        elif found[1]:
            site = found[1].lower()
            if len(site) > MAX_DOMAIN_LENGTH or exceptions.concern(site):
                reader.leave_out(line, "its site has an exception, or is too long")
            elif pattern is None:
                reader.add(line, names=[name], sites=[site])
            else:
                reader.add(line, patterns=[pattern], sites=[site], ignore_case=ignore_case)
        elif pattern is None:
            names.append(name)
        elif reader.accepts(line, pattern):
            patterns[ignore_case].append(pattern)
    # Not a rule for each filter: the exceptions would be there as often.
    sites = tuple(exceptions.sites)
    if names or patterns[False]:
        reader.rules.append(ParamRule(names, patterns=patterns[False], except_sites=sites))
    if patterns[True]:
        reader.rules.append(
            ParamRule(patterns=patterns[True], except_sites=sites, ignore_case=True)
        )
    return reader.result()


def _adblock_pattern(name: str) -> tuple[str | None, bool]:
    """Return the pattern of a regex such as "/^a=/i", and whether it ignores case.

    The pattern is None if ``name`` is not a regex, and "" if it is one that is not read. A filter
    searches "name=value" for it: only a regex for the whole name is one of ours.
    """
    if not name.startswith("/"):
        return None, False
    body, _, flags = name[1:].rpartition("/")
    pattern = body.removeprefix("^").removesuffix("=")
    is_whole = body == f"^{pattern}=" and "=" not in pattern and flags in ("", "i")
    return pattern if is_whole else "", flags == "i"


class _Exceptions:
    """The sites for which a list has exceptions."""

    def __init__(self) -> None:
        self.sites: dict[str, None] = {}
        self._above: set[str] = set()

    def add(self, site: str) -> None:
        self.sites[site] = None
        self._above.update(_with_parents(site))

    def concern(self, site: str) -> bool:
        """Return whether an exception is for ``site``, for a part of it, or for what it is in."""
        return site in self._above or any(each in self.sites for each in _with_parents(site))


def _with_parents(site: str) -> Iterator[str]:
    """Yield a domain of up to 253 characters, and all that it is in."""
    while site:
        yield site
        site = site.partition(".")[2]


def _adblock_exceptions(reader: _Reader, lines: list[str]) -> _Exceptions:
    exceptions = _Exceptions()
    for line in lines:
        found = _ADBLOCK_EXCEPTION.fullmatch(line)
        if found is None or len(found[1]) > MAX_DOMAIN_LENGTH or not _A_SITE.fullmatch(found[1]):
            reader.leave_out(line, "it is an exception that is not for one site")
        else:
            exceptions.add(found[1].lower())
    return exceptions


def _removed(options: str) -> str | None:
    """Return what an only option removes; None if there are other options."""
    if not options.startswith(_REMOVEPARAM) or "," in options:
        return None
    return options.partition("=")[2]


def _lines(text: str) -> Iterator[str]:
    """Yield the filters of a list that remove params."""
    for line in text.split("\n"):
        rule = line.strip(" \t\r")
        if not rule.startswith("!") and ("removeparam" in rule or "queryprune" in rule):
            yield rule


def _read(text: str, kind: type[_Kind]) -> _Kind:
    """Return a JSON document of a type. Raises ValueError for anything else."""
    try:
        found = json.loads(require_text(text, "a list"))
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    if type(found) is not kind:
        raise ValueError(f"the JSON is not a {kind.__name__}")
    return found


def _texts(entry: dict[str, object], key: str, where: str) -> list[str]:
    found = entry.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(f'"{key}" of {where} is not a list of text')
    return found
