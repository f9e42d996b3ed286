"""A document's properties that affect its URLs, and how the document resolves a URL.

Values and pure functions. No HTML is read here: the caller finds the `base` elements.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

import attrs

from weburl.html.content_security_policy import is_base_allowed
from weburl.html.encodings import UTF_8, encoding_name
from weburl.standard.url.api import parse, record_of
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.standard.url.report import URLParseError

# A `base` element with a URL of one of these schemes is ignored.
_NO_BASE: Final = frozenset({"data", "javascript"})


def require(value: object, kind: type, what: str) -> None:
    """Raise TypeError unless ``value`` is of ``kind``; ``what`` names it in the message."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} must be a {kind.__name__}, not {type(value).__name__}")


def matches_about_blank(url: AnyURL) -> bool:
    """Return whether ``url`` is ``about:blank``, with or without a query and a fragment.

    Raises the errors of `weburl.parse`.

    Spec: https://html.spec.whatwg.org/#matches-about:blank
    """
    return _is_about(record_of(url), "blank")


def matches_about_srcdoc(url: AnyURL) -> bool:
    """Return whether ``url`` is ``about:srcdoc`` without a query; it may have a fragment.

    Raises the errors of `weburl.parse`.

    Spec: https://html.spec.whatwg.org/#matches-about:srcdoc
    """
    record = record_of(url)
    return _is_about(record, "srcdoc") and record.query is None


def _is_about(url: URLRecord, path: str) -> bool:
    # An opaque path rules out a host and credentials.
    return url.scheme == "about" and url.path == path


def _optional_record_of(url: AnyURL | None) -> URLRecord | None:
    return None if url is None else record_of(url)


def _policies(policies: str | Iterable[str]) -> tuple[str, ...]:
    found = (policies,) if isinstance(policies, str) else tuple(policies)
    if not all(isinstance(policy, str) for policy in found):
        raise TypeError("a Content Security Policy must be text")
    return found


@attrs.frozen
class Document:
    """The properties of a document that its URLs depend on.

    Args:
        url: Its address, as text or a record.
        encoding: Any label of its character encoding. The attribute is the encoding's name.
        about_base_url: For ``about:blank`` and ``about:srcdoc``, the base URL of the document that
            created this one, or None.
        frozen_base_url: The URL of its first `base` element with an ``href``, as it was when it was
            last set (`set_frozen_base_url`), or None without such an element.
        is_iframe_srcdoc: Whether its source is an iframe's ``srcdoc``. The default is True if its
            URL is ``about:srcdoc``.
        content_security_policies: The policies in force, as text: those of the response and those
            of its `meta` elements. Only their rules for base URLs are used.

    Raises:
        URLParseError: A URL does not parse.
        ValueError: The encoding is unknown.
        TypeError: An argument has the wrong type.
        ValueError: An iframe srcdoc document has no ``about_base_url``.

    Spec: https://html.spec.whatwg.org/#document
    """

    __module__ = "weburl.html"

    url: URLRecord = attrs.field(converter=record_of)
    encoding: str = attrs.field(default=UTF_8, converter=encoding_name)
    about_base_url: URLRecord | None = attrs.field(default=None, converter=_optional_record_of)
    frozen_base_url: URLRecord | None = attrs.field(default=None, converter=_optional_record_of)
    is_iframe_srcdoc: bool = attrs.field(
        default=attrs.Factory(lambda self: matches_about_srcdoc(self.url), takes_self=True)
    )

    content_security_policies: tuple[str, ...] = attrs.field(default=(), converter=_policies)

    def __attrs_post_init__(self) -> None:
        require(self.is_iframe_srcdoc, bool, "is_iframe_srcdoc")
        if self.is_iframe_srcdoc and self.about_base_url is None:
            raise ValueError("An iframe srcdoc document needs the base URL of its container.")


@attrs.frozen
class EnvironmentSettings:
    """The settings of a window or a worker that the URLs in its scripts depend on.

    Args:
        api_base_url: Its base URL, as text or a record.
        document: The document of the window, or None for a worker.

    Raises:
        URLParseError: The base URL does not parse.
        TypeError: ``document`` is not a `Document`.

    Spec: https://html.spec.whatwg.org/#environment-settings-object
    """

    __module__ = "weburl.html"

    api_base_url: URLRecord = attrs.field(converter=record_of)
    document: Document | None = None

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.document, Document | None):
            raise TypeError(
                f"the document of a window must be a Document, not {type(self.document).__name__}"
            )

    @classmethod
    def of_window(cls, document: Document) -> Self:
        """Return the settings of the window that shows ``document``, with its base URL."""
        return cls(document_base_url(document), document)


