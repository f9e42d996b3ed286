"""The steps that make a key of a URL: one function each, in the order in which they run.

A step changes `Parts` in place. Each is idempotent, and so are all of them in this order, whichever
are on: `tests/keys/test_properties.py` draws rules and URLs. Only http and https URLs get here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_letters, digits, hexdigits
from typing import Final, Literal, TypeAlias

import attrs

from weburl.keys.params import ParamMatcher, named_by
from weburl.standard.infra.code_points import DOUBLE_DOT_SEGMENTS, SINGLE_DOT_SEGMENTS
from weburl.standard.infra.query_pairs import plain_names_in, sorted_pairs, without_pairs
from weburl.standard.infra.strings import ascii_lowercase

Certainty: TypeAlias = Literal["same", "almost certain", "guess"]
"""How likely it is that URLs which a step makes equal are one page.

"same": a browser fetches the same. "almost certain": nearly every site answers with the same page.
"guess": many sites do.
"""

_DIRECTIVE: Final = ":~:"
_WWW: Final = "www."
# What a percent sign and two hexadecimal digits become: an unreserved character of RFC 3986, or the
# same with uppercase digits.
_UNRESERVED: Final = frozenset((ascii_letters + digits + "-._~").encode())
_SPELLINGS: Final = {
    f"%{high}{low}": chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
    for high in hexdigits
    for low in hexdigits
    for byte in (int(high + low, 16),)
}
_PERCENT_SIGN: Final = re.compile("%(?:[0-9A-Fa-f][0-9A-Fa-f])?+", re.ASCII)
# What frameworks write for visitors without cookies, up to the end of the segment.
_SESSION_ID: Final = re.compile(
    r";(?:jsessionid|phpsessid|aspsessionid[a-z]*|sid)=[^/;]*", re.ASCII | re.IGNORECASE
)
_COOKIELESS: Final = re.compile(r"/\((?:[AaSsFfXx]\([A-Za-z0-9_-]+\))+\)(?=/)", re.ASCII)
DEFAULT_DOCUMENTS: Final = (
    "index.html",
    "index.htm",
    "index.php",
    "default.htm",
    "default.html",
    "default.asp",
    "default.aspx",
)
"""The names that servers give to the document of a directory."""


class Parts:
    """The parts of an http or https URL on their way to a key, as text. They can be changed."""

    __slots__ = ("fragment", "host", "path", "port", "query", "scheme", "userinfo")

    def __init__(self, href: str) -> None:
        """Cut canonical text. Without a record, this takes a third of the time."""
        rest, mark, fragment = href.partition("#")
        self.fragment: str | None = fragment if mark else None
        rest, mark, query = rest.partition("?")
        self.query: str | None = query if mark else None
        self.scheme: str
        self.userinfo: str
        self.host: str
        self.scheme, _, rest = rest.partition("://")
        authority, slash, path = rest.partition("/")
        self.path: str = slash + path
        self.userinfo, _, host = authority.rpartition("@")
        # The last colon of "[::1]" is not one before a port.
        name, colon, port = host.rpartition(":")
        if colon and not host.endswith("]"):
            self.host = name
            self.port: str | None = port
        else:
            self.host = host
            self.port = None

    def href(self) -> str:
        """Return the URL that the parts make, as canonical text."""
        text = f"{self.userinfo}@{self.host}" if self.userinfo else self.host
        if self.port is not None:
            text = f"{text}:{self.port}"
        text = f"{self.scheme}://{text}{self.path}"
        if self.query is not None:
            text = f"{text}?{self.query}"
        return text if self.fragment is None else f"{text}#{self.fragment}"


@attrs.frozen
class Details:
    """What the steps need to know besides which of them are on."""

    keep_fragments: tuple[str, ...]
    keep_text_directives: bool
    folds_trailing_slash: bool
    dropped: ParamMatcher
    kept: ParamMatcher
    keeps_no_params: bool
    only_drops_some: bool


@attrs.frozen
class Step:
    """A step of `KeyRules`.

    Args:
        name: the name of the option that turns it on.
        certainty: how likely it is that the URLs it makes equal are one page.
        meaning: what it does, in a few words.
    """

    __module__ = "weburl.keys"

    name: str
    certainty: Certainty
    meaning: str


Run: TypeAlias = Callable[[Parts, Details], None]
"""A step's function."""

RUN: Final[dict[Step, Run]] = {}
"""The function of each step."""


def _step(certainty: Certainty, meaning: str) -> Callable[[Run], Run]:
    """Make a function the step of its name. The steps run in the order of this file."""

    def made(run: Run) -> Run:
        RUN[Step(run.__name__.removeprefix("_"), certainty, meaning)] = run
        return run

    return made


@_step("same", "the fragment is removed, unless the rules keep it")
def _drop_fragment(parts: Parts, details: Details) -> None:
    fragment = parts.fragment
    if fragment is None:
        return
    route, mark, directive = fragment.partition(_DIRECTIVE)
    kept = route if route.startswith(details.keep_fragments) else ""
    if mark and details.keep_text_directives:
        kept += mark + directive
    parts.fragment = kept or None


@_step("almost certain", "the username and the password are removed")
def _drop_credentials(parts: Parts, _details: Details) -> None:
    parts.userinfo = ""


