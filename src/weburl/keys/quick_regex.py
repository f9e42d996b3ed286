"""Quick keys without compiled code: one regex reads a canonical URL and finds what changes.

It is the regex of `url.fast_path_regex`, with a group for each part that a step changes. A URL
without any of these groups is its own key, and takes as long as `weburl.canonicalize`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

from weburl.keys.params import ParamMatcher
from weburl.keys.steps import DEFAULT_DOCUMENTS, PARAM_STEPS, Details, end_of_www
from weburl.standard.infra.code_points import SPECIAL_QUERY_PERCENT_ENCODE_SET
from weburl.standard.infra.strings import ascii_lowercase
from weburl.standard.url.fast_path_regex import FRAGMENT, HOST, PATH, PORT, QUERY, others

_VALUE: Final = others(SPECIAL_QUERY_PERCENT_ENCODE_SET, but="&")
_NAME: Final = others(SPECIAL_QUERY_PERCENT_ENCODE_SET, but="%+&=")
_DOCUMENTS: Final = tuple(f"/{name}" for name in DEFAULT_DOCUMENTS)
_LONGEST_DOCUMENT: Final = max(map(len, _DOCUMENTS))
# A percent-encoded byte that stays as it is.
_FOLDED: Final = "%(?!2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)[0-9A-F]{2}"
# Groups of the regex. The first is "http" if it becomes https, which needs a URL without a port.
# The fourth and the fifth are the names of a query of two pairs.
_WWW, _SLASH, _NAMES, _QUERY, _FRAGMENT = 2, 3, 4, 6, 7
_NOTHING: Final = (None, None, None)


class KeyPlan:
    """What is prepared of rules."""

    __slots__ = ("key_of",)

    def __init__(self, key_of: Callable[[object], str | None]) -> None:
        self.key_of: Callable[[object], str | None] = key_of


def plan_of(steps: Collection[str], details: Details) -> KeyPlan:
    """Return a plan, whose ``key_of`` reads only canonical text.

    ``steps``: the names of those that are on.
    """
    read = re.compile(_pattern(steps, details), re.ASCII).fullmatch
    folds_https = "fold_https" in steps
    folds_documents = "fold_default_document" in steps

    def key_of(text: object) -> str | None:
        if type(text) is not str or (found := read(text)) is None:
            return None
        last = found.lastindex
        if last is None:
            return text
        if last > _SLASH:
            changed = _with_quick_query(text, found, details)
            if changed is None or found.group(1, _WWW, _SLASH) == _NOTHING:
                return changed
            text = changed
        start = text.index("/") + 2
        if found.end(_WWW) >= 0:
            start += end_of_www(text[start : text.index("/", start)].partition(":")[0])
        scheme = "https://" if folds_https else text[: text.index("/") + 2]
        if last < _SLASH or (slash := found.start(_SLASH)) < 0:
            return scheme + text[start:]
        if text[slash - 1] == "/" or (folds_documents and _ends_in_document(text, slash)):
            return None
        return f"{scheme}{text[start:slash]}{text[slash + 1 :]}"

    return KeyPlan(key_of)


def _with_quick_query(text: str, found: re.Match[str], details: Details) -> str | None:
    """Return a URL with the query and the fragment of its key; None if the steps must run."""
    if found.lastindex == _FRAGMENT:
        text = text[: found.start(_FRAGMENT) - 1]
    first, second, query = found.group(_NAMES, _NAMES + 1, _QUERY)
    if first is not None and first > second:
        query = text[found.start(_NAMES) :].partition("#")[0]
    if query is None:
        return text
    changed = details.quick_query(query)
    if changed is None or changed == query:
        return None if changed is None else text
    return text.replace(f"?{query}", f"?{changed}", 1)


def _ends_in_document(text: str, end: int) -> bool:
    return ascii_lowercase(text[end - _LONGEST_DOCUMENT : end]).endswith(_DOCUMENTS)


def _pattern(steps: Collection[str], details: Details) -> str:
    """Return a regex of canonical URLs, with groups for what changes: see `_WWW`.

    They are all of the "www." that may go, one slash at the end of the path, a query that `Details`
    must look at, and a fragment that goes.
    """
    scheme = "https|(http)" if "fold_https" in steps else "https?" + _no(1)
    www = r"((?:www\.(?=[^.:/]++\.))++)" if "fold_www" in steps else "(?!)()"
    query = _query(steps, details.dropped) if PARAM_STEPS & {*steps} else f"{QUERY}*+{_no(3)}"
    fragment = _fragment(details) if "drop_fragment" in steps else f"{FRAGMENT}*+{_no(1)}"
    return (
        rf"(?:{scheme})://(?:{www})?+{HOST}(?(1)|(?::{PORT})?){_path(steps)}"
        rf"(?:\?(?:{query}))?(?:\#(?:{fragment}))?"
    )


def _path(steps: Collection[str]) -> str:
    refused = ";(" * ("drop_session_ids" in steps) + "A-Z" * ("lowercase_path" in steps)
    ahead = f"(?![^?#{refused}]*+[{refused}])" if refused else ""
    if "fold_percent_encoding" in steps:
        ahead += rf"(?![^#%]*+(?:{_FOLDED}[^#%]*+)*+%)"
    ends = ""
    if "fold_default_document" in steps:
        ends = "".join(f"(?<!(?i:/{re.escape(name)}))" for name in DEFAULT_DOCUMENTS)
    if "fold_trailing_slash" in steps:
        # Not the root: the group is only in what follows its slash.
        return f"/{ahead}(?:(?=[^?#]){PATH[1:]}{ends}(?:(?<=(/)))?+)?+"
    return f"{ahead}{PATH}{ends}(?:(?!)())?"


def _query(steps: Collection[str], dropped: ParamMatcher) -> str:
    """Return a regex of queries: of one or two pairs that stay, or any other as a group."""
    if dropped.plain_names is None or {"keep_params", "drop_empty_params"} & {*steps}:
        return f"(?!)()()|({QUERY}*+)"
    by_letter: dict[str, list[str]] = {}
    for name in dropped.plain_names:
        text = re.escape(name.text[1:]) + ("" if name.is_prefix else r"(?![^=&\#])")
        by_letter.setdefault(name.text[0], []).append(text)
    names = "|".join(
        f"{re.escape(letter)}(?:{'|'.join(ends)})" for letter, ends in by_letter.items()
    )
    kept = f"(?!{names}){_NAME}++" if names else f"{_NAME}++"
    value = f"(?:={_VALUE}*+)?+"
    end = r"(?![^\#])"
    return f"{kept}{value}{end}|({kept}){value}&({kept}){value}{end}|({QUERY}*+)"


def _fragment(details: Details) -> str:
    """Return a regex of fragments: of those that stay, or any other as a group."""
    if details.keep_text_directives:
        return f"(?!{FRAGMENT}*?:~:)(?:{_kept(details)}({FRAGMENT}*+))"
    return f"{_kept(details)}({FRAGMENT}*+)"


def _kept(details: Details) -> str:
    starts = "|".join(map(re.escape, details.keep_fragments))
    return f"(?:{starts})(?!{FRAGMENT}*?:~:){FRAGMENT}*+|(?!{starts})" if starts else ""


def _no(groups: int) -> str:
    """Return a regex with so many groups, which never matches, as an alternative."""
    return "|(?!)" + "()" * groups