Environment = Document | EnvironmentSettings
"""What a URL is relative to."""


def document_base_url(document: Document) -> URLRecord:
    """Return the base URL of ``document``, which relative URLs in it are resolved against.

    Spec: https://html.spec.whatwg.org/#document-base-url
    """
    require(document, Document, "document")
    if document.frozen_base_url is None:
        return fallback_base_url(document)
    return document.frozen_base_url


def fallback_base_url(document: Document) -> URLRecord:
    """Return the base URL of ``document`` if no `base` element sets one.

    Spec: https://html.spec.whatwg.org/#fallback-base-url
    """
    require(document, Document, "document")
    if document.is_iframe_srcdoc or matches_about_blank(document.url):
        return document.about_base_url or document.url
    return document.url


def parse_url(url: AnyURL, environment: Environment) -> URLRecord:
    """Parse ``url`` as newer browser interfaces do, and return the record.

    The query is always encoded in UTF-8.

    Args:
        url: The URL.
        environment: The document or the settings that it is relative to.

    Raises:
        URLParseError: It does not parse.
        TypeError: ``environment`` has another type.

    Spec: https://html.spec.whatwg.org/#parse-a-url
    """
    return parse(url, _base_url(environment))


def encoding_parse_url(url: AnyURL, environment: Environment) -> URLRecord:
    """Parse ``url`` as HTML's elements do, and return the record.

    The query is encoded in the document's encoding, or in UTF-8 for a worker. The arguments and
    errors are the same as for `parse_url`.

    Spec: https://html.spec.whatwg.org/#encoding-parsing-a-url
    """
    base_url = _base_url(environment)
    document = environment if isinstance(environment, Document) else environment.document
    encoding = UTF_8 if document is None else document.encoding
    return parse(url, base_url, encoding=encoding)


def encoding_parse_and_serialize_url(url: AnyURL, environment: Environment) -> str:
    """Return the href of the record that `encoding_parse_url` returns.

    The arguments and errors are the same as for `parse_url`.

    Spec: https://html.spec.whatwg.org/#encoding-parsing-and-serializing-a-url
    """
    return encoding_parse_url(url, environment).href


def set_url(document: Document, url: AnyURL) -> Document:
    """Return ``document`` with another URL, as if a script changed it without loading a page.

    The URL of a `base` element is frozen and does not change. `respond_to_base_url_changes` returns
    the links as they are afterwards. Raises the errors of `weburl.parse`.

    Spec: https://html.spec.whatwg.org/#set-the-url
    """
    require(document, Document, "document")
    return attrs.evolve(document, url=url)


def set_frozen_base_url(document: Document, href: str) -> Document:
    """Return ``document`` after its first `base` element with an ``href`` gets this ``href``.

    ``href`` is relative to the fallback base URL. The fallback base URL itself is used if ``href``
    does not parse, if its scheme is data or javascript, or if the document's policies forbid it.

    Spec: https://html.spec.whatwg.org/#set-the-frozen-base-url
    """
    fallback = fallback_base_url(document)
    allowed = base_url_of(document, href)
    return attrs.evolve(document, frozen_base_url=fallback if allowed is None else allowed)


def base_url_of(document: Document, href: str) -> URLRecord | None:
    """Return the base URL that a `base` element with this ``href`` sets, or None if it sets none.

    Spec: https://html.spec.whatwg.org/#set-the-frozen-base-url
    """
    fallback = fallback_base_url(document)
    try:
        url = parse(href, fallback, encoding=document.encoding)
    except URLParseError:
        return None
    policies = document.content_security_policies
    # The fallback gives the origin: about:blank and srcdoc pages have that of their creator.
    if url.scheme in _NO_BASE or not is_base_allowed(url, policies, fallback):
        return None
    return url


def _base_url(environment: Environment) -> URLRecord:
    if isinstance(environment, Document):
        return document_base_url(environment)
    if not isinstance(environment, EnvironmentSettings):
        raise TypeError(
            f"the environment must be a Document or EnvironmentSettings, not "
            f"{type(environment).__name__}"
        )
    return environment.api_base_url
