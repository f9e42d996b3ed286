"""The URLs in a page's speculation rules, which browsers may load ahead of time.

They are returned as text; this module does not parse them.
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

    A rule with an unknown member or without a list of texts is ignored. So is a rule that matches
    hyperlinks instead of listing URLs. The whole script is ignored if it is not JSON, or if its tag
    is not printable ASCII.

    Spec divergence (nothing is loaded here): options about how to load are not checked.

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
    """Drop a number: numbers have no meaning here, and int() refuses very long ones."""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


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
