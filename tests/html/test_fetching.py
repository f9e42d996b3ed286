"""Requests that may cross origins, and the kinds of responses."""

from __future__ import annotations

import pytest

import weburl
from weburl import html

URL = "https://example.com/x.js"


@pytest.mark.parametrize(
    ("state", "fallback", "mode", "credentials_mode"),
    [
        (html.CORSAttributeState.NO_CORS, False, "no-cors", "include"),
        (html.CORSAttributeState.NO_CORS, True, "same-origin", "include"),
        (html.CORSAttributeState.ANONYMOUS, False, "cors", "same-origin"),
        (html.CORSAttributeState.ANONYMOUS, True, "cors", "same-origin"),
        (html.CORSAttributeState.USE_CREDENTIALS, False, "cors", "include"),
        (html.CORSAttributeState.USE_CREDENTIALS, True, "cors", "include"),
    ],
)
def test_the_crossorigin_attribute_decides_on_mode_and_credentials(
    state: html.CORSAttributeState, fallback: bool, mode: str, credentials_mode: str
) -> None:
    """All of its states, with the fallback and without."""
    request = html.create_potential_cors_request(
        URL, "script", state, same_origin_fallback=fallback
    )
    assert request.url == weburl.parse(URL)
    assert (request.destination, request.mode) == ("script", mode)
    assert request.credentials_mode == credentials_mode
    assert request.use_url_credentials


def test_what_is_no_state_of_the_attribute_is_refused() -> None:
    """It would have passed for the one that sends credentials everywhere."""
    for state in ("anonymous", None):
        with pytest.raises(ValueError, match="is not a valid CORSAttributeState"):
            html.create_potential_cors_request(URL, "image", state)  # type: ignore[arg-type]


def test_a_request_needs_a_url() -> None:
    """Text that is none is refused."""
    with pytest.raises(weburl.URLParseError):
        html.create_potential_cors_request("/x", "image", html.CORSAttributeState.NO_CORS)


def test_a_response_is_of_the_same_origin_of_another_or_an_error() -> None:
    """Three types, two and one."""
    same = {type for type in html.ResponseType if html.is_cors_same_origin(html.Response(type))}
    cross = {type for type in html.ResponseType if html.is_cors_cross_origin(html.Response(type))}
    assert same == {"basic", "cors", "default"}
    assert cross == {"opaque", "opaqueredirect"}
    assert set(html.ResponseType) - same - cross == {"error"}


def test_an_unsafe_response_is_what_was_filtered() -> None:
    """Or the response itself, where nothing was."""
    inside = html.Response("default")
    assert html.unsafe_response(html.Response("opaque", inside)) is inside
    assert html.unsafe_response(inside) is inside
    with pytest.raises(ValueError, match="bogus"):
        html.Response("bogus")


@pytest.mark.parametrize(
    ("value", "state"),
    [
        (None, html.CORSAttributeState.NO_CORS),
        ("", html.CORSAttributeState.ANONYMOUS),
        ("anonymous", html.CORSAttributeState.ANONYMOUS),
        ("bogus", html.CORSAttributeState.ANONYMOUS),
        ("use-credentials ", html.CORSAttributeState.ANONYMOUS),
        ("u\u017fe-credentials", html.CORSAttributeState.ANONYMOUS),
        ("use-credentials", html.CORSAttributeState.USE_CREDENTIALS),
        ("Use-CREDENTIALS", html.CORSAttributeState.USE_CREDENTIALS),
    ],
)
def test_a_crossorigin_attribute_has_a_state(
    value: str | None, state: html.CORSAttributeState
) -> None:
    """`use-credentials` in any case of ASCII; anything else is Anonymous, and none is No CORS."""
    assert html.CORSAttributeState.of_attribute(value) is state


def test_only_text_is_the_value_of_an_attribute() -> None:
    """Or None for no attribute."""
    with pytest.raises(TypeError, match="not bool"):
        html.CORSAttributeState.of_attribute(True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "kind",
    [
        html.ResponseType.BASIC,
        html.ResponseType.DEFAULT,
        html.ResponseType.OPAQUE,
        html.ResponseType.OPAQUEREDIRECT,
    ],
)
def test_a_filtered_response_keeps_the_one_inside(kind: html.ResponseType) -> None:
    """Which is the unsafe one; a response without one is that itself."""
    inside = html.Response(html.ResponseType.DEFAULT)
    assert inside.internal_response is None
    assert html.unsafe_response(inside) is inside
    filtered = html.Response(kind, inside)
    assert filtered.internal_response is inside
    assert html.unsafe_response(filtered) is inside
