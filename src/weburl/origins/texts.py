"""Origins from text, written as a browser writes them in the header ``Origin``.

`parse_origins` is for lists of allowed origins, which are compared with that header.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

import attrs

from weburl.standard.hosts.values import Domain, EmptyHost
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.infra.schemes import DEFAULT_PORTS, starts_with_host_and_port
from weburl.standard.support.typed_text import normalized_schemes
from weburl.standard.url.api import parse
from weburl.standard.url.origin import OPAQUE_ORIGIN, OpaqueOrigin, TupleOrigin
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

_REASONS: Final = {
    "null": "Every sandboxed frame and every local file sends it, of whatever site.",
    "wildcard": "A wildcard is not part of an origin.",
    "wildcard-misplaced": (
        "A wildcard may only be the first label of the host, before a domain that someone"
        " registered."
    ),
    "no-scheme": "The scheme is missing.",
    "not-a-url": "A browser cannot read it.",
    "scheme-not-allowed": "No page has an origin with this scheme.",
    "no-host": "The host is missing.",
    "credentials": "An origin has no username and no password.",
    "path": "An origin has no path.",
    "query": "An origin has no query.",
    "fragment": "An origin has no fragment.",
    "trailing-slash": "An origin has no slash at its end.",
    "capital-letters": "A browser writes it in lowercase.",
    "default-port": "A browser leaves out the default port of the scheme.",
    "not-ascii": "A browser writes the host in ASCII.",
    "spelling": "A browser spells it differently.",
}

ORIGIN_CODES: Final = tuple(_REASONS)
"""Every code that an `OriginProblem` may have."""

# More than a name in the DNS has. It keeps the time linear.
_MOST_LABELS: Final = 128

_OF_SPELLING: Final = frozenset(
    ("trailing-slash", "capital-letters", "default-port", "not-ascii", "spelling")
)


@attrs.frozen
class OriginProblem(FrozenValue):
    """A reason why a browser never sends a string as an origin, or why it must not be allowed.

    ``entry``: the text, without credentials, query and fragment. ``code``: which rule; a name with
    hyphens, which does not change between versions. ``suggestion``: the origin that a browser sends
    for a page at this URL, or "".

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
    """

    __module__ = "weburl"

    entry: str
    code: str
    suggestion: str = ""

    @property
    def is_spelling(self) -> bool:
        """Whether the text is an origin that a browser spells differently."""
        return self.code in _OF_SPELLING

    @property
    def message(self) -> str:
        """What is wrong, in English, and what to write instead."""
        advice = f" Write {self.suggestion!r} instead." if self.suggestion else ""
        return f"{self.entry!r} is not an origin to allow. {_REASONS[self.code]}{advice}"

    def __str__(self) -> str:
        return self.message


class OriginError(ValueError):
    """Raised for text that is not an origin. ``problems``: why, one or more `OriginProblem`."""

    __module__ = "weburl"

    def __init__(self, problems: tuple[OriginProblem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return " ".join(problem.message for problem in self.problems)


def parse_origins(
    texts: Iterable[str], *, schemes: Iterable[str] | None = ("http", "https")
) -> tuple[TupleOrigin, ...]:
    """Return the origins whose serializations are ``texts``, without duplicates.

    ``schemes``: the allowed schemes. None allows all that an origin can have, such as
    "chrome-extension". Raises `OriginError` with all problems of all strings, and TypeError if
    ``texts`` is not an iterable of text.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
    """
    return _read_all(texts, schemes, may_have_wildcard=False)


def _read_all(
    texts: Iterable[str], schemes: Iterable[str] | None, *, may_have_wildcard: bool
) -> tuple[TupleOrigin, ...]:
    """Return the different origins in ``texts``. Raises the errors of `parse_origins`."""
    if isinstance(texts, str):
        raise TypeError("origins are an iterable of texts, not one text")
    allowed = _allowed(schemes)
    read = [_read(text, allowed, may_have_wildcard=may_have_wildcard) for text in texts]
    problems = tuple(problem for _, found in read for problem in found)
    if problems:
        raise OriginError(problems)
    return tuple(dict.fromkeys(origin for origin, _ in read if origin is not None))


@final
@attrs.frozen(init=False)
class AllowedOrigins(FrozenValue):
    """A list of origins that the header ``Origin`` is compared with: ``origin in allowed``.

    "https://*.example.com" allows every host below example.com, but not that host itself. An origin
    that a browser spells differently is never in the list, and neither is "null".

    Args:
        texts: the origins.
        schemes: as in `parse_origins`.

    Raises:
        OriginError: a text is not an origin, or has a misplaced wildcard.
        TypeError: ``texts`` is not an iterable of text.

    Spec: https://fetch.spec.whatwg.org/#origin-header
    """

    __module__ = "weburl.origins"

    texts: frozenset[str] = attrs.field()
    """The origins, as browsers write them."""

    def __init__(
        self, texts: Iterable[str], *, schemes: Iterable[str] | None = ("http", "https")
    ) -> None:
        read = _read_all(texts, schemes, may_have_wildcard=True)
        self.__attrs_init__(frozenset(map(str, read)))

    def __contains__(self, origin: str | TupleOrigin | OpaqueOrigin) -> bool:
        """Return whether ``origin``, the text of the header or a value, is allowed.

        The time is linear in its length. Raises TypeError for another type.
        """
        text = origin if isinstance(origin, str) else str(origin)
        if not isinstance(origin, (str, TupleOrigin, OpaqueOrigin)):
            raise TypeError(f"an origin must be text or an origin, not {type(origin).__name__}")
        if _read(text, None, may_have_wildcard=False)[1]:
            return False
        if text in self.texts:
            return True
        scheme, _, host = text.partition("://")
        dots = [at for at, char in enumerate(host) if char == "." and at]
        return any(f"{scheme}://*{host[at:]}" in self.texts for at in dots[:_MOST_LABELS])


def origin_problems(
    text: str,
    *,
    schemes: Iterable[str] | None = ("http", "https"),
    subdomain_wildcards: bool = False,
) -> tuple[OriginProblem, ...]:
    """Return why ``text`` is not the serialization of an origin; an empty tuple if it is.

    ``schemes``: as in `parse_origins`. ``subdomain_wildcards``: whether "https://*.example.com" is
    allowed too. It needs a domain after "*" that is not a public suffix. Raises TypeError if
    ``text`` is not text.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
    """
    return _read(text, _allowed(schemes), may_have_wildcard=subdomain_wildcards)[1]


def _allowed(schemes: Iterable[str] | None) -> frozenset[str] | None:
    if schemes is None:
        return None
    if isinstance(schemes, str):
        raise TypeError("schemes must be an iterable of schemes, not one string")
    return frozenset(normalized_schemes(schemes))


def _read(
    text: str, schemes: frozenset[str] | None, *, may_have_wildcard: bool
) -> tuple[TupleOrigin | None, tuple[OriginProblem, ...]]:
    """Return the origin in ``text`` if there is one, and what is wrong with the text."""
    if not isinstance(text, str):
        raise TypeError(f"an origin must be text, not {type(text).__name__}")
    text = str.__str__(text)
    shown = _shown(text)
    if text == OPAQUE_ORIGIN:
        return None, (OriginProblem(shown, "null"),)
    if text in ("", "*"):
        code = "wildcard" if text else "not-a-url"
        return None, (OriginProblem(shown, code),)
    try:
        record = parse(text)
    except URLParseError:
        return None, (OriginProblem(shown, "not-a-url" if "://" in text else "no-scheme"),)
    if starts_with_host_and_port(text):
        return None, (OriginProblem(shown, "no-scheme"),)
    code_of_record = _unusable(record, schemes)
    if code_of_record is not None:
        return None, (OriginProblem(shown, code_of_record),)
    assert record.host is not None
    origin = TupleOrigin(record.scheme, record.host, record.port)
    codes = [*_codes_of_wildcard(record, may_have_wildcard), *_codes_of_parts(record)]
    suggestion = str(origin)
    if not codes and text != suggestion:
        codes = _codes_of_spelling(text, record)
    # A wildcard is the user's own, so it cannot be part of an advice. Nor can a host like "a%40b",
    # in which another parser may find a username.
    if any(code.startswith("wildcard") for code in codes) or masked(suggestion) != suggestion:
        suggestion = ""
    return origin, tuple(OriginProblem(shown, code, suggestion) for code in codes)


def _unusable(record: URLRecord, schemes: frozenset[str] | None) -> str | None:
    """Return why a URL has no origin that a browser sends, or None."""
    if schemes is not None and record.scheme not in schemes:
        return "scheme-not-allowed"
    # A page is never loaded by ws, wss or ftp. The others have opaque origins.
    if record.is_special and record.scheme not in ("http", "https"):
        return "scheme-not-allowed"
    if record.host is None or isinstance(record.host, EmptyHost):
        return "no-host"
    return None


def _codes_of_wildcard(record: URLRecord, may_have_wildcard: bool) -> list[str]:
    host = str(record.host)
    if "*" not in host:
        return []
    if not may_have_wildcard:
        return ["wildcard"]
    parent = host.removeprefix("*.")
    is_well_placed = (
        parent != host
        and "*" not in parent
        and isinstance(record.host, Domain)
        and Domain(parent).registrable_domain is not None
    )
    return [] if is_well_placed else ["wildcard-misplaced"]


def _codes_of_parts(record: URLRecord) -> list[str]:
    found = {
        "credentials": record.includes_credentials,
        "path": record.path_text not in ("", "/"),
        "query": record.query is not None,
        "fragment": record.fragment is not None,
    }
    return [code for code, is_there in found.items() if is_there]


def _codes_of_spelling(text: str, record: URLRecord) -> list[str]:
    """Return how ``text`` differs from the origin of ``record``, which it spells."""
    authority = text.rstrip("/")
    port = DEFAULT_PORTS.get(record.scheme)
    found = {
        "trailing-slash": authority != text,
        "capital-letters": text != text.lower(),
        "default-port": port is not None and authority.endswith(f":{port}"),
        "not-ascii": not text.isascii(),
    }
    return [code for code, is_there in found.items() if is_there] or ["spelling"]


def _shown(text: str) -> str:
    """Return ``text`` for a message, short and without what may be secret."""
    bare = masked(text).partition("?")[0].partition("#")[0]
    return bare if len(bare) <= _LONGEST else f"{bare[: _LONGEST // 2]}…{bare[-_LONGEST // 2 :]}"


_LONGEST: Final = 100
