"""What is of a wrong type is refused by all of `weburl.html` with a TypeError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from weburl import html

WRONG: tuple[Any, ...] = (None, 5, b"x", object(), ["x"])
CALLS: dict[str, Callable[[Any], object]] = {
    "document_base_url": html.document_base_url,
    "fallback_base_url": html.fallback_base_url,
    "set_url": lambda wrong: html.set_url(wrong, "https://h/"),
    "set_frozen_base_url": lambda wrong: html.set_frozen_base_url(wrong, "x"),
    "respond_to_base_url_changes": lambda wrong: html.respond_to_base_url_changes((), wrong),
    "respond_to_base_url_changes, links": lambda wrong: html.respond_to_base_url_changes(
        [wrong], html.Document("https://h/")
    ),
    "of_window": html.EnvironmentSettings.of_window,
    "is_cors_same_origin": html.is_cors_same_origin,
    "is_cors_cross_origin": html.is_cors_cross_origin,
    "unsafe_response": html.unsafe_response,
    "parse_url": lambda wrong: html.parse_url("x", wrong),
    "matches_about_blank": html.matches_about_blank,
    "matches_about_srcdoc": html.matches_about_srcdoc,
    "is_valid_non_empty_url": html.is_valid_non_empty_url,
    "Document, url": html.Document,
    "links, url": lambda wrong: html.links("", wrong),
    "page, limits": lambda wrong: html.page("", "https://h/", limits=wrong),
    "extract": html.extract_character_encoding_from_meta_element,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_a_wrong_type_is_a_type_error(name: str, wrong: Any) -> None:
    """Not an AttributeError from somewhere inside."""
    with pytest.raises(TypeError):
        CALLS[name](wrong)


def test_other_wrong_arguments_are_type_errors_too() -> None:
    """Those that may be None, and those of a type of their own."""
    with pytest.raises(TypeError):
        html.Document("https://h/", is_iframe_srcdoc="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        html.Response("basic", "x")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        html.Document("https://h/", encoding=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        html.links(5, "https://h/")  # type: ignore[arg-type]
