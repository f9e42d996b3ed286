"""The URL Standard as it was in 2020: parse, serialize, origin, and the setters of its API.

Right for any text as that document says, but for Unicode: mapping and validity of host names
come from today's tables. Its validation errors, which had no names, are not reported. What has
changed since is listed, with examples, in docs/history.md.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, get_args

import attrs

from weburl.infra.credentials import without_credentials
from weburl.infra.percent_encoding import utf8_percent_encode
from weburl.infra.strings import require_text, to_scalar_value_string
from weburl.legacy.drafts_2020 import USERINFO_SET, Draft
from weburl.legacy.errors import LegacyURLError
from weburl.legacy.hosts_2020 import Host2020
from weburl.legacy.machine_2020 import parse_basic_url, parse_into
from weburl.legacy.path_states_2020 import Override

__all__ = ["URLRecord2020", "host_text", "parse", "set_attribute"]

Attribute: TypeAlias = Literal[
    "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"
]
"""The attributes of the API's URL class that could be set, but for href."""

_ATTRIBUTES: Final = get_args(Attribute)
_TUPLE_ORIGIN_SCHEMES: Final = frozenset(("ftp", "http", "https", "ws", "wss"))
# As many blob URLs inside each other as there are, whose paths are no lists of segments.
_NESTED_BLOBS: Final = re.compile("(?: *+[Bb][Ll][Oo][Bb]:(?!/))*+")


@attrs.frozen(repr=False)
class URLRecord2020:
    """A URL as the standard of 2020 understood it.

    ``host``: an address, text (a domain, an opaque host, or ""), or None, which a file URL's can
    be too. ``path``: percent-encoded segments, just one where ``cannot_be_a_base_url``.
    ``port``: 0 to 65535, or None, also for the default. ``query``, ``fragment``: without "?" and
    "#", or None. Not checked: only `parse` and `set_attribute` are meant to make one.

    Document: the URL Standard of 2020, §4.1.
    """

    scheme: str
    username: str
    password: str
    host: Host2020 | None
    port: int | None
    path: tuple[str, ...]
    query: str | None
    fragment: str | None
    cannot_be_a_base_url: bool

    @property
    def path_text(self) -> str:
        """The path as text, as the API's pathname gave it."""
        if self.cannot_be_a_base_url:
            return self.path[0]
        return "".join(f"/{segment}" for segment in self.path)

    @property
    def href(self) -> str:
        """The URL as text. Parsing it need not give the same record again.

        Document: the URL Standard of 2020, §4.5.
        """
        return self._serialized(self.path_text)

    @property
    def origin(self) -> str:
        """The origin as text, "null" for an opaque one.

        Document: the URL Standard of 2020, §4.7.
        """
        record = self
        if self.scheme == "blob":
            inner = self.path[0] if self.path else ""
            try:
                record = parse(inner[_end_of_nested_blobs(inner) :])
            except LegacyURLError:
                return "null"
            if record.scheme == "blob":
                return record.origin  # Its path is a list of segments, and holds no other.
        if record.scheme not in _TUPLE_ORIGIN_SCHEMES:
            return "null"
        port = "" if record.port is None else f":{record.port}"
        return f"{record.scheme}://{host_text(record.host)}{port}"

    def __str__(self) -> str:
        return self.href

    def __repr__(self) -> str:
        shown = attrs.evolve(
            self,
            username=self.username and "***",
            password=self.password and "***",
            query=self.query and without_credentials(self.query),
            fragment=self.fragment and without_credentials(self.fragment),
        )
        return f"URLRecord2020({shown._serialized(without_credentials(self.path_text))!r})"  # noqa: SLF001

    def _serialized(self, path_text: str) -> str:
        output = [self.scheme, ":"]
        if self.host is not None:
            output.append("//")
            if self.username or self.password:
                output += (self.username, f":{self.password}" if self.password else "", "@")
            output.append(host_text(self.host))
            if self.port is not None:
                output.append(f":{self.port}")
        elif self.scheme == "file":
            output.append("//")
        output.append(path_text)
        if self.query is not None:
            output += ("?", self.query)
        if self.fragment is not None:
            output += ("#", self.fragment)
        return "".join(output)


