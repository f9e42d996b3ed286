"""Relative references: as values, and the shortest one from a URL to another.

A reference is text that needs a base. `api` resolves it; here is what can be said without a base.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Final, Literal, TypeAlias, get_args

import attrs

from weburl.standard.infra.code_point_regexes import SCHEME_AND_COLON
from weburl.standard.infra.comparisons import unequal
from weburl.standard.infra.credentials import masked, masked_value
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
from weburl.standard.url.path import is_normalized_windows_drive_letter
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.standard.url.report import URLParseError

ReferenceKind: TypeAlias = Literal[
    "scheme-relative", "path-absolute", "path-relative", "query", "fragment"
]
"""The kinds of relative references: //host/path, /path, path, ?query and #fragment."""

_SLASHES = ("/", "\\")
_DOUBLE_DOTS: Final = re.compile(r"(?<![^/\\])(?:\.|%2[eE]){2}(?![^/\\?#])")
_PLACEHOLDERS: Final = re.compile("~base~[0-9]+")


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
            parse, the error is the same as for `parse`.
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

    def canonical(self, *, encoding: str = "utf-8") -> RelativeReference:
        r"""Return the reference as a browser writes it: percent-encoded, without dot segments.

        It leads to the same URL on every web page. A ".." at its start is kept, and each ``\`` in a
        path is a slash.

        Args:
            encoding: the label of the page's encoding, which is used for the query.

        Raises:
            URLParseError: it names a host, such as ``//[``, and that does not parse.
            ValueError: there is no encoding with this label.

        Spec: #relative-url-string
        """
        return _edited(self, lambda url: url, encoding)

    def edited(self, edit: Callable[[URLRecord], URLRecord]) -> RelativeReference:
        """Return this reference after a change, in canonical form.

        Args:
            edit: it is called with a record that has the parts of this reference, and returns
                another one: ``lambda url: url.add_query_param("page", 2)``. The record has an
                invented base in front, which the result does not contain.

        Raises:
            URLParseError: no reference can express the result, such as the parent of "..". Or one
                of the errors of `canonical` and of ``edit``.
            TypeError: ``edit`` returns something other than a record.

        Spec: #relative-url-string
        """
        return _edited(self, edit, "utf-8")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RelativeReference):
            return self.text == other.text
        return unequal(self, other)

    def __hash__(self) -> int:
        return hash((RelativeReference, self.text))

    def __str__(self) -> str:
        return self.text


def _edited(
    reference: RelativeReference, edit: Callable[[URLRecord], URLRecord], encoding: str
) -> RelativeReference:
    text = reference.text
    # A segment that the text does not have, often enough that no ".." leads above it.
    used = set(_PLACEHOLDERS.findall(text))
    segment = next(name for name in map("~base~{}".format, count()) if name not in used)
    depth = len(_DOUBLE_DOTS.findall(text)) + 2
    base = parse(f"https://base.invalid{f'/{segment}' * depth}")
    url = parse(text, base, encoding=encoding)
    if url.port is None and reference.names_a_host:
        # The port may be the port of https. As a part of the reference, it is kept.
        plain = base.with_scheme("http")
        resolved = parse(text, plain, encoding=encoding)
        if resolved.port is not None:
            base, url = plain, resolved
    result = edit(url)
    if not isinstance(result, URLRecord):
        raise TypeError(f"an edit must return a URLRecord, not {type(result).__name__}")
    prefer = reference.kind
    if result.path_text == base.path_text:
        prefer = "fragment" if result.query is None else "query"
    elif not result.path_text.startswith(f"/{segment}/"):
        prefer = "scheme-relative" if reference.names_a_host else "path-absolute"
    if result.scheme == base.scheme:
        found = relative_to(result, base, prefer)
        if segment not in re.split(r"[/?#]", found.text):
            return found
    shown = masked(text)
    raise URLParseError(f"This edit of {quoted(shown)} needs a base: resolve it first.", shown)


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
        raise ValueError(f"there is no kind of reference {masked_value(prefer)}, only {kinds}")
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
