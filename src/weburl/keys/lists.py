"""Reads a list of tracking params that people have: the JSON of ClearURLs.

The list is not part of the package, because of its license. What it says about paths, redirects or
types of requests does not fit `ParamRule`. Such entries are left out and reported. May use this
room and `infra`.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import attrs

from weburl.keys.params import ParamRule
from weburl.keys.patterns import linear_pattern
from weburl.standard.infra.credentials import masked, masked_value
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
        self.left_out.append(f"{masked(entry)[:200]!r}: {reason}")

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
    providers = _read(text).get("providers")
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


def _read(text: str) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError for anything else."""
    try:
        found = json.loads(require_text(text, "a list"))
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("the JSON is not an object")  # noqa: TRY004
    return found


def _texts(entry: dict[str, object], key: str, where: str) -> list[str]:
    found = entry.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(f'"{key}" of {where} is not a list of text')
    return found
