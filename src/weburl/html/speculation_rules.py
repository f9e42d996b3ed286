"""The URLs in a page's speculation rules, which browsers may load ahead of time.

Takes a script's text and returns texts. Nothing is parsed as a URL here.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

_TAG: Final = re.compile("[\x20-\x7e]*")
_ACTIONS: Final = ("prefetch", "prerender")
_MEMBERS: Final = frozenset(
    {
        "eagerness",
        "expects_no_vary_search",
        "referrer_policy",
        "relative_to",
        "requires",
        "source",
        "tag",
        "target_hint",
        "urls",
        "where",
    }
)


def speculation_rules_urls(text: str) -> list[str]:
    """Return the URLs listed in a script of the type "speculationrules".

    A rule with a member that nobody knows, or without a list of texts, lists none; nor does
    text that is not JSON, nor a set whose tag is no printable ASCII text. Rules that match
    hyperlinks rather than list URLs list none either.

    Spec divergence (nothing is loaded here): what a rule says of how to load is not checked.

    Spec: https://html.spec.whatwg.org/#parse-a-speculation-rule-set-string
    """
    try:
        rules = json.loads(text, parse_int=_ignore, parse_float=_ignore, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return []
    if not isinstance(rules, dict):
        return []
    if "tag" in rules and not _is_tag(rules["tag"]):
        return []
    lists = [rules.get(action) for action in _ACTIONS]
    return [
        url for rules in lists if isinstance(rules, list) for rule in rules for url in _urls(rule)
    ]


def _is_tag(tag: object) -> bool:
    return isinstance(tag, str) and _TAG.fullmatch(tag) is not None


def _ignore(number: str) -> None:
    """Take no number, since none means anything here, and long ones take quadratic time."""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")


def _urls(rule: Any) -> list[str]:  # noqa: ANN401 - whatever JSON has
    if not isinstance(rule, dict) or not _MEMBERS.issuperset(rule) or "where" in rule:
        return []
    urls = rule.get("urls")
    if (
        not isinstance(urls, list)
        or not all(isinstance(url, str) for url in urls)
        or rule.get("source", "list") != "list"
        or rule.get("relative_to", "document") not in ("document", "ruleset")
    ):
        return []
    return urls
