"""SURT: the keys of web archives, which sort URLs by domain, subdomain and path.

``com,example)/a?b=1`` is the key of ``http://www.example.com/A/?B=1``. What a profile does was
derived from public documentation and from the answers of programs, not from their source.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, get_args

from weburl.standard.hosts.values import Domain, Host, IPv4Address, IPv6Address
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.percent_encoding import percent_decode
from weburl.standard.infra.strings import ascii_lowercase
from weburl.standard.url.api import record_of
from weburl.standard.url.record import AnyURL

SURTProfile: TypeAlias = Literal["archive", "careful"]
"""The profiles of `surt`."""

_WWW: Final = re.compile(r"www[0-9]*\.", re.ASCII)
# The bytes that stay as they are where text was percent-decoded.
_STAYS_ESCAPED: Final = re.compile('[^!"$&-~]')
_AN_ID: Final = "[0-9a-zA-Z]{32}"
# Session ids at the end of a parameter, and how long each is.
_SESSIONS: Final = tuple(
    (re.compile(pattern, re.ASCII | re.IGNORECASE), length)
    for pattern, length in (
        (f"jsessionid={_AN_ID}", 43),
        (f"phpsessid={_AN_ID}", 42),
        (f"sid={_AN_ID}", 36),
        ("aspsessionid[a-zA-Z]{8}=[a-zA-Z]{24}", 45),
    )
)
_COOKIELESS: Final = re.compile(
    r"/\((?:[0-9a-z]{24}|(?:[a-z]\([0-9a-z]{24}\))+)\)(?=/)", re.ASCII | re.IGNORECASE
)
_SCHEMES: Final = ("http", "https", "ftp")
_PROFILES: Final = get_args(SURTProfile)
_MOST_DECODINGS: Final = 8


def surt(url: AnyURL, *, profile: SURTProfile = "archive") -> str:
    """Return the SURT of ``url``, the key under which web archives list it.

    ``profile``: "archive" gives the keys of the Internet Archive, as its Python package ``surt``
    makes them, for URLs that parse. "careful" gives keys of the same form without the known
    mistakes of "archive":

    - Text that is percent-encoded stays so. "archive" decodes ``%2F`` and ``%3F``, which makes
      different pages equal.
    - The path and the query keep their case.
    - Empty segments of the path, as in ``/a//b``, stay.
    - A session id is removed as a whole parameter. "archive" makes ``?xx`` of ``?xsid=…&x``, and
      leaves an "&" where it removes the last parameter.
    - The numbers of an IPv4 address keep their order, and an IPv6 address has its brackets.
    - ``www.`` is kept if it is part of the registrable domain, as in ``www.co.uk``. "archive" makes
      one key of this and ``co.uk``. Empty labels stay.

    Both drop the scheme, credentials, ``www.`` with or without digits, the default port, the
    fragment and slashes at the end of the path, and sort the parameters. The key of a URL whose
    scheme is not http, https or ftp is its href without the fragment.

    Raises `URLParseError` for text that does not parse, and ValueError for another profile.
    """
    if profile not in _PROFILES:
        raise ValueError(f"the profile must be 'archive' or 'careful', not {masked_value(profile)}")
    record = record_of(url)
    if record.scheme not in _SCHEMES:
        return record.href.partition("#")[0]
    is_careful = profile == "careful"
    host = _reversed_host(record.host, is_careful=is_careful)
    number = record.port
    port = "" if number is None else f":{number}"
    # What is decoded can hold a "?", which then belongs to the path.
    path = _careful_path(record.path_text) if is_careful else _archive_path(record.path_text)
    query = record.query
    if query:
        query = _careful_query(query) if is_careful else _archive_query(query)
    return f"{host}{port}){path}?{query}" if query else f"{host}{port}){path}"


def _reversed_host(host: Host | None, *, is_careful: bool) -> str:
    if isinstance(host, Domain):
        text = host.value
        if is_careful:
            return ",".join(_without_www(text.removesuffix(".")).split(".")[::-1])
        labels = text.split(".")
        if "" in labels:
            labels = [*filter(None, labels)]
        if text[:3] == "www" and len(labels) > 1 and _WWW.match(text):
            del labels[0]
        labels.reverse()
        return ",".join(labels)
    text = str(host)
    if isinstance(host, IPv6Address):
        return text if is_careful else text[1:-1]
    assert isinstance(host, IPv4Address)
    return text if is_careful else ",".join(text.split(".")[::-1])


def _without_www(domain: str) -> str:
    found = _WWW.match(domain)
    if found is None:
        return domain
    from weburl.standard.hosts.public_suffix import packaged_list

    # As in `weburl.keys.steps.end_of_www`.
    registrable = packaged_list().registrable_domain(domain)
    keeps = registrable is None or len(domain) - found.end() < len(registrable)
    return domain if keeps else domain[found.end() :]


def _decoded(text: str) -> str:
    """Return ``text`` percent-decoded until nothing changes, and encoded as little as possible.

    It is a path or a query of a record.
    """
    data = text.encode()
    for _ in range(_MOST_DECODINGS):
        decoded = percent_decode(data)
        if decoded == data:
            break
        data = decoded
    return _STAYS_ESCAPED.sub(_escaped, data.decode("latin-1"))


def _escaped(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"


def _archive_path(path: str) -> str:
    if "%" in path:
        path = _decoded(path)
    if "//" in path or "/." in path:
        path = _resolved(path)
    path = path.lower()  # It is ASCII.
    if ".aspx" in path:
        path = _COOKIELESS.sub("", path.removesuffix("/"))
    return path.rstrip("/") or "/"


def _resolved(path: str) -> str:
    """Return a path without dot segments and empty segments."""
    segments: list[str] = []
    for segment in path.split("/"):
        if segment == ".." and segments and segments[-1] != "..":
            segments.pop()
        elif segment not in ("", "."):
            segments.append(segment)
    return "/" + "/".join(segments)


def _archive_query(query: str) -> str:
    if "%" in query:
        query = _decoded(query)
    lowercase = query.lower()
    if _may_have_a_session(lowercase):
        lowercase = _without_sessions(query)
    if "&" not in lowercase:
        return lowercase
    return "&".join(sorted(lowercase.split("&"), key=_name_and_value))


def _may_have_a_session(query: str) -> bool:
    """Return whether there may be a session id in ``query``, which is in lowercase."""
    return "sid=" in query or "sessionid" in query or "cfid=" in query


def _without_sessions(query: str) -> str:
    """Return a query in lowercase without the session ids that "archive" removes."""
    pairs = query.split("&")
    for pattern, length in _SESSIONS:
        for at in reversed(range(len(pairs))):
            if pattern.fullmatch(pairs[at][-length:]):
                _cut(pairs, at, pairs[at][:-length], at + 1)
                break
    pairs = ascii_lowercase("&".join(pairs)).split("&")
    for at in reversed(range(len(pairs) - 1)):
        start = pairs[at].rfind("cfid=", 0, len(pairs[at]) - 1)
        if start >= 0 and pairs[at + 1].removeprefix("cftoken=") not in ("", pairs[at + 1]):
            _cut(pairs, at, pairs[at][:start], at + 2)
            break
    return "&".join(pairs)


def _cut(pairs: list[str], at: int, left: str, end: int) -> None:
    """Replace the pairs from ``at`` to ``end`` by ``left``, which the next pair then follows."""
    pairs[at:end] = [left]
    if at + 1 < len(pairs):
        # The "&" that separated them goes with the session id.
        pairs[at : at + 2] = [left + pairs[at + 1]]


def _name_and_value(pair: str) -> tuple[str, ...]:
    return pair.partition("=")[::2]


def _careful_path(path: str) -> str:
    return (_COOKIELESS.sub("", path) if "/(" in path else path).rstrip("/") or "/"


def _careful_query(query: str) -> str:
    pairs = [pair for pair in query.split("&") if pair]
    if _may_have_a_session(ascii_lowercase(query)):
        pairs = [pair for pair in pairs if not _is_session(pair)]
    return "&".join(sorted(pairs, key=_name_and_value))


def _is_session(pair: str) -> bool:
    return any(pattern.fullmatch(pair) for pattern, _ in _SESSIONS)
