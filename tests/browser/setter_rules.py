"""Where Chromium's setters leave the standard, beside what `rules` says of parsing.

`foretold_after` says what Chromium gives after a setter, from the state that it was in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

import attrs

import weburl
from tests.browser.asking import Call
from tests.browser.readings import SPECIAL, Case, Outcome, Reading, of
from tests.browser.rules import RULES, foretold
from tests.browser.scheme_rules import OPAQUE, STANDARD
from tests.browser.texts import Text

_HOST_RULES: Final = ("mapped-percent-sign-in-host", "IPv6-address-decoded",
                      "IPv4-numbers-in-IPv6-address", "star-in-host", "space-in-host",
                      "mapped-space-in-host", "newer-Unicode", "less-than-in-host",
                      "localhost-of-file")  # fmt: skip
_OWN: Final = STANDARD | OPAQUE | {"filesystem"}


class State(NamedTuple):
    """What a setter finds, and what it is given."""

    before: Reading
    name: str
    value: str
    unassigned: frozenset[int]


class SetterRule(NamedTuple):
    """One way in which a setter of Chromium's leaves the standard.

    ``gives``: from what it found and what ours gives to what Chromium gives. ``example``: the URL,
    the setter and its value.
    """

    name: str
    says: str
    example: tuple[str, str, str]
    gives: Callable[[State, Reading], Reading]


def _new_scheme(state: State) -> str:
    new = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*)(:|\Z)", state.value)
    return f"{new[1].lower()}:" if new and state.name == "protocol" else ""


def _to_special(state: State) -> Outcome:
    """Return the URL with a special scheme in the place of another; None if that is no URL."""
    rest = state.before.href[len(state.before.protocol) :]
    return foretold(Case(_new_scheme(state) + rest), state.unassigned)


def _kinds(state: State, found: Reading) -> Reading:
    if _new_scheme(state) not in SPECIAL or state.before.is_special:
        return found
    return _to_special(state) or found


def _host_of_file(state: State, found: Reading) -> Reading:
    port = re.match(r"([^/\\?#]*?)(:[0-9]*)+(?=[/\\?#]|\Z)", state.value)
    if state.name != "host" or state.before.protocol != "file:" or port is None or not port[1]:
        return found
    return after(state._replace(value=port[1]))


def _host_let_go(state: State, found: Reading) -> Reading:
    value = re.sub("[\t\n\r]", "", state.value)
    is_empty = state.name in {"host", "hostname"} and re.match(r"[?#/]|\Z", value)
    before = state.before
    has_more = before.username or before.password or before.port
    if not is_empty or not state.value or not (has_more or before.protocol == "file:"):
        return found
    return (
        found
        if before.is_special and before.protocol != "file:"
        else before.having(username="", password="", hostname="", port="")
    )


def _no_query(state: State, found: Reading) -> Reading:
    if state.name != "search" or state.value != "?":
        return found
    return attrs.evolve(found, href=found.href.replace("?", "", 1))


def _line_ends(state: State, found: Reading) -> Reading:
    has_any = state.name == "protocol" and re.search("[\t\n\r]", state.value)
    return state.before if has_any else found


SETTER_RULES: Final = (
    SetterRule(
        "protocol-across-kinds",
        "`protocol` may change from another scheme to a special one",
        ("foo://example.com/", "protocol", "https"),
        _kinds,
    ),
    SetterRule(
        "port-of-file",
        "`host` accepts a port for a `file:` URL, and drops it",
        ("file://a/", "host", "b:80"),
        _host_of_file,
    ),
    SetterRule(
        "credentials-let-go",
        "`host` and `hostname` may empty a host with userinfo and port, and remove those too",
        ("foo://u@a:1/", "host", "?"),
        _host_let_go,
    ),
    SetterRule(
        "no-empty-query",
        "`search` treats `?` as no query, not as an empty one",
        ("https://example.com/", "search", "?"),
        _no_query,
    ),
    SetterRule(
        "line-ends-in-protocol",
        "`protocol` refuses tabs and line ends, which the standard removes",
        ("http://example.com/", "protocol", "ht\ttps"),
        _line_ends,
    ),
)


def after(state: State) -> Reading:
    """Return what Chromium gives after a setter by the rules for parsing alone."""
    before, name, value, unassigned = state
    if name == "href":
        return foretold(Case(value), unassigned) or before
    written = text = Text(before.href, None, unassigned)
    if name in {"host", "hostname"} and before.is_special:
        value = re.split(r"[/\\?#]", value, maxsplit=1)[0]
        asked = Text(f"{before.protocol}//{value}", None, unassigned).without_line_ends()
        for rule in RULES:
            asked = rule.reads(asked) if rule.name in _HOST_RULES else asked
        value = asked.rest[2:]
        read = _set(asked.input.partition(":")[0] + "://h/", name, value)
        if any(rule.refuses(asked, read) for rule in RULES if rule.name in _HOST_RULES):
            return before
    for rule in RULES:
        text = rule.reads(text)
    if name == "pathname":
        value = _path_read(value, before)
    found = _set(text.input, name, value)
    for rule in reversed(RULES):
        found = rule.writes(written, found)
    return found


def _path_read(value: str, before: Reading) -> str:
    """Return the path that the standard reads as Chromium reads this one."""
    text = re.sub("[\t\n\r]", "", value)
    if not text or (before.is_special and before.protocol != "file:"):
        return value
    slash = "" if text[:1] in ("/\\" if before.is_special else "/") else "/"
    text = text.replace("?", "%3F").replace("#", "%23")
    read = Text(f"{before.protocol}{slash}{text}", None)
    for rule in RULES:
        read = rule.reads(read) if rule.name in {"dots-before-backslash", "drive-letter"} else read
    return read.rest


def _set(href: str, name: str, value: str) -> Reading:
    url = weburl.URL(href)
    setattr(url, name, value)
    return of(url)


def is_open(before: Reading, call: Call, unassigned: frozenset[int]) -> bool:
    """Return whether the rules leave a setter open.

    They do where a scheme of Chromium's own is or comes; where a URL has an empty host or path, of
    which Chromium's setters may lose the slashes; where `host` has a port that is no number, or
    half a bracket; and where the URL is one that no parser gives: Chromium's `protocol` setter can
    make such, of what is no URL with the new scheme, or of a port of `file:`.
    """
    state = State(before, call[0], call[1], unassigned)
    new = _new_scheme(state)
    if {before.protocol[:-1], new[:-1]} & _OWN or foretold(
        Case(before.href), frozenset()
    ) != before:
        return True
    has_no_host = not before.host and (before.has_authority or not before.pathname)
    if has_no_host and not before.is_special:
        return True
    host = re.split(r"[/\\?#]", call[1], maxsplit=1)[0].rpartition("]")[2]
    if call[0] == "host" and (re.search(":(?![0-9]*$)", host) or re.match(r"[^\[]*\]", call[1])):
        return True
    if new not in SPECIAL or before.is_special:
        return False
    return new == "file:" or _to_special(state) is None


def foretold_after(state: State) -> tuple[Reading, list[str]]:
    """Return what Chromium gives after a setter, and the names of the setter rules that say so."""
    found = after(state)
    names = []
    for rule in SETTER_RULES:
        given = rule.gives(state, found)
        if given != found:
            names.append(rule.name)
            found = given
    return found, names