def _end_of_nested_blobs(text: str) -> int:
    found = _NESTED_BLOBS.match(text)
    return 0 if found is None else found.end()


def host_text(host: Host2020 | None) -> str:
    """Return ``host`` as text; "" for none.

    Document: the URL Standard of 2020, §3.6.
    """
    return "" if host is None else str(host)


def parse(
    input: str, base: str | URLRecord2020 | None = None, *, encoding: str = "utf-8"
) -> URLRecord2020:
    """Return the record of the URL that ``input`` writes.

    ``encoding`` is a label of the Encoding Standard, for the query. Raises `LegacyURLError` for
    text, or a base, that is no URL; TypeError for what is not text; LookupError for an unknown
    encoding. Lone surrogates stand for U+FFFD.

    Document: the URL Standard of 2020, §4.4, "basic URL parser".
    """
    require_text(input, "a URL")
    if not isinstance(base, URLRecord2020 | str | None):
        raise TypeError(f"a base must be text, a URLRecord2020 or None, not {type(base).__name__}")
    if isinstance(base, str):
        try:
            base = parse(base)
        except LegacyURLError as error:
            raise LegacyURLError(f"in the base: {error}") from None
    base_draft = None if base is None else _draft(base)
    if encoding != "utf-8":
        from weburl.infra.encodings import get_output_encoding  # Big tables, which few ask for.

        encoding = get_output_encoding(encoding)
    return _record(parse_basic_url(input, base_draft, encoding))


def set_attribute(record: URLRecord2020, attribute: Attribute, value: str) -> URLRecord2020:
    """Return ``record`` after the API's ``attribute`` was set to ``value``.

    What the standard ignores is ignored; where parsing fails half way, what was set stays set.
    Raises ValueError for a name that is no attribute's, and TypeError for a ``record`` or a
    ``value`` that is none.

    Document: the URL Standard of 2020, §6.1.
    """
    if not isinstance(record, URLRecord2020):
        raise TypeError(
            f"the record must be a URLRecord2020, not a value of type {type(record).__name__}"
        )
    if attribute not in _ATTRIBUTES:
        raise ValueError(f"the URL class has no attribute {attribute!r} to set")
    require_text(value, "the value of an attribute")
    url = _draft(record)
    cannot_have_credentials_or_port = (
        not url.host or url.cannot_be_a_base_url or url.scheme == "file"
    )
    match attribute:
        case "protocol":
            _parse_into(f"{value}:", url, Override.SCHEME_START)
        case "username" | "password":
            if not cannot_have_credentials_or_port:
                text = to_scalar_value_string(value)
                setattr(url, attribute, utf8_percent_encode(text, USERINFO_SET))
        case "host" | "hostname":
            if not url.cannot_be_a_base_url:
                _parse_into(value, url, Override(attribute))
        case "port":
            if cannot_have_credentials_or_port:
                pass
            elif not value:
                url.port = None
            else:
                _parse_into(value, url, Override.PORT)
        case "pathname":
            if not url.cannot_be_a_base_url:
                url.path = []
                _parse_into(value, url, Override.PATH_START)
        case "search":
            url.query = "" if value else None
            _parse_into(value.removeprefix("?"), url, Override.QUERY)
        case "hash":
            url.fragment = "" if value else None
            _parse_into(value.removeprefix("#"), url, Override.FRAGMENT)
    return _record(url)


def _parse_into(value: str, url: Draft, override: Override) -> None:
    try:
        parse_into(value, url, override)
    except LegacyURLError:
        return  # The setters take no notice.


def _draft(record: URLRecord2020) -> Draft:
    draft = Draft()
    for name in URLRecord2020.__match_args__:
        value = getattr(record, name)
        setattr(draft, name, list(value) if isinstance(value, tuple) else value)
    return draft


def _record(draft: Draft) -> URLRecord2020:
    return URLRecord2020(
        draft.scheme,
        draft.username,
        draft.password,
        draft.host,
        draft.port,
        tuple(draft.path),
        draft.query,
        draft.fragment,
        draft.cannot_be_a_base_url,
    )
