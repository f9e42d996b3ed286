"""Parsing, joining, reading, changing and writing URLs, beside other libraries.

To add a measurement, add one line to `ROWS`, or to `PEERS_CODE` first if the peers do something
that is not there yet.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import pytest

from benchmarks import contenders, inputs

URLS: Final = (
    "links", "slow", "idn", "credentials", "ports", "IPv4", "IPv6", "file:", "other schemes",
)  # fmt: skip
REFERENCES: Final = ("references", "slow references", "idn references")
QUERIES: Final = ("queries", "slow queries")
FAILURES: Final = ("failures",)


AT_ONCE: Final = 200
"""How many objects are made before the time starts. So many fit into the cache of a processor, where
an object is when a program has just made it."""


class Row(NamedTuple):
    """One way to do something with `weburl`.

    Args:
        name: What the tables call it.
        lists: The names of the lists of texts, as in `inputs.lists`.
        code: What runs for each text ``s``. "X -> Y" makes ``s`` by X before the time starts.
        peers: What the peers do, a key of `PEERS_CODE`.
    """

    name: str
    lists: tuple[str, ...]
    code: str
    peers: str


def _web(code: str, **others: str) -> dict[str, str]:
    """Return the same code for the peers with the web's names, and other code for some peers."""
    names = {"url_py": "url-py", "urllib": "urllib.parse"}
    web = dict.fromkeys(("can_ada", "upa_url", "ada_url", "pywhatwgurl"), code)
    return web | {names.get(name, name): one for name, one in others.items()}


def _parts(*names: str) -> str:
    return "; ".join(("u = parse(s)", *(f"u.{name}" for name in names)))


_STR: Final = "str(parse(s))"
_COMPONENTS: Final = (
    "scheme", "username", "password", "hostname", "port", "path", "query", "fragment",
)  # fmt: skip
_RAW: Final = ("scheme", "raw_user", "raw_password", "raw_host", "port", "raw_path",
               "raw_query_string", "raw_fragment")  # fmt: skip

SET: Final = {
    "protocol": "http", "username": "me", "password": "secret", "host": "h.example:81",
    "hostname": "h.example", "port": "81", "pathname": "/x/y.html", "search": "?a=b&c=d",
    "hash": "#top", "href": "https://h.example/x/y?z",
}  # fmt: skip
"""What each attribute of a `URL` is set to."""

CHANGES: Final = {
    "with_scheme": ("with_scheme('http')", "with_scheme('http')"),
    "with_hostname": ("with_hostname('h.example')", "with_host('h.example')"),
    "with_port": ("with_port(81)", "with_port(81)"),
    "with_path": ("with_path('/x/y.html')", "with_path('/x/y.html')"),
    "with_query": ("with_query({'a': 'b'})", "with_query({'a': 'b'})"),
    "with_query_param": ("with_query_param('a', 'b')", "update_query({'a': 'b'})"),
    "add_query_param": ("add_query_param('a', 'b')", "extend_query({'a': 'b'})"),
    "without_query_params": ("without_query_params('q')", "without_query_params('q')"),
    "update_query": ("update_query({'a': 'b'})", "update_query({'a': 'b'})"),
    "with_fragment": ("with_fragment('top')", "with_fragment('top')"),
    "joinpath": ("joinpath('x y')", "joinpath('x y')"),
}
"""By the method of a record: its call, and the call of yarl."""

ALONE: Final = {
    "check": "check(s)",
    "is_valid_url_string": "is_valid_url_string(s)",
    "render": "parse(s) -> render(s)",
    "render_html": "parse(s) -> render_html(s)",
    "surt": "parse(s) -> surt(s)",
    "obtain_a_site": "parse(s) -> obtain_a_site(s)",
    "same_site": "parse(s) -> same_site(s, base)",
    "readings": "readings(s)",
    "public_link, allows": "public_link.allows(s)",
    "webhook, allows": "webhook.allows(s)",
}
"""What no peer does, and its code: times without a ratio."""

EDITED: Final = ("links", "credentials", "IPv6", "file:", "other schemes")

PEERS_CODE: Final[dict[str, dict[str, str]]] = {
    "parse": dict.fromkeys((peer.name for peer in contenders.PEERS), "parse(s)"),
    "href": _web("parse(s).href", url_py=_STR, pydantic_core=_STR, urllib="parse(s).geturl()",
                 yarl=_STR),
    "components": _web(
        _parts("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"),
        url_py=_parts(*(name.replace("hostname", "host_str") for name in _COMPONENTS)),
        pydantic_core=_parts(*(name.replace("hostname", "host") for name in _COMPONENTS)),
        urllib=_parts(*_COMPONENTS), yarl=_parts(*_RAW),
    ),
    "can_parse": _web("can_parse(s)"),
    "join": _web("parse(s, base)", can_ada="base + s", url_py="base.join(s)",
                 urllib="urljoin(base, s)", yarl="base.join(parse(s))"),
    "join, href": _web("parse(s, base).href", can_ada="(base + s).href",
                       url_py="str(base.join(s))", urllib="urljoin(base, s)",
                       yarl="str(base.join(parse(s)))"),
    "join texts": _web("parse(s, base_text)", can_ada="parse(base_text) + s",
                       url_py="parse(base_text).join(s)", urllib="urljoin(base_text, s)",
                       yarl="parse(base_text).join(parse(s))"),
    "params": _web("str(URLSearchParams(s))",
                   urllib="urlencode(parse_qsl(s, keep_blank_values=True))"),
    "first param": _web("URLSearchParams(s).get('q')"),
    "can_parse, False": _web("can_parse(s) or 1 / 0"),
    "origin": _web("parse(s) -> s.origin"),
    "hash": {"yarl": "parse(s) -> hash(s)"},
    "equal": {"yarl": "parse(s) -> s == base"},
    "order": {"yarl": "parse(s) -> s < base"},
    "pickle": {"yarl": "parse(s) -> loads(dumps(s))"},
    "same origin": _web("parse(s) -> s.origin == base.origin"),
    "build": {"yarl": "parse(s) -> parse.build(scheme='https', host=s.host, path='/x', query={'a': 'b'})"},
    **{f"get {name}": _web(f"parse(s) -> s.{name}") for name in SET},
    **{f"set {name}": _web(f"parse(s) -> s.{name} = {value!r}") for name, value in SET.items()},
    **{name: {} for name in ALONE},
    **{name: {"yarl": f"parse(s) -> s.{call}"} for name, (_, call) in CHANGES.items()},
}  # fmt: skip
"""The code of each peer for what it does. A peer without the code is left out."""

