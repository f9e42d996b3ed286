"""The viewer's response to a request, independent of the server: values in, a value out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from typing import Any, Final

import attrs

from weburl.standard.infra.form_urlencoded import parse_form_urlencoded
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.viewer.elements import as_json
from weburl.viewer.page import SiteLink, error_page, list_page, viewer_page
from weburl.viewer.params import Row, with_rows
from weburl.viewer.report import Field, attributes_of, report
from weburl.viewer.state import State
from weburl.viewer.verdict import verdict
from weburl.viewer.view import query_table, results

MAX_BODY: Final = 64 * 1024 * 1024
"""The largest body of a request, in bytes: ten megabytes of text in any notation."""

MAX_BATCH: Final = 5000
"""The largest number of strings of a list in one request."""

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

HEADERS: Final = (
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    # The address contains the URL that someone looks at: do not reveal it to other sites.
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json"
_OWN_SITES: Final = frozenset({"", "none", "same-origin"})


@attrs.frozen
class ViewerRequest:
    """A request.

    Attributes:
        method: The method, such as "GET".
        path: The path below the viewer, "" for its first page.
        query: The part of the address after "?".
        content_type: The header Content-Type, or "".
        length: The length of the body, in bytes.
        read: Reads as many bytes of the body as its argument. Its errors reach the caller.
        site: The header Sec-Fetch-Site, or "".
    """

    __module__ = "weburl.viewer"

    method: str
    path: str
    query: str = ""
    content_type: str = ""
    length: int = 0
    read: Callable[[int], bytes] = lambda _length: b""
    site: str = ""


@attrs.frozen
class ViewerResponse:
    """A response: the status, such as "200 OK", the headers, and the bytes of the body."""

    __module__ = "weburl.viewer"

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


_LONGEST_INDEX: Final = 9
_WRONG_ROW: Final = "A row is a name, a value and an index."


class _Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(status, text)
        self.status: Final = status
        self.text: Final = text


def respond(
    request: ViewerRequest, *, field: Field | None = None, links: Sequence[SiteLink] = ()
) -> ViewerResponse:
    """Return the response to ``request``.

    Args:
        request: The request.
        field: Returns what would be stored (`report`), or None.
        links: Links to other pages of the site, for the navigation.
    """
    try:
        response = _respond(request, field, links)
    except _Refusal as refusal:
        body = error_page(refusal.status, refusal.text)
        response = _response(refusal.status, _HTML, body)
    return attrs.evolve(response, body=b"") if request.method == "HEAD" else response


def _respond(
    request: ViewerRequest, field: Field | None, links: Sequence[SiteLink]
) -> ViewerResponse:
    method = "GET" if request.method == "HEAD" else request.method
    if method == "POST" and request.site not in _OWN_SITES:
        raise _Refusal("403 Forbidden", "Another site sent this request.")
    match method, request.path:
        case "GET", "":
            state = State.of_pairs(_pairs(request.query.encode("latin-1", "replace")))
            return _page(state, field, links)
        case "POST", "":
            return _form(request, field, links)
        case "GET", "list":
            return _response("200 OK", _HTML, list_page(links))
        case "GET", "report.json":
            state = State.of_pairs(_pairs(request.query.encode("latin-1", "replace")))
            return _json(report(*state.texts, field, state.pattern or None))
        case "POST", "report.json":
            return _json(_view(_json_body(request), field))
        case "POST", "batch.json":
            return _json(_batch(_json_body(request)))
        case "GET", path if path.startswith("static/"):
            return _static(path.removeprefix("static/"))
        case _, "" | "list" | "report.json" | "batch.json":
            raise _Refusal("405 Method Not Allowed", "This page does not support that method.")
    raise _Refusal("404 Not Found", "This page does not exist.")


def _page(state: State, field: Field | None, links: Sequence[SiteLink]) -> ViewerResponse:
    url, base = state.texts
    found = report(url, base, field, state.pattern or None) if url or base else None
    note = state.address.note if found is not None else ""
    return _response("200 OK", _HTML, viewer_page(state, found, note, links))


def _form(request: ViewerRequest, field: Field | None, links: Sequence[SiteLink]) -> ViewerResponse:
    """Return the response to a form, which browsers send without scripts.

    It redirects to an address with the state, unless this may contain a password or is too long.
    """
    pairs = _pairs(_body(request))
    state = State.of_pairs(pairs)
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    if "row" in values:
        names, texts, indices = (values.get(name, []) for name in ("name", "value", "row"))
        try:
            rows = _rows(zip(names, texts, indices, strict=True))
        except ValueError:
            raise _Refusal("400 Bad Request", _WRONG_ROW) from None
        removed = values.get("remove", [""])[0]
        rows = [row for row in rows if not removed or str(row.at) != removed]
        state = _with_rows(state, rows)
    address = state.address
    if address.query is None:
        return _page(state, field, links)
    return _response("303 See Other", _HTML, b"", ("Location", address.query))


def _view(asked: object, field: Field | None) -> dict[str, Any]:
    """Return the report that a script requests, and the elements that show it."""
    if not isinstance(asked, dict):
        raise _Refusal("400 Bad Request", "The body must be an object.")
    texts = [asked.get(name, "") for name in ("url", "base", "pattern")]
    if not all(isinstance(text, str) for text in texts):
        raise _Refusal("400 Bad Request", "The URL, the base and the pattern must be text.")
    url, base, pattern = texts
    state = State(url, base, bool(asked.get("escapes")), to_scalar_value_string(pattern))
    if (rows := asked.get("rows")) is not None:
        try:
            state = _with_rows(state, _rows((str(n), str(v), str(i)) for n, v, i in rows))
        except (TypeError, ValueError):
            raise _Refusal("400 Bad Request", _WRONG_ROW) from None
    url, base = state.texts
    found = report(url, base, field, state.pattern or None)
    address = state.address
    return {
        "report": found,
        "state": attrs.asdict(state),
        "address": address.query,
        "note": address.note,
        "verdict": verdict(found),
        "results": [as_json(node) for node in results(found)],
        "query": [as_json(node) for node in query_table(found)],
    }


def _rows(triples: Iterable[tuple[str, str, str]]) -> list[Row]:
    """Return the rows that are not empty. Raises ValueError for an index that is too long."""
    return [
        Row(name, value, _index(index)) for name, value, index in triples if name or value or index
    ]


def _index(text: str) -> int | None:
    """Return the number in ``text``, or None. Raises ValueError if it is too long for an index."""
    if not (text.isascii() and text.isdigit()):
        return None
    if len(text) > _LONGEST_INDEX:
        raise ValueError("an index has too many digits")
    return int(text)


def _with_rows(state: State, rows: list[Row]) -> State:
    url, base = state.texts
    written = with_rows(url, base, rows)
    if written == url:
        return state
    return State.showing(written, base, escapes=state.escapes, pattern=state.pattern)


def _batch(asked: object) -> list[Any]:
    """Return the attributes of each URL of a list, or None for one that does not parse."""
    if not isinstance(asked, list) or len(asked) > MAX_BATCH:
        raise _Refusal("400 Bad Request", f"The body must be a list of at most {MAX_BATCH}.")
    answers = []
    for pair in asked:
        match pair:
            case [str() as url, None | str() as base]:
                answers.append(attributes_of(url, base))
            case _:
                raise _Refusal("400 Bad Request", "An item must be a URL and a base, or null.")
    return answers


def _static(name: str) -> ViewerResponse:
    # Never a path made of the name, which a system may refuse.
    for path in (files("weburl.viewer") / "static").iterdir():
        if path.name == name and (kind := _TYPES.get(name.rpartition(".")[2])):
            return _response("200 OK", kind, path.read_bytes())
    raise _Refusal("404 Not Found", "This file does not exist.")


def _pairs(data: bytes) -> list[tuple[str, str]]:
    return list(parse_form_urlencoded(data))


def _body(request: ViewerRequest) -> bytes:
    if request.length > MAX_BODY:
        raise _Refusal("413 Content Too Large", f"A text may have at most {MAX_BODY:,} bytes.")
    body = request.read(request.length) if request.length > 0 else b""
    if len(body) < request.length:
        raise _Refusal("400 Bad Request", "The request ended before its body did.")
    return body


def _json_body(request: ViewerRequest) -> object:
    # Another site cannot send this type without a CORS preflight, which this server refuses.
    if request.content_type.partition(";")[0].strip().lower() != _JSON:
        raise _Refusal("415 Unsupported Media Type", f"The body must be {_JSON}.")
    try:
        return json.loads(_body(request))
    except (ValueError, RecursionError):
        raise _Refusal("400 Bad Request", "The body is not JSON.") from None


def _json(value: object) -> ViewerResponse:
    return _response("200 OK", _JSON, json.dumps(value, separators=(",", ":")).encode("ascii"))


def _response(status: str, kind: str, body: bytes, *headers: tuple[str, str]) -> ViewerResponse:
    cache = ("Cache-Control", "no-cache" if kind in _TYPES.values() else "no-store")
    return ViewerResponse(status, (("Content-Type", kind), cache, *HEADERS, *headers), body)
