"""`weburl.history.readings`: one URL, six readings."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from weburl.history.readings import COMPONENTS, GENERATIONS, history

_UNRESERVED = st.text("abcxyzABC019-._~", max_size=6)
_LABEL = st.text("abcxyz", min_size=1, max_size=6)


@given(
    st.lists(_LABEL, min_size=1, max_size=3).map(".".join),
    st.lists(_UNRESERVED.filter(lambda segment: segment not in (".", "..")), max_size=3),
    st.none() | _UNRESERVED,
    st.none() | _UNRESERVED,
)
def test_all_generations_agree_on_plain_urls(
    host: str, segments: list[str], query: str | None, fragment: str | None
) -> None:
    """Lowercase, without a port, with a path, and of unreserved characters."""
    url = f"http://{host}/" + "/".join(segments)
    url += "" if query is None else f"?{query}"
    url += "" if fragment is None else f"#{fragment}"
    readings = history(url)
    assert {reading.href for reading in readings} == {url}
    assert all(reading.differences(readings[-1]) == () for reading in readings)
    relative = history(url.removeprefix("http:"), "http://other.example/a")
    assert [reading.href for reading in relative] == [url] * len(GENERATIONS)


@given(strategies.url_texts, strategies.bases_or_none)
def test_any_text_has_a_history(url: str, base: str | None) -> None:
    """A reading has an href and no failure, or a failure and nothing else."""
    readings = history(url, base)
    assert tuple(reading.generation for reading in readings) == GENERATIONS
    for reading in readings:
        components = [getattr(reading, name) for name in COMPONENTS]
        if reading.failure is None:
            assert reading.href is not None and reading.scheme and reading.path is not None
        else:
            assert reading.failure and set(components) == {None}


def test_what_differs_is_named() -> None:
    """In the order of the components; a failure differs from a URL in all it has."""
    readings = {reading.generation: reading for reading in history("HTTP://h:80/^")}
    now = readings["now"]
    assert readings["RFC 3986"].failure == "'^' is not allowed in the path"
    assert readings["HTML5 draft"].differences(now) == ("href", "scheme", "port")
    assert readings["URL 2020"].differences(now) == ("href", "path")
    assert readings["RFC 3986"].differences(now) == ("href", "scheme", "host", "path")
    assert now.differences(now) == ()


@pytest.mark.parametrize(
    ("url", "base", "hrefs"),
    [
        ("http:\\\\h\\", None, [None, None, None, "http://h/", "http://h/", "http://h/"]),
        ("?b", "http://h", ["http://h?b"] * 3 + ["http://h/?b"] * 3),
        ("a", "mailto:b", ["mailto:a"] * 3 + [None] * 3),
        ("foo:/.//a", None, [None] * 3 + ["foo://a", "foo:/.//a", "foo:/.//a"]),
    ],
)
def test_a_history(url: str, base: str | None, hrefs: list[str | None]) -> None:
    """In the order of the generations, each of which has an oracle of its own."""
    assert [reading.href for reading in history(url, base)] == hrefs


def test_every_generation_says_that_it_is_the_base_that_is_no_url() -> None:
    """Rather than that the URL is, which nobody came to read."""
    reasons = [reading.failure or "" for reading in history("http://h/", "http://h:99999999/ /")]
    assert reasons[1:3] == ["", ""]
    for reason in (reasons[0], *reasons[3:]):
        assert reason.startswith("in the base: ")
    assert reasons[-1] == "in the base: port-out-of-range"


def test_the_older_rules_are_not_loaded_by_weburl() -> None:
    """Nor by the other commands."""
    program = (
        "import sys, weburl; from weburl.__main__ import main; main(['http://h/']); "
        "main(['check', 'http://h/']); "
        "assert not [name for name in sys.modules if name.startswith('weburl.history')]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
