"""Reads lists of tracking parameters in the JSON format of ClearURLs.

The list is not part of the package, because of its license. What it says about paths, redirects or
types of requests does not fit `ParamRule`. Such entries are left out and reported.
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
_START: Final = re.compile(
    r"\^https\?:(?:\\?/){2}(?:\(\?:\[a-z0-9-\]\+\\\.\)\*\??|\(\[a-z0-9-\\\.\]\)\*)?", re.ASCII
)
_OF_HTTP: Final = re.compile(r"(?:\.\*|\^?https?\??:)", re.ASCII)
_ANY_SCHEME: Final = re.compile(r"\^[a-z]+\??:", re.ASCII)
_LITERAL: Final = re.compile(r"(?>(?:[a-z0-9-]|\\?\.(?![*+?]))+)", re.ASCII | re.IGNORECASE)
_GROUP: Final = re.compile(
    r"\((?:\?:)?((?>(?:[a-z0-9|-]|\\?\.(?![*+?]))+))\)(\??)", re.ASCII | re.IGNORECASE
)
_PARAM: Final = re.compile(r"([A-Za-z_]++)(\??)=", re.ASCII)
_EVERYWHERE: Final = frozenset({".*", "^.*", "^https?://.*"})
_ANY_SUFFIX: Final = r"(?:\.[a-z]{2,}){1,}"
_MOST_SITES: Final = 100  # of one pattern


@attrs.frozen
class ParamList:
    """What was read from a list of parameters.

    Args:
        rules: the rules, to be given to `KeyRules` as ``drop_params``.
        left_out: each entry that did not become a rule, and why.
    """

    __module__ = "weburl.keys"

    rules: tuple[ParamRule, ...]
    left_out: tuple[str, ...]


def params_from_clearurls(text: str) -> ParamList:  # noqa: C901  # one case for each kind of entry
    """Return the rules of a catalog of ClearURLs, such as its ``data.min.json``.

    The "rules" of each provider are read, and its "referralMarketing" is not. A provider is left
    out if its pattern is not that of some domains or of every URL, or if one of its exceptions
    cannot be read. An exception for a part of a site becomes one for the whole site. An exception
    is left out if it is for a scheme other than http and https, or only for parameters that the
    rules do not name.

    Raises:
        TypeError: ``text`` is not text.
        ValueError: it is not JSON, or not a catalog.
    """
    providers = _read(text).get("providers")
    if not isinstance(providers, dict):
        raise ValueError(  # noqa: TRY004  # the type of a value in the text
            'a catalog of ClearURLs must be an object with "providers"'
        )
    rules: list[ParamRule] = []
    left_out: list[str] = []
    for name, provider in providers.items():
        shown = f"the provider {masked_value(name)}"
        if not isinstance(provider, dict):
            raise ValueError(f"{shown} is not an object")  # noqa: TRY004
        patterns = _texts(provider, "rules", shown)
        for key, reason in _NOT_PARAMS.items():
            if provider.get(key):
                left_out.append(_entry(name, f"{key} {reason}"))
        if not patterns:
            continue
        exceptions = _texts(provider, "exceptions", shown)
        sites = _provider_sites(provider.get("urlPattern"))
        if sites is None:
            left_out.append(_entry(name, "its urlPattern is not that of some domains"))
            continue
        excepted: list[str] = []
        for each in exceptions:
            found = _exception_sites(each)
            if found:
                excepted += found
            elif _ANY_SCHEME.match(each) and not _OF_HTTP.match(each):
                left_out.append(_entry(each, "the exception is not for http and https"))
            elif _is_for_others(each, patterns):
                left_out.append(_entry(each, "the exception is for parameters that no rule names"))
            else:
                left_out.append(_entry(name, "one of its exceptions does not begin with a domain"))
                break
        else:
            names = [each for each in patterns if _A_NAME.fullmatch(each)]
            others = [each for each in patterns if each not in names]
            left_out += [_entry(each, reason) for each in others if (reason := _problem(each))]
            linear = [each for each in others if not _problem(each)]
            if names or linear:
                rules.append(
                    ParamRule(
                        names,
                        patterns=linear,
                        sites=sites,
                        except_sites=dict.fromkeys(excepted),
                        ignore_case=True,
                    )
                )
    return ParamList(tuple(rules), tuple(left_out))


def _entry(entry: str, reason: str) -> str:
    """Return an entry that is left out, and why."""
    return f"{masked(entry)[:200]!r}: {reason}"


def _problem(pattern: str) -> str:
    """Return why a pattern is not linear, or "" if it is."""
    try:
        linear_pattern(pattern)
    except ValueError as error:
        return str(error)
    return ""


_NOT_PARAMS: Final = {
    "rawRules": "change more than parameters",
    "redirections": "lead to other URLs",
    "completeProvider": "refuses whole URLs",
}


def _provider_sites(pattern: object) -> tuple[str, ...] | None:
    """Return the sites of a provider, () for every URL, or None if it has another pattern."""
    if not isinstance(pattern, str):
        return None
    if pattern in _EVERYWHERE:
        return ()
    names, rest = _names(pattern)
    if rest == _ANY_SUFFIX and names and not any("." in name for name in names):
        return tuple(f"{name}.*" for name in names)
    is_whole = rest in ("", "/", "\\/") and names
    return tuple(names) if is_whole and all(map(_A_SITE.fullmatch, names)) else None


def _exception_sites(pattern: str) -> list[str]:
    """Return the sites of an exception, each with all that is below it, or none."""
    names, rest = _names(pattern)
    if rest.startswith(_ANY_SUFFIX):
        return [f"{name.rpartition('.')[2]}.*" for name in names if name]
    return names if all(map(_A_SITE.fullmatch, names)) else []


def _names(pattern: str) -> tuple[list[str], str]:
    """Return the domains that a pattern begins with, and the rest of the pattern.

    "a.(?:com|net)/b" begins with two.
    """
    start = _START.match(pattern)
    if start is None:
        return [], pattern
    names, at = [""], start.end()
    while len(names) <= _MOST_SITES:
        if found := _LITERAL.match(pattern, at):
            names = [name + found[0] for name in names]
        elif found := _GROUP.match(pattern, at):
            options = [*found[1].split("|"), *([""] if found[2] else [])]
            names = [name + option for name in names for option in options]
        else:
            return [name.replace("\\.", ".") for name in names], pattern[at:]
        at = found.end()
    return [], pattern


def _is_for_others(pattern: str, rules: list[str]) -> bool:
    """Return whether an exception is only for parameters that no rule names, such as "ref_?="."""
    if not _ANY_SCHEME.match(pattern):
        return False
    params = {
        name
        for found in _PARAM.findall(pattern)
        for name in (found[0], found[0][:-1])[: 1 + bool(found[1])]
    }
    compiled = [linear_pattern(rule) for rule in rules if not _problem(rule)]
    return bool(params) and not any(rule.fullmatch(name) for rule in compiled for name in params)


def _read(text: str) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError for anything else."""
    # Raised after the handlers, so that the error does not keep the whole text.
    problem = ""
    try:
        found = json.loads(require_text(text, "a list"))
    except RecursionError:
        problem = "is nested too deeply"
    except json.JSONDecodeError as error:
        problem = f"is damaged: {error.msg} at line {error.lineno}, column {error.colno}"
    if problem:
        raise ValueError(f"the JSON {problem}")
    if not isinstance(found, dict):
        raise ValueError("the JSON is not an object")  # noqa: TRY004
    return found


def _texts(entry: dict[str, object], key: str, where: str) -> list[str]:
    found = entry.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(f'"{key}" of {where} is not a list of text')
    return found