@_step("almost certain", "http becomes https, if there is no port")
def _fold_https(parts: Parts, _details: Details) -> None:
    if parts.scheme == "http" and parts.port is None:
        parts.scheme = "https"


@_step("almost certain", "a dot at the end of the host is removed")
def _drop_trailing_dot(parts: Parts, _details: Details) -> None:
    host = parts.host
    # What is left is not the empty host.
    if host.endswith(".") and not host.endswith("..") and host != ".":
        parts.host = host[:-1]


@_step("almost certain", '"www." before the registrable domain is removed')
def _fold_www(parts: Parts, _details: Details) -> None:
    host = parts.host
    if host.startswith(_WWW):
        parts.host = host[end_of_www(host) :]


def end_of_www(host: str) -> int:
    """Return the offset in a host after each leading "www." that is removed.

    The registrable domain is kept whole, so hosts with different registrable domains have different
    keys. It is found by the packaged list, so that all processes make the same keys.
    """
    from weburl.standard.hosts.public_suffix import packaged_list

    registrable = packaged_list().registrable_domain(host)
    most = 0 if registrable is None else len(host) - len(registrable)
    at = 0
    while at < most and host.startswith(_WWW, at):
        at += len(_WWW)
    return at


@_step("almost certain", "%7E becomes ~, %eb becomes %EB, and a % without two hex digits %25")
def _fold_percent_encoding(parts: Parts, _details: Details) -> None:
    parts.path = _folded(parts.path)
    if parts.query is not None:
        parts.query = _folded(parts.query)


def _folded(text: str) -> str:
    # A percent sign of its own becomes "%25", or it would make another code of what follows it.
    return _PERCENT_SIGN.sub(lambda found: _SPELLINGS.get(found[0], "%25"), text)


@_step("almost certain", 'session ids such as ";jsessionid=…" are removed')
def _drop_session_ids(parts: Parts, _details: Details) -> None:
    path = parts.path
    if ";" in path:
        segments = path.split("/")
        path = "/".join([_without_session_id(segment) for segment in segments])
    if "/(" in path:
        # What follows a cookieless session can look like one.
        path = _COOKIELESS.sub("", path)
    parts.path = path


def _without_session_id(segment: str) -> str:
    if ";" not in segment:
        return segment
    without = _SESSION_ID.sub("", segment)
    # The parser would resolve what is left.
    is_dots = without in SINGLE_DOT_SEGMENTS or without in DOUBLE_DOT_SEGMENTS
    return segment if is_dots else without


@_step("guess", "the path is lowercased")
def _lowercase_path(parts: Parts, _details: Details) -> None:
    parts.path = ascii_lowercase(parts.path)


@_step("almost certain", "slashes at the end of the path are removed")
def _fold_trailing_slash(parts: Parts, _details: Details) -> None:
    parts.path = parts.path.rstrip("/") or "/"


_DOCUMENTS: Final = frozenset(DEFAULT_DOCUMENTS)
_LONGEST: Final = max(map(len, DEFAULT_DOCUMENTS))


@_step("guess", '"index.html" and its like are removed from the path')
def _fold_default_document(parts: Parts, details: Details) -> None:
    path = parts.path
    end = len(path)
    while True:
        start = path.rfind("/", 0, end) + 1
        # Longer text is not one of the names.
        if end - start > _LONGEST or ascii_lowercase(path[start:end]) not in _DOCUMENTS:
            break
        end = start
        if not details.folds_trailing_slash:
            break
        while end > 1 and path[end - 1] == "/":
            end -= 1
    parts.path = path[:end]


@_step("guess", "only some parameters are kept")
def _keep_params(parts: Parts, details: Details) -> None:
    query = parts.query
    if query:
        wanted = details.kept.rules_for(parts.host)
        if wanted or details.keeps_no_params:
            parts.query = without_pairs(query, lambda pair: not named_by(wanted, pair))


@_step("almost certain", "some parameters are removed")
def _drop_params(parts: Parts, details: Details) -> None:
    query = parts.query
    if query:
        names = plain_names_in(query)
        if names is not None and details.dropped.never_match(names):
            return
        unwanted = details.dropped.rules_for(parts.host)
        parts.query = without_pairs(query, lambda pair: named_by(unwanted, pair))


@_step("guess", "parameters with an empty value, such as a in ?a=&b, are removed")
def _drop_empty_params(parts: Parts, _details: Details) -> None:
    if parts.query:
        parts.query = without_pairs(parts.query, lambda pair: pair.find("=") == len(pair) - 1)


@_step("almost certain", "parameters are sorted by name")
def _sort_params(parts: Parts, _details: Details) -> None:
    if parts.query:
        parts.query = sorted_pairs(parts.query)


@_step("almost certain", 'a "?" without parameters is removed')
def _drop_empty_query(parts: Parts, _details: Details) -> None:
    if parts.query is not None and not parts.query.strip("&"):
        parts.query = None


STEPS: Final = tuple(RUN)
"""All steps, in the order in which they run."""

PARAM_STEPS: Final = frozenset(
    {"keep_params", "drop_params", "drop_empty_params", "sort_params", "drop_empty_query"}
)
"""The names of the steps that change the query."""
