"""The URL Standard as it was in 2020: parse, serialize, compare, origin, and its API.

Any text gives the results of that document, with Unicode 13, of the same year. Validation
errors, which had no names, are not reported. docs/history.md lists what has changed
since, with examples.
"""

from __future__ import annotations

import re
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import attrs

from weburl.history.errors import LegacyURLError
from weburl.history.facts import TUPLE_ORIGIN_SCHEMES, USERINFO_SET
from weburl.history.hosts import Host2020
from weburl.history.machine_2020 import Draft, Machine, Override
from weburl.history.writing import GRAMMAR_2020, Grammar, base_kind
from weburl.standard.infra.credentials import masked_value, without_credentials
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.strings import require_text, to_scalar_value_string

__all__ = [
    "URLRecord2020",
    "get_attribute",
    "host_text",
    "is_valid_url_string",
    "parse",
    "set_attribute",
]

Attribute: TypeAlias = Literal[
    "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"
]
"""The attributes of the API's URL class that can be set, except href."""

GetAttribute: TypeAlias = Literal[Attribute, "href", "origin"]
"""The attributes of the API's URL class that are text."""

_ATTRIBUTES: Final = get_args(Attribute)
_C0_CONTROL_OR_SPACE: Final = "".join(map(chr, range(0x21)))
# All nested blob URLs with opaque paths at once, so deep nesting needs no recursion.
_NESTED_BLOBS: Final = re.compile(r"\A(?>(?: *+[Bb][Ll][Oo][Bb]:(?!/))*)")


