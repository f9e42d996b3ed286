"""The public functions: what each takes and returns. Lower modules do the work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from weburl.api import parse as parse_url
from weburl.columns.arrow import ArrowColumn, Column
from weburl.columns.kernels import PARTS
from weburl.columns.running import Errors, Progress, Task, run
from weburl.infra.strings import require_text, to_scalar_value_string
from weburl.keys import KeyRules, SURTProfile
from weburl.public_suffix import PublicSuffixList, current_list, packaged_list
from weburl.records.record import URLRecord
from weburl.rendering.text import Only, Wanted

Base: TypeAlias = ArrowColumn | str | URLRecord
"""The base of relative URLs: a column with one for each row, or one URL for all rows."""

Part: TypeAlias = Literal[
    "scheme",
    "username",
    "password",
    "host",
    "host_kind",
    "port",
    "path",
    "query",
    "fragment",
]
"""The names of the parts of a URL, as in the struct that `parse` returns."""


def canonicalize(
    urls: ArrowColumn,
    base: Base | None = None,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the href of the URL in each row. All spellings of a URL give the same text.

    A null row stays null. The result has the same chunks and the same type of text as the column.
    For a dictionary, each value is computed once, and the result has a dictionary, too.

    Args:
        urls: A column of text, as anything with the Arrow PyCapsule interface.
        base: What relative URLs are joined to, or None.
        errors: What happens to a row that does not parse. "null" makes it null. "raise" raises
            `URLParseError` for the first one. "name" returns a struct with ``value`` and ``error``,
            the name of the failure as `check` returns it.
        workers: How many workers compute at a time. They are threads if no Python code runs for
            each row: in the compiled build, except for `registrable_domain`, `site`, `render` and
            `search_param`, and always if Python has no GIL. Otherwise they are processes.
        progress: Called from time to time with the number of rows done and the number of all rows.

    Raises:
        TypeError: ``urls`` or ``base`` is not text.
        URLParseError: ``base`` is one text that does not parse, or a row does not parse and
            ``errors`` is "raise".
        ValueError: An option has an unknown value, or a column of bases has another length.
        OverflowError: A chunk of the result would have more than 2 GB of text and is not
            large_string.

    Spec: #concept-url-serializer
    """
    return run(
        Task("part", {"part": "href"}, errors), urls, base, workers=workers, progress=progress
    )