ROWS: Final = (
    Row("canonicalize", URLS, "canonicalize(s)", "href"),
    Row("can_parse", URLS, "can_parse(s)", "can_parse"),
    Row("parse + 8 components", URLS, "r = parse(s); r.scheme; r.username; r.password; r.host; "
        "r.port; r.path; r.query; r.fragment", "components"),
    Row("parse", URLS, "parse(s)", "parse"),
    Row("URL(s).href", URLS, "URL(s).href", "href"),
    Row("join", REFERENCES, "base.join(s)", "join"),
    Row("join, then href", REFERENCES, "base.join(s).href", "join, href"),
    Row("parse(s, base text)", REFERENCES, "parse(s, base_text)", "join texts"),
    Row("URLSearchParams, then str", QUERIES, "str(URLSearchParams(s))", "params"),
    Row("URLSearchParams, then get", QUERIES, "URLSearchParams(s).get('q')", "first param"),
    Row("parse, which fails", FAILURES, "parse(s)", "parse"),
    Row("can_parse, which is False", FAILURES, "can_parse(s) or 1 / 0", "can_parse, False"),
    Row("origin", EDITED, "parse(s) -> s.origin", "origin"),
    Row("origin_of", EDITED, "parse(s) -> origin_of(s)", "origin"),
    Row("same_origin", EDITED, "parse(s) -> same_origin(s, base)", "same origin"),
    Row("hash", EDITED, "parse(s) -> hash(s)", "hash"),
    Row("==", EDITED, "parse(s) -> s == base", "equal"),
    Row("<", EDITED, "parse(s) -> s < base", "order"),
    Row("pickle, both ways", EDITED, "parse(s) -> loads(dumps(s))", "pickle"),
    Row("build", ("links",), "parse(s) -> URLRecord.build(scheme='https', host=s.hostname, "
        "path='/x', query={'a': 'b'})", "build"),
    *(Row(f"URL(s).{name}", EDITED, f"was_read(URL(s)) -> s.{name}", f"get {name}") for name in SET),
    *(Row(f"URL(s).{name} = …", EDITED, f"was_read(URL(s)) -> s.{name} = {value!r}", f"set {name}")
      for name, value in SET.items()),
    *(Row(name, EDITED, f"parse(s) -> s.{call}", name) for name, (call, _) in CHANGES.items()),
    *(Row(name, ("links",), code, name) for name, code in ALONE.items()),
)  # fmt: skip
"""What is measured of `weburl`. One line is one row of the tables."""


@cache
def _lists(links: tuple[str, ...]) -> dict[str, list[str]]:
    return inputs.lists(list(links))


@cache
def _in_common(
    links: tuple[str, ...], name: str, code: str, peers: str
) -> tuple[list[str], list[str]]:
    """Return the texts of a list that all parse, and who parses most of them."""
    here = {each.name for each in contenders.installed()}
    codes = {"weburl": code} | {k: v for k, v in PEERS_CODE[peers].items() if k in here}
    return contenders.in_common(_lists(links)[name], codes, fails=name in FAILURES)


def _cases() -> list[Any]:
    """Return each list with each row of `weburl`, and each peer once beside them."""
    found: dict[str, Any] = {}
    for row in ROWS:
        for name in row.lists:
            first = next(one for one in ROWS if one.peers == row.peers and name in one.lists)
            for who in ("weburl", *PEERS_CODE[row.peers]):
                title = f"{name} | {row.peers} | {row.name if who == 'weburl' else who}"
                if who == "weburl" or row is first:
                    found.setdefault(title, pytest.param(row, first, name, who, id=title))
    return list(found.values())


@pytest.mark.parametrize(("row", "first", "name", "who"), _cases())
def bench_urls(
    row: Row, first: Row, name: str, who: str, links: list[str], timed: Callable[..., Any],
    benchmark: Any,
) -> None:  # fmt: skip
    """Time one contender with one list."""
    contender = contenders.BY_NAME[who]
    if not contender.load():
        pytest.skip(f"{who} is not installed")
    texts, able = _in_common(tuple(links), name, first.code, row.peers)
    if who not in able:
        pytest.skip(f"{who} parses too few of them")
    make, _, run = (row.code if who == "weburl" else PEERS_CODE[row.peers][who]).rpartition(" -> ")
    made = contender.loop(make, keep=True) if make else list

    def given(some: list[str]) -> Any:
        contender.empty_caches()
        return made(inputs.copied(some))

    benchmark.group = f"{name}: {row.peers}"
    timed(
        contender.loop(run, fails=name in FAILURES),
        texts[:: contenders.SLOW_SAMPLE] if contender.slow else texts,
        given,
        at_once=AT_ONCE if make else None,
        list=name,
        peers=row.peers,
        who=row.name if who == "weburl" else who,
    )
