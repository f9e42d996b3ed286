"""Relative references: as values, and the shortest one from a URL to another.

A reference is text that needs a base. `api` resolves it; here is what can be said without a base.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, get_args

import attrs

from weburl.standard.infra.code_point_regexes import SCHEME_AND_COLON
from weburl.standard.infra.comparisons import unequal
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.errors import ValidationErrorType
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.guesses import OF_REFERENCE, with_guesses
from weburl.standard.infra.one_value import OneValue, one_value
from weburl.standard.infra.strings import (
    exact,
    remove_tabs_and_newlines,
    require_text,
    strip_c0_control_or_space,
    to_scalar_value_string,
)
from weburl.standard.url.api import parse, record_of
from weburl.standard.url.given import AnyURL
from weburl.standard.url.path import is_normalized_windows_drive_letter
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

ReferenceKind: TypeAlias = Literal[
    "scheme-relative", "path-absolute", "path-relative", "query", "fragment"
]
"""The kinds of relative references: //host/path, /path, path, ?query and #fragment."""

_SLASHES = ("/", "\\")


def _prepared(text: str) -> str:
    text = to_scalar_value_string(exact(require_text(text, "a relative reference")))
    return remove_tabs_and_newlines(strip_c0_control_or_space(text))


@with_guesses(OF_REFERENCE)
@one_value
@attrs.frozen(eq=False)
class RelativeReference(OneValue):
    r"""Text that is a URL only together with a base, such as ``../a?b``, as an immutable value.

    Two references with the same text are equal. ``str()`` returns the text.

    Args:
        text: any text without a scheme; may be empty. It is kept as it is written, except for what
            the URL parser ignores: spaces and control characters around it, and tabs and newlines.

    Raises:
        URLParseError: the text has a scheme, so it is not relative: ``https:a``. If it does not
            parse, the error is that of `parse`.
        TypeError: it is not text.

    Spec: #relative-url-string
    """

    __module__ = "weburl"

    text: str = attrs.field(converter=_prepared, repr=lambda text: repr(masked(text)))

    def __attrs_post_init__(self) -> None:
        if SCHEME_AND_COLON.match(self.text) is not None:
            parse(self.text)  # raises what is wrong with a URL
            shown = masked(self.text)
            raise URLParseError(f"{quoted(shown)} has a scheme, so it is not relative.", shown)

    @property
    def kind(self) -> ReferenceKind:
        r"""What the reference starts with, as a browser reads it on a web page.

        "scheme-relative" for ``//host/path``, "path-absolute" for ``/path``, "query" for ``?a``,
        "fragment" for ``#a``, and "path-relative" for any other, also for "". A ``\`` is a slash.

        Spec: #relative-url-string
        """
        start = self.text[:1]
        if start in ("?", "#"):
            return "query" if start == "?" else "fragment"
        if not self.text.startswith(_SLASHES):
            return "path-relative"
        is_scheme_relative = self.text.startswith(_SLASHES, 1)
        return "scheme-relative" if is_scheme_relative else "path-absolute"

    @property
    def names_a_host(self) -> bool:
        r"""Whether a browser may leave the site: the reference has a host of its own.

        True for ``//evil.example``, and for every spelling that a browser reads like it, such as
        ``/\evil.example`` and one with tabs. If it is false, the resolved URL has the scheme, host
        and port of the base.

        Spec: #scheme-relative-url-string
        """
        return self.kind == "scheme-relative"

    def resolve(self, base: AnyURL) -> URLRecord:
        """Parse the reference with ``base``, and return the record.

        Raises `URLParseError` if ``base`` is text that is not a URL, or if the result is not one.

        Spec: #concept-url-parser
        """
        return parse(self.text, base)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RelativeReference):
            return self.text == other.text
        return unequal(self, other)

    def __hash__(self) -> int:
        return hash((RelativeReference, self.text))

    def __str__(self) -> str:
        return self.text


def parse_reference(input: AnyURL) -> URLRecord | RelativeReference:
    """Return the record of a URL, or a `RelativeReference` for text without a scheme.

    Args:
        input: text, a record or a `URL`.

    Raises:
        URLParseError: the text has a scheme, and `parse` raises this error.
        TypeError: ``input`` is of another type.

    Spec: #url-string
    """
    try:
        return parse(input)
    except URLParseError as error:
        if error.type is not ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL:
            raise
    return RelativeReference(str(input))


def relative_to(url: URLRecord, base: AnyURL, prefer: ReferenceKind | None) -> RelativeReference:
    """Return the reference from ``base`` to ``url``. See `URLRecord.relative_to`."""
    base = record_of(base, "a base")
    if prefer is not None and prefer not in get_args(ReferenceKind):
        kinds = ", ".join(get_args(ReferenceKind))
        raise ValueError(f"there is no kind of reference {prefer!r}, only {kinds}")
    if url.scheme == base.scheme:
        # `sorted` keeps the order of references of the same length.
        references = [RelativeReference(text) for text in sorted(_candidates(url, base), key=len)]
        if prefer is not None:
            references.sort(key=lambda reference: reference.kind != prefer)
        for reference in references:
            if _joins(base, reference.text, url):
                return reference
    shown = url.redacted()
    reason = f"No relative reference leads from {quoted(base.redacted())} to {quoted(shown)}."
    raise URLParseError(reason, shown)


def _joins(base: URLRecord, text: str, url: URLRecord) -> bool:
    try:
        return base.join(text) == url
    except URLParseError:
        return False


def _candidates(url: URLRecord, base: URLRecord) -> Iterator[str]:
    """Yield the shortest reference of each kind, without checking that it leads to ``url``."""
    end = "" if url.fragment is None else f"#{url.fragment}"
    if url.query is not None:
        end = f"?{url.query}{end}"
    path = url.path_text
    if _authority(url) == _authority(base):
        if path == base.path_text:
            if url.query == base.query:
                yield "" if url.fragment is None else f"#{url.fragment}"
            if url.query is not None:
                yield end
        if path.startswith("/"):
            yield _relative_path(path, base.path_text) + end
            yield _absolute_path(path) + end
            if url.scheme == "file" and is_normalized_windows_drive_letter(path[1:3]):
                yield _absolute_path(path[3:]) + end  # "/a" keeps the drive letter of the base
    if url.host is not None:
        start = len(url.scheme) + 1
        if path == "/" and url.is_special:
            yield url.href[start : url.href.index("/", start + 2)] + end
        else:
            yield url.href[start:]


def _authority(url: URLRecord) -> tuple[object, ...]:
    return (url.username, url.password, url.host, url.port)


def _absolute_path(path: str) -> str:
    return f"/.{path}" if path.startswith("//") else path  # "//" would start a host


def _relative_path(path: str, base: str) -> str:
    """Return the path of the shortest path-relative reference; both paths are hierarchical."""
    segments = path.split("/")[1:]
    directories = base.split("/")[1:-1]
    common = 0
    for wanted, had in zip(segments[:-1], directories, strict=False):
        if wanted != had:
            break
        common += 1
    ups = len(directories) - common
    rest = "/".join(segments[common:])
    if ups:
        return "../" * ups + rest if rest else "../" * (ups - 1) + ".."
    if not rest:
        return "."
    # An empty first segment would make the path absolute, and one like "a:b" would be a scheme.
    is_misread = rest.startswith("/") or SCHEME_AND_COLON.match(rest) is not None
    return f"./{rest}" if is_misread else rest
