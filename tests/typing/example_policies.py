"""What type checkers make of policies and readings. Checked, never run."""

from __future__ import annotations

import ipaddress
from typing import assert_type

from django.http import HttpRequest

import weburl
from django_whatwg_url.redirects import request_url, safe_redirect_url
from weburl import PolicyViolation, Reading, Readings, URLPolicy, URLRecord


def policies(record: URLRecord) -> None:
    """Make policies of lists of any kind, ask them about records, make them narrower."""
    policy = URLPolicy(schemes=["https"], ports={443, 80}, address_classes=["global"])
    assert_type(policy.schemes, tuple[str, ...] | None)
    assert_type(policy.allows(record), bool)
    assert_type(policy.check(record, written="x"), tuple[PolicyViolation, ...])
    assert_type(policy.parse("https://example.com"), URLRecord)
    assert_type(policy & URLPolicy.webhook(), URLPolicy)
    assert_type(policy.narrowed(hosts=["example.com"]).replaced(ports=None), URLPolicy)
    URLPolicy(scheme="https")  # type: ignore[call-arg]
    URLPolicy(address_classes=["public"])  # type: ignore[list-item]
    policy.narrowed(port=[80])  # type: ignore[call-arg]
    assert_type(policy.allows("https://example.com"), bool)
    policy.allows(b"https://example.com")  # type: ignore[arg-type]


def addresses(policy: URLPolicy) -> None:
    """Text, hosts and the standard library's addresses."""
    found = weburl.check_addresses(policy, ["::1", ipaddress.IPv4Address(1), weburl.IPv4Address(1)])
    assert_type(found, tuple[PolicyViolation, ...])
    weburl.check_addresses(policy, [5])  # type: ignore[list-item]


def reading() -> None:
    """All readings, or one by its name."""
    found = weburl.readings("https://example.com")
    assert_type(found, Readings)
    assert_type(found["httpx"], Reading)
    assert_type(found.standard.port, int | None)
    assert_type(found.agree, bool)


def redirecting(request: HttpRequest) -> None:
    """Get a record or None; the parameter of a query may be missing."""
    assert_type(safe_redirect_url(request, request.GET.get("next")), URLRecord | None)
    assert_type(request_url(request), URLRecord)
