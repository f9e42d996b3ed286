"""The published ways around a check of where a server connects to: policies refuse them."""

from __future__ import annotations

import pytest

import weburl
from tests.policies.ssrf_cases import COUNT, INWARD, OUTWARD
from weburl import URLParseError, URLPolicy

CASES = [text for texts in INWARD.values() for text in texts]
POLICIES = {
    "public_link": URLPolicy.public_link(),
    "webhook": URLPolicy.webhook(),
    "image": URLPolicy.image(),
}


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("text", CASES)
def test_no_published_bypass_is_allowed(text: str, name: str) -> None:
    """By any of the policies for what strangers write; or it is no URL at all."""
    policy = POLICIES[name]
    try:
        record = weburl.parse(text)
    except URLParseError:
        return
    assert not policy.allows(record)
    assert policy.check(record)
    assert not policy.allows(record, written=text)


def test_most_of_them_are_urls() -> None:
    """The rest is refused before a policy is asked; and no case got lost."""
    assert len(CASES) == COUNT
    assert sum(map(weburl.can_parse, CASES)) == COUNT - 1


@pytest.mark.parametrize("text", OUTWARD)
def test_what_is_public_is_allowed(text: str) -> None:
    """A policy that refused everything would pass the other tests."""
    assert POLICIES["public_link"].check(weburl.parse(text)) == ()


@pytest.mark.parametrize(
    "text", [text for kind in ("loopback", "private networks") for text in INWARD[kind]]
)
def test_a_dot_at_the_end_opens_no_hole(text: str) -> None:
    """The same host with one dot more, and with two."""
    record = weburl.parse(text)
    for dots in (".", ".."):
        try:
            dotted = record.with_hostname(f"{record.host}{dots}")
        except URLParseError:
            continue
        assert not POLICIES["public_link"].allows(dotted)