@attrs.frozen(repr=False, eq=False)
class URLRecord2020:
    """A URL as the standard of 2020 understood it.

    ``host``: an address, text (a domain, an opaque host, or ""), or None, even for a file URL.
    ``path``: percent-encoded segments; exactly one if ``cannot_be_a_base_url``. ``port``: 0 to
    65535; None for no port and for the default. ``query``, ``fragment``: without "?" and "#", or
    None. The values are not checked, so create records with `parse` and `set_attribute`.

    Records with the same text are equal, as in `equals`, even if their parts differ.

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

    def equals(self, other: URLRecord2020, *, exclude_fragments: bool = False) -> bool:
        """Return whether both have the same text, or the same text without fragments.

        Document: the URL Standard of 2020, §4.6.
        """
        if type(other) is not type(self):
            raise TypeError(
                f"a record can only be compared with a record, not {type(other).__name__}"
            )
        if not exclude_fragments:
            return self.href == other.href
        return self._without_fragment() == other._without_fragment()

    def _without_fragment(self) -> str:
        return attrs.evolve(self, fragment=None).href

    def __eq__(self, other: object) -> bool:
        return self.href == other.href if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.href)

    @property
    def origin(self) -> str:
        """The origin as text, "null" for an opaque one.

        Document: the URL Standard of 2020, §4.7.
        """
        record = self
        if self.scheme == "blob":
            inner = self.path[0] if self.path else ""
            try:
                record = parse(_NESTED_BLOBS.sub("", inner, count=1))
            except LegacyURLError:
                return "null"
            if record.scheme == "blob":
                return record.origin  # Its path is a list of segments, so it contains no other URL.
        return record.tuple_origin()

    def tuple_origin(self) -> str:
        """Return the origin of a URL whose scheme is not "blob"."""
        if self.scheme not in TUPLE_ORIGIN_SCHEMES:
            return "null"
        return f"{self.scheme}://{self.host_and_port()}"

    def host_and_port(self) -> str:
        """Return both as text, with a colon only if there is a port."""
        return host_text(self.host) + ("" if self.port is None else f":{self.port}")

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
        path = without_credentials(
            self.path_text, after=f"{self.scheme}:" if self.cannot_be_a_base_url else ""
        )
        return f"{type(self).__name__}({shown._serialized(path)!r})"  # noqa: SLF001

    def _serialized(self, path_text: str) -> str:
        output = [self.scheme, ":"]
        if self.host is not None:
            output.append("//")
            if self.username or self.password:
                output += (self.username, f":{self.password}" if self.password else "", "@")
            output.append(self.host_and_port())
        else:
            output.append(self._between_scheme_and_path())
        output.append(path_text)
        if self.query is not None:
            output += ("?", self.query)
        if self.fragment is not None:
            output += ("#", self.fragment)
        return "".join(output)

    def _between_scheme_and_path(self) -> str:
        """Return the text between the scheme and the path of a URL without a host."""
        return "//" if self.scheme == "file" else ""


def host_text(host: Host2020 | None) -> str:
    """Return ``host`` as text; "" for None.

    Document: the URL Standard of 2020, §3.6.
    """
    return "" if host is None else str(host)


def parse(
    input: str, base: str | URLRecord2020 | None = None, *, encoding: str = "utf-8"
) -> URLRecord2020:
    """Return the record of the URL that ``input`` writes.

    ``encoding`` is a label of the Encoding Standard, for the query. Raises `LegacyURLError` if
    the text or the base is not a URL, TypeError for a value that is not text, and ValueError for
    an unknown encoding. Lone surrogates count as U+FFFD.

    Document: the URL Standard of 2020, §4.4, "basic URL parser".
    """
    return parse_by(_YEAR, input, base, encoding)


def set_attribute(record: URLRecord2020, attribute: Attribute, value: str) -> URLRecord2020:
    """Return ``record`` after the API's ``attribute`` was set to ``value``.

    A value that the standard ignores changes nothing. If parsing fails halfway, what was set until
    is then kept. Raises ValueError if no attribute has this name, and TypeError for a ``record`` or
    a ``value`` of another type.

    Document: the URL Standard of 2020, §6.1.
    """
    return record_of(draft_with(_YEAR, record, attribute, value), URLRecord2020)


def get_attribute(record: URLRecord2020, attribute: GetAttribute) -> str:
    """Return what the API's ``attribute`` is for a URL whose record is ``record``.

    Raises ValueError if no attribute has this name, and TypeError if ``record`` is not a record.

    Document: the URL Standard of 2020, §6.1.
    """
    if not isinstance(record, URLRecord2020):
        raise TypeError(f"a record has attributes, not a value of type {type(record).__name__}")
    match attribute:
        case "href" | "origin" | "username" | "password":
            value: str = getattr(record, attribute)
            return value
        case "protocol":
            return f"{record.scheme}:"
        case "host":
            return "" if record.host is None else record.host_and_port()
        case "hostname":
            return host_text(record.host)
        case "port":
            return "" if record.port is None else str(record.port)
        case "pathname":
            return record.path_text
        case "search":
            return f"?{record.query}" if record.query else ""
        case "hash":
            return f"#{record.fragment}" if record.fragment else ""
    raise ValueError(f"the URL class has no attribute {masked_value(attribute)} that is text")


def is_valid_url_string(text: str, base: str | URLRecord2020 | None = None) -> bool:
    """Return whether ``text`` is what the standard of 2020 let people write as a URL.

    Without a base, a relative URL is not valid. Raises `LegacyURLError` for a base that is not a
    URL, and TypeError for a value that is not text.

    Document: the URL Standard of 2020, §4.3.
    """
    return is_valid_by(_YEAR, text, base)


R = TypeVar("R", bound=URLRecord2020)


class Year(NamedTuple, Generic[R]):
    """The standard of a year: the class of its records, its state machine and its grammar."""

    record: type[R]
    machine: type[Machine]
    grammar: Grammar


_YEAR: Final = Year(URLRecord2020, Machine, GRAMMAR_2020)


def parse_by(year: Year[R], input: str, base: str | R | None, encoding: str = "utf-8") -> R:
    """Return the record of the URL that ``input`` writes. Raises the errors of `parse`."""
    require_text(input, "a URL")
    base = _base_of(year, base)
    base_draft = None if base is None else _draft_of(base)
    if encoding != "utf-8":
        from weburl.standard.infra.encodings import get_output_encoding  # It loads big tables.

        encoding = get_output_encoding(encoding)
    url = Draft()
    text = to_scalar_value_string(input).strip(_C0_CONTROL_OR_SPACE)
    year.machine(text, base_draft, encoding, url, None).run()
    return record_of(url, year.record)


def _base_of(year: Year[R], base: str | R | None) -> R | None:
    """Return a base as a record of the year, or None without one. Raises the errors of `parse`."""
    if base is None or type(base) is year.record:
        return base
    if not isinstance(base, str):
        raise TypeError(
            f"a base must be text, a {year.record.__name__} or None, not {type(base).__name__}"
        )
    try:
        return parse_by(year, base, None)
    except LegacyURLError as error:
        raise LegacyURLError(f"in the base: {error}") from None


def is_valid_by(year: Year[R], text: str, base: str | R | None) -> bool:
    """Return whether ``text`` is a valid URL string. Raises the errors of `is_valid_url_string`."""
    require_text(text, "a URL")
    base = _base_of(year, base)
    kind = None if base is None else base_kind(base.scheme, base.host)
    return year.grammar.is_valid_url_string(text, kind)


def draft_with(year: Year[R], record: R, attribute: str, value: str) -> Draft:  # noqa: C901  # the standard's setters, side by side
    """Return a record after a setter of the API. Raises the errors of `set_attribute`."""
    if type(record) is not year.record:
        raise TypeError(
            f"the record must be a {year.record.__name__}, not a value of type"
            f" {type(record).__name__}"
        )
    if attribute not in _ATTRIBUTES:
        raise ValueError(f"the URL class has no attribute {masked_value(attribute)} to set")
    require_text(value, "the value of an attribute")
    url = _draft_of(record)

    def parse_into(text: str, override: Override) -> None:
        try:
            year.machine(to_scalar_value_string(text), None, "utf-8", url, override).run()
        except LegacyURLError:
            return  # The setters ignore failure.

    cannot_have_credentials_or_port = (
        not url.host or url.cannot_be_a_base_url or url.scheme == "file"
    )
    match attribute:
        case "protocol":
            parse_into(f"{value}:", "scheme_start")
        case "username" | "password":
            if not cannot_have_credentials_or_port:
                text = to_scalar_value_string(value)
                setattr(url, attribute, utf8_percent_encode(text, USERINFO_SET))
        case "host" | "hostname":
            if not url.cannot_be_a_base_url:
                parse_into(value, attribute)
        case "port":
            if cannot_have_credentials_or_port:
                pass
            elif not value:
                url.port = None
            else:
                parse_into(value, "port")
        case "pathname":
            if not url.cannot_be_a_base_url:
                url.path = []
                parse_into(value, "path_start")
        case "search":
            url.query = "" if value else None
            parse_into(value.removeprefix("?"), "query")
        case "hash":
            url.fragment = "" if value else None
            parse_into(value.removeprefix("#"), "fragment")
    return url


def _draft_of(record: URLRecord2020) -> Draft:
    draft = Draft()
    for name in URLRecord2020.__match_args__:
        value = getattr(record, name)
        setattr(draft, name, list(value) if isinstance(value, tuple) else value)
    return draft


def record_of(draft: Draft, record: type[R]) -> R:
    """Return a finished draft as a record of the year."""
    return record(**vars(draft) | {"path": tuple(draft.path)})
