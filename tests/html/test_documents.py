"""Documents, their base URLs, and how they resolve a URL."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weburl
from tests import strategies
from weburl import html

PAGE = "https://example.com/a/b?c#d"
CONTAINER = "https://container.example/x/"


def base_of(document: html.Document) -> str:
    """Return the document base URL as text."""
    return html.document_base_url(document).href


def test_a_url_is_parsed_relative_to_a_document_in_three_ways() -> None:
    """The newer one encodes in UTF-8; the older two in the document's encoding."""
    document = html.Document(PAGE, encoding="Latin1")
    assert document.encoding == "windows-1252"
    assert html.parse_url("x?\xe9", document).href == "https://example.com/a/x?%C3%A9"
    assert html.encoding_parse_url("x?\xe9", document).href == "https://example.com/a/x?%E9"
    assert (
        html.encoding_parse_and_serialize_url("x?\xe9", document) == "https://example.com/a/x?%E9"
    )


def test_a_url_is_parsed_relative_to_the_window_or_the_worker_of_a_script() -> None:
    """A window has its document's base URL and encoding; a worker is in UTF-8."""
    document = html.Document(PAGE, encoding="koi8-r", frozen_base_url="https://base.example/")
    window = html.EnvironmentSettings.of_window(document)
    worker = html.EnvironmentSettings("https://example.com/worker.js")
    assert worker.api_base_url.href == "https://example.com/worker.js"
    assert html.parse_url("?\u044f", window).href == "https://base.example/?%D1%8F"
    assert html.encoding_parse_url("?\u044f", window).href == "https://base.example/?%D1"
    assert html.encoding_parse_url("?\u044f", worker).href == "https://example.com/worker.js?%D1%8F"
    assert html.encoding_parse_and_serialize_url("/", worker) == "https://example.com/"


def test_a_url_is_relative_to_an_environment_and_nothing_else() -> None:
    """Least of all to the URL of a document; nor is that a window's document."""
    for parse in (html.parse_url, html.encoding_parse_url, html.encoding_parse_and_serialize_url):
        with pytest.raises(TypeError, match="not str"):
            parse("x", PAGE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not str"):
        html.EnvironmentSettings(PAGE, "https://user:secret@h/")  # type: ignore[arg-type]


@given(
    strategies.url_texts,
    strategies.base_texts.map(str),
    st.sampled_from(("utf-8", "shift_jis", "windows-1252", "replacement", "utf-16")),
)
def test_parsing_relative_to_a_document_is_parsing_with_its_base_url_and_encoding(
    text: str, base: str, encoding: str
) -> None:
    """Nothing else of it counts."""
    assume(weburl.can_parse(base))
    document = html.Document(base, encoding)
    assume(weburl.can_parse(text, base))
    assert html.encoding_parse_url(text, document) == weburl.parse(text, base, encoding=encoding)
    assert html.parse_url(text, document) == weburl.parse(text, base)


def test_the_base_url_is_the_documents_own_where_nothing_says_otherwise() -> None:
    """With its query and fragment; an `about_base_url` is for `about:` documents."""
    assert base_of(html.Document(PAGE)) == PAGE
    assert base_of(html.Document(PAGE, about_base_url=CONTAINER)) == PAGE
    assert base_of(html.Document("about:blank#x")) == "about:blank#x"


def test_about_blank_takes_over_the_base_url_of_the_document_that_made_it() -> None:
    """Whatever its query and fragment; `about:legacy-compat` does not."""
    assert base_of(html.Document("about:blank", about_base_url=CONTAINER)) == CONTAINER
    assert base_of(html.Document("about:blank?foo#bar", about_base_url=CONTAINER)) == CONTAINER
    other = html.Document("about:legacy-compat", about_base_url=CONTAINER)
    assert base_of(other) == "about:legacy-compat"


def test_a_srcdoc_document_has_the_base_url_of_its_container() -> None:
    """Its URL tells, or whoever makes it; without that base URL there is no such document."""
    document = html.Document("about:srcdoc#x", about_base_url=CONTAINER)
    assert document.is_iframe_srcdoc
    assert html.fallback_base_url(document).href == CONTAINER
    assert (
        base_of(html.Document(PAGE, about_base_url=CONTAINER, is_iframe_srcdoc=True)) == CONTAINER
    )
    with pytest.raises(ValueError, match="container"):
        html.Document("about:srcdoc")
    assert not html.Document("about:srcdoc?x").is_iframe_srcdoc


@pytest.mark.parametrize(
    ("href", "base"),
    [
        ("/x/", "https://example.com/x/"),
        (" sub/ ", "https://example.com/a/sub/"),
        ("", "https://example.com/a/b?c"),
        ("?\xe9", "https://example.com/a/b?%E9"),
        ("//other.example", "https://other.example/"),
        ("about:blank", "about:blank"),
        ("mailto:x", "mailto:x"),
        ("blob:https://h/x", "blob:https://h/x"),
        ("javascript:x", PAGE),
        ("data:text/html,", PAGE),
        ("DATA:,", PAGE),
        ("java\nscript:x", PAGE),
        ("https://h:99999/", PAGE),
    ],
)
def test_a_base_element_sets_the_base_url_unless_it_must_not(href: str, base: str) -> None:
    """It is relative to the fallback base URL, in the document's encoding; failures come to it."""
    document = html.set_frozen_base_url(html.Document(PAGE, "latin1"), href)
    assert base_of(document) == base
    assert html.fallback_base_url(document).href == PAGE


def test_a_base_element_is_not_relative_to_another() -> None:
    """Nor to what itself came to before."""
    document = html.set_frozen_base_url(html.Document(PAGE), "x/")
    assert base_of(html.set_frozen_base_url(document, "y/")) == "https://example.com/a/y/"


def test_a_base_element_of_a_srcdoc_document_is_relative_to_the_container() -> None:
    """As everything in it is."""
    document = html.Document("about:srcdoc", about_base_url=CONTAINER)
    assert base_of(html.set_frozen_base_url(document, "y/")) == "https://container.example/x/y/"
    assert base_of(html.set_frozen_base_url(document, "data:,")) == CONTAINER


def test_a_frozen_base_url_stays_when_the_document_gets_another_url() -> None:
    """Without one the base URL is the new URL."""
    frozen = html.set_url(
        html.set_frozen_base_url(html.Document(PAGE), "x/"), "https://example.com/new"
    )
    assert frozen.url.href == "https://example.com/new"
    assert base_of(frozen) == "https://example.com/a/x/"
    assert base_of(html.set_url(html.Document(PAGE), "https://h/new")) == "https://h/new"


def test_a_document_is_a_value() -> None:
    """Made of text or of records, equal and hashable; what is wrong with it is said."""
    document = html.Document(PAGE, "UTF-8 ", None, "https://h/")
    same = html.Document(weburl.parse(PAGE), "utf8", None, weburl.parse("https://h"))
    assert document == same
    assert len({document, same}) == 1
    with pytest.raises(weburl.URLParseError):
        html.Document("/x")
    with pytest.raises(ValueError, match="there is no encoding with the label"):
        html.Document(PAGE, "utf-7")
    with pytest.raises(AttributeError):
        document.url = weburl.parse(PAGE)  # type: ignore[misc]


def test_no_password_is_shown() -> None:
    """Of any of its URLs."""
    url = "https://u:secret@h/"
    document = html.Document(url, "utf-8", url, url)
    assert "secret" not in repr(document)
    assert "secret" not in repr(html.EnvironmentSettings.of_window(document))