def resolve(
    urls: ArrowColumn,
    base: Base,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the href of the URL in each row, joined to ``base``.

    ``base`` is a column as long as ``urls``, or one URL as text or record. If the base of a row is
    null, the result is null. If the base of a row does not parse, neither does the row. The other
    arguments and the errors are those of `canonicalize`.

    Spec: #concept-url-parser
    """
    if base is None:
        raise TypeError("a base must be a column, text or a URLRecord, not None")
    return canonicalize(urls, base, errors=errors, workers=workers, progress=progress)


def can_parse(
    urls: ArrowColumn,
    base: Base | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return whether each row parses, as a column of Booleans.

    The arguments are those of `canonicalize`.

    Spec: #dom-url-canparse
    """
    return run(Task("can_parse", {}, "null"), urls, base, workers=workers, progress=progress)


def check(
    urls: ArrowColumn,
    base: Base | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the standard's name for the failure of each row, or null if the row parses.

    The names are those of `weburl.ValidationErrorType`, plus "not-UTF-8" for bytes that are not
    text. The result is a dictionary. The arguments are those of `canonicalize`.

    Spec: #validation-error
    """
    return run(Task("check", {}, "null"), urls, base, workers=workers, progress=progress)


def parse(
    urls: ArrowColumn,
    base: Base | None = None,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the parts of each URL, as a column of structs.

    The fields are ``scheme``, ``username``, ``password``, ``host``, ``host_kind``, ``port``,
    ``path``, ``query`` and ``fragment``, as in `weburl.URLRecord`. The host is text without the
    port. ``host_kind`` is "domain", "ipv4", "ipv6", "opaque" or "empty", as a dictionary. ``port``
    is an int32, and null for no port and for the scheme's default port. ``path`` is text. The
    arguments are those of `canonicalize`.

    Spec: #concept-url-parser
    """
    return run(Task("parse", {}, errors), urls, base, workers=workers, progress=progress)


def part(
    urls: ArrowColumn,
    part: Part,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return one part of each URL: a field of what `parse` returns, without computing the others.

    ``part`` is the name of the field; another name raises ValueError. The result is also null for
    a URL without that part. The other arguments are those of `canonicalize`.

    Spec: #concept-url
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, not {part!r}")
    task = Task("part", {"part": part}, errors)
    return run(task, urls, workers=workers, progress=progress)


def host(
    urls: ArrowColumn,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the host of each URL, without the port; null for a URL without a host.

    A domain is in ASCII. An IPv6 address is in brackets. A URL such as ``file:///a`` has the empty
    host, which is "". The arguments are those of `canonicalize`.

    Spec: #concept-url-host
    """
    return part(urls, "host", errors=errors, workers=workers, progress=progress)


def registrable_domain(
    urls: ArrowColumn,
    *,
    private: bool = True,
    suffixes: PublicSuffixList | None = None,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the registrable domain of each URL's host, such as "example.co.uk", or null.

    Args:
        private: Whether the Public Suffix List's section of private domains (github.io) counts, as
            it does in the standard.
        suffixes: A list to use instead of the current one (see `weburl.public_suffix`).

    The other arguments are those of `canonicalize`.

    Raises:
        ValueError: ``private`` is False, and the list is not the package's. Make that list without
            its private section instead.

    Spec: #host-registrable-domain
    """
    task = Task("registrable_domain", {"suffixes": _suffixes(suffixes, private=private)}, errors)
    return run(task, urls, workers=workers, progress=progress)


def origin(
    urls: ArrowColumn,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the origin of each URL as text, "null" for an opaque one.

    Two rows with "null" do not have the same origin. The arguments are those of `canonicalize`.

    Spec: #concept-url-origin
    """
    return run(Task("part", {"part": "origin"}, errors), urls, workers=workers, progress=progress)


def site(
    urls: ArrowColumn,
    *,
    private: bool = True,
    suffixes: PublicSuffixList | None = None,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the site of each URL as text ("https://example.co.uk"), "null" for an opaque origin.

    The arguments and errors are those of `registrable_domain`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site
    """
    task = Task("site", {"suffixes": _suffixes(suffixes, private=private)}, errors)
    return run(task, urls, workers=workers, progress=progress)


def render(
    urls: ArrowColumn,
    *,
    max_length: int | None = None,
    only: Only | None = None,
    omit_scheme: str | None = None,
    omit_www: bool = False,
    isolate: bool | None = None,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return each URL as text for people to read, without username and password.

    The options and their errors are those of `weburl.render`, the other arguments those of
    `canonicalize`.

    Spec: #url-rendering
    """
    Wanted(max_length, only, omit_scheme, omit_www)  # Wrong options raise here, before the work.
    options = {
        "max_length": max_length,
        "only": only,
        "omit_scheme": omit_scheme,
        "omit_www": omit_www,
        "isolate": isolate,
    }
    return run(Task("render", options, errors), urls, workers=workers, progress=progress)


def search_param(
    urls: ArrowColumn,
    name: str,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the first value of ``name`` in each URL's query, decoded, or null without one.

    The other arguments are those of `canonicalize`. Raises TypeError if ``name`` is not text.

    Spec: #dom-urlsearchparams-get
    """
    name = to_scalar_value_string(require_text(name, "a name"))
    task = Task("search_param", {"name": name}, errors)
    return run(task, urls, workers=workers, progress=progress)


def key(
    urls: ArrowColumn,
    rules: KeyRules | str = "page",
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the key of each URL: the same text for URLs that the rules count as one page.

    ``rules``: the name of ready rules ("browser", "page" or "crawl"), or a
    `weburl.keys.KeyRules`. The other arguments are those of `canonicalize`. Raises LookupError for
    an unknown name, and TypeError for a value of another type.

    Spec: #concept-url-serializer
    """
    if isinstance(rules, str):
        rules = KeyRules.named(rules)
    if not isinstance(rules, KeyRules):
        raise TypeError(f"rules must be a name or KeyRules, not {type(rules).__name__}")
    return run(Task("key", {"rules": rules}, errors), urls, workers=workers, progress=progress)


def surt(
    urls: ArrowColumn,
    profile: SURTProfile = "archive",
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the SURT of each URL: the key under which web archives list it.

    ``profile`` is that of `weburl.keys.surt`. The other arguments are those of `canonicalize`.
    Raises ValueError for another profile.

    Spec: #concept-url-serializer
    """
    if profile not in get_args(SURTProfile):
        raise ValueError(f"the profile is 'archive' or 'careful', not {profile!r}")
    return run(Task("surt", {"profile": profile}, errors), urls, workers=workers, progress=progress)


def without_query_params(
    urls: ArrowColumn,
    *names: str,
    prefixes: str | Iterable[str] = (),
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the href of each URL without the params of these names. All other bytes stay.

    ``names`` and ``prefixes``, and their errors, are those of `URLRecord.without_query_params`. The
    other arguments are those of `canonicalize`.

    Spec: #dom-urlsearchparams-delete
    """
    starts = (prefixes,) if isinstance(prefixes, str) else tuple(prefixes)
    parse_url("https://h/?q").without_query_params(*names, prefixes=starts)  # errors come first
    task = Task("without_query_params", {"names": names, "prefixes": starts}, errors)
    return run(task, urls, workers=workers, progress=progress)


def _suffixes(suffixes: PublicSuffixList | None, *, private: bool) -> PublicSuffixList:
    """Return the list to use. Raises the errors of `registrable_domain`."""
    found = current_list() if suffixes is None else suffixes
    if not isinstance(found, PublicSuffixList):
        raise TypeError(f"suffixes must be a PublicSuffixList, not {type(found).__name__}")
    if private:
        return found
    if found != packaged_list():
        raise ValueError(
            "private=False works only with the package's list: make your own list without its"
            " private section, with weburl.public_suffix.parse_list(text, private=False)"
        )
    return packaged_list(private=False)
