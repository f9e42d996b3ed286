"""§6.1: `URL`, a variable that holds the current record.

Records do not change: every change of a `URL` makes a new record.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import total_ordering
from typing import Self

from weburl.standard.infra.comparisons import unequal
from weburl.standard.infra.guesses import OF_URL, with_guesses
from weburl.standard.infra.strings import require_text
from weburl.standard.interface.search_params import URLSearchParams, params_of_url, refill
from weburl.standard.url import setters
from weburl.standard.url.api import can_parse, parse
from weburl.standard.url.fast_path import canonical_href, with_fast_attributes
from weburl.standard.url.record import AnyURL, HasARecord, URLRecord
from weburl.standard.url.report import URLParseError
from weburl.standard.url.setters import Outcome
from weburl.standard.url.value import replaced


@with_fast_attributes
@with_guesses(OF_URL)
@total_ordering
class URL(HasARecord):
    """A URL that can change. It works like the class ``URL`` in browsers.

    As in the standard, setters ignore invalid values. Two `URL` objects are equal if their hrefs
    are equal, and are ordered by href. A `URL` can change, so it cannot be hashed.

    Args:
        url: text of any length, with any characters; or a record, or another `URL`, which is
            copied.
        base: the URL to which a relative ``url`` is joined, or None.

    Raises:
        URLParseError: ``url`` or ``base`` does not parse.
        TypeError: ``url`` or ``base`` is of another type.

    Spec: #url-class
    """

    __module__ = "weburl"

    __slots__ = ("_href", "_params_changed", "_record", "_search_params")
    _href: str | None  # None: the href of the record
    _record: URLRecord | None  # None: the result of parsing the href
    _search_params: URLSearchParams | None  # None: not used yet
    _params_changed: bool
    __hash__: None = None  # type: ignore[assignment]

    def __init__(self, url: AnyURL, base: AnyURL | None = None) -> None:
        self._search_params = None
        self._params_changed = False
        self._href = canonical_href(url) if base is None else None
        self._record = parse(url, base) if self._href is None else None

    @classmethod
    def parse(cls, url: AnyURL, base: AnyURL | None = None) -> Self | None:
        """Return a `URL`, or None if ``url`` or ``base`` does not parse.

        Spec: #dom-url-parse
        """
        try:
            return cls(url, base)
        except URLParseError:
            return None

    @staticmethod
    def can_parse(url: AnyURL, base: AnyURL | None = None) -> bool:
        """Return whether ``url`` and ``base`` parse.

        Spec: #dom-url-canparse
        """
        return can_parse(url, base)

    @property
    def record(self) -> URLRecord:
        """The current value as a record. Later changes of the `URL` do not change the record."""
        record = self._record
        if record is None:
            href = self._href
            # Without an href, another thread has just set the record.
            record = self._record if href is None else parse(href)
            assert record is not None
            self._record = record
        if self._params_changed:
            self._params_changed = False
            record = replaced(record, query=str(self._search_params) or None)
            self._become(record)
        return record

    @property
    def href(self) -> str:
        """The whole URL as text. Setting it raises `URLParseError` if the text does not parse.

        Spec: #dom-url-href
        """
        href = self._href
        if href is None or self._params_changed:
            record = self.record
            href = record.href
            if self._record is record:  # No other thread has changed it meanwhile.
                self._href = href
        return href

    @href.setter
    def href(self, value: str) -> None:
        self._become(parse(value))
        self._refill_search_params()

    @property
    def origin(self) -> str:
        """The origin as text, or "null" if it is opaque.

        Spec: #dom-url-origin
        """
        return self.record.origin

    @property
    def protocol(self) -> str:
        """The scheme with ":" at its end.

        Spec: #dom-url-protocol
        """
        return f"{self.record.scheme}:"

    @protocol.setter
    def protocol(self, value: str) -> None:
        self._set(setters.set_scheme, value)

    @property
    def username(self) -> str:
        """The username, percent-encoded.

        Spec: #dom-url-username
        """
        return self.record.username

    @username.setter
    def username(self, value: str) -> None:
        self._set(setters.set_username, value)

    @property
    def password(self) -> str:
        """The password, percent-encoded.

        Spec: #dom-url-password
        """
        return self.record.password

    @password.setter
    def password(self, value: str) -> None:
        self._set(setters.set_password, value)

    @property
    def host(self) -> str:
        """The host, with ":" and the port if that is not the default port.

        Spec: #dom-url-host
        """
        return self.record.host_port

    @host.setter
    def host(self, value: str) -> None:
        self._set(setters.set_host, value)

    @property
    def hostname(self) -> str:
        """The host without the port, or "" if there is no host or it is empty.

        Spec: #dom-url-hostname
        """
        return self.record.hostname

    @hostname.setter
    def hostname(self, value: str) -> None:
        self._set(setters.set_hostname, value)

    @property
    def port(self) -> str:
        """The port in digits, or "" for no port and for the default port.

        Spec: #dom-url-port
        """
        port = self.record.port
        return "" if port is None else str(port)

    @port.setter
    def port(self, value: str) -> None:
        self._set(setters.set_port, value)

    @property
    def pathname(self) -> str:
        """The path.

        Spec: #dom-url-pathname
        """
        return self.record.path_text

    @pathname.setter
    def pathname(self, value: str) -> None:
        self._set(setters.set_path, value)

    @property
    def search(self) -> str:
        """The query with its "?", or "" if there is no query or it is empty.

        Spec: #dom-url-search
        """
        query = self.record.query
        return f"?{query}" if query else ""

    @search.setter
    def search(self, value: str) -> None:
        text = _part(value)
        query = text.removeprefix("?") if text else None
        self._become(setters.set_query(self.record, query))
        # From the url's new query, not from the text. This is a later change to the standard, which
        # docs/conformance.md lists.
        self._refill_search_params()

    @property
    def search_params(self) -> URLSearchParams:
        """The query as names and values, always the same object. Changing it changes the URL.

        Spec: #dom-url-searchparams
        """
        params = self._search_params
        if params is None:
            params = self._search_params = params_of_url(self.record.query, self._note_change)
        return params

    @property
    def hash(self) -> str:
        """The fragment with its "#", or "" if there is no fragment or it is empty.

        Spec: #dom-url-hash
        """
        fragment = self.record.fragment
        return f"#{fragment}" if fragment else ""

    @hash.setter
    def hash(self, value: str) -> None:
        text = _part(value)
        fragment = text.removeprefix("#") if text else None
        self._become(setters.set_fragment(self.record, fragment))

    def to_json(self) -> str:
        """Return the href.

        Spec: #dom-url-tojson
        """
        return self.href

    def _set(self, setter: Callable[[URLRecord, str], Outcome[URLRecord]], value: str) -> None:
        self._become(setter(self.record, _part(value)).record)

    def _note_change(self) -> None:
        # The query is written on the next read, so that adding many parameters takes linear time.
        self._params_changed = True

    def _refill_search_params(self) -> None:
        self._params_changed = False  # first, because `record` would write the old query
        if self._search_params is not None:
            refill(self._search_params, self.record.query)

    def __eq__(self, other: object) -> bool:
        return self.record == other.record if isinstance(other, URL) else unequal(self, other)

    def __lt__(self, other: object) -> bool:
        return self.href < other.href if isinstance(other, URL) else NotImplemented

    def __str__(self) -> str:
        return self.href

    def __repr__(self) -> str:
        return repr(self.record).replace("URLRecord", type(self).__name__, 1)

    def __getstate__(self) -> URLRecord:
        # The copy makes its own parameters, which change the copy.
        return self.record

    def __setstate__(self, record: URLRecord) -> None:
        self._search_params = None
        self._params_changed = False
        self._become(record)

    def _become(self, record: URLRecord) -> None:
        self._record = record
        self._href = None


def _part(value: object) -> str:
    return require_text(value, "a part of a URL")
