"""Requests that may cross origins, and the kinds of responses."""

from __future__ import annotations

import pytest

import weburl
from weburl.html import (
    CORSAttributeState,
    Response,
    ResponseType,
    create_potential_cors_request,
    is_cors_cross_origin,
    is_cors_same_origin,
    unsafe_response,
)

URL = "https://example.com/x.js"


@pytest.mark.parametrize(
    ("state", "fallback", "mode", "credentials_mode"),
    [
        (CORSAttributeState.NO_CORS, False, "no-cors", "include"),
        (CORSAttributeState.NO_CORS, True, "same-origin", "include"),
        (CORSAttributeState.ANONYMOUS, False, "cors", "same-origin"),
        (CORSAttributeState.ANONYMOUS, True, "cors", "same-origin"),
        (CORSAttributeState.USE_CREDENTIALS, False, "cors", "include"),
        (CORSAttributeState.USE_CREDENTIALS, True, "cors", "include"),
    ],
)
def test_the_crossorigin_attribute_decides_on_mode_and_credentials(
    state: CORSAttributeState, fallback: bool, mode: str, credentials_mode: str
) -> None:
    """All of its states, with the fallback and without."""
    request = create_potential_cors_request(URL, "script", state, same_origin_fallback=fallback)
    assert request.url == weburl.parse(URL)
    assert (request.destination, request.mode) == ("script", mode)
    assert request.credentials_mode == credentials_mode
    assert request.use_url_credentials


def test_what_is_no_state_of_the_attribute_is_refused() -> None:
    """It would have passed for the one that sends credentials everywhere."""
    for state in ("anonymous", None):
        with pytest.raises(ValueError, match="is not a valid CORSAttributeState"):
            create_potential_cors_request(URL, "image", state)  # type: ignore[arg-type]


def test_a_request_needs_a_url() -> None:
    """Text that is none is refused."""
    with pytest.raises(weburl.URLParseError):
        create_potential_cors_request("/x", "image", CORSAttributeState.NO_CORS)


def test_a_response_is_of_the_same_origin_of_another_or_an_error() -> None:
    """Three types, two and one."""
    same = {type for type in ResponseType if is_cors_same_origin(Response(type))}
    cross = {type for type in ResponseType if is_cors_cross_origin(Response(type))}
    assert same == {"basic", "cors", "default"}
    assert cross == {"opaque", "opaqueredirect"}
    assert set(ResponseType) - same - cross == {"error"}


def test_an_unsafe_response_is_what_was_filtered() -> None:
    """Or the response itself, where nothing was."""
    inside = Response("default")
    assert unsafe_response(Response("opaque", inside)) is inside
    assert unsafe_response(inside) is inside
    with pytest.raises(ValueError, match="bogus"):
        Response("bogus")


@pytest.mark.parametrize(
    ("value", "state"),
    [
        (None, CORSAttributeState.NO_CORS),
        ("", CORSAttributeState.ANONYMOUS),
        ("anonymous", CORSAttributeState.ANONYMOUS),
        ("bogus", CORSAttributeState.ANONYMOUS),
        ("use-credentials ", CORSAttributeState.ANONYMOUS),
        ("u\u017fe-credentials", CORSAttributeState.ANONYMOUS),
        ("use-credentials", CORSAttributeState.USE_CREDENTIALS),
        ("Use-CREDENTIALS", CORSAttributeState.USE_CREDENTIALS),
    ],
)
def test_a_crossorigin_attribute_has_a_state(value: str | None, state: CORSAttributeState) -> None:
    """`use-credentials` in any case of ASCII; anything else is Anonymous, and none is No CORS."""
    assert CORSAttributeState.of_attribute(value) is state


def test_only_text_is_the_value_of_an_attribute() -> None:
    """Or None for no attribute."""
    with pytest.raises(TypeError, match="not bool"):
        CORSAttributeState.of_attribute(True)  # type: ignore[arg-type]
