"""Tests of `weburl.check_addresses`: what a resolver returned."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest

from weburl import IPv4Address, URLPolicy, check_addresses

WEBHOOK = URLPolicy.webhook()


def codes(policy: URLPolicy, *addresses: Any) -> list[str]:
    """Return the codes of what a policy has against addresses."""
    return [violation.code for violation in check_addresses(policy, addresses)]


def test_addresses_are_judged_one_by_one() -> None:
    """One bad one is enough; that they are addresses is no fault here."""
    assert codes(WEBHOOK, "8.8.8.8", "2606:4700::1111") == []
    assert codes(WEBHOOK, "8.8.8.8", "127.0.0.1") == ["address-not-allowed"]
    assert codes(WEBHOOK, "10.0.0.1", "fe80::1%eth0") == ["address-not-allowed"] * 2
    assert (
        codes(WEBHOOK, ipaddress.ip_address("::1"), IPv4Address(1)) == ["address-not-allowed"] * 2
    )


def test_no_address_at_all_is_a_violation() -> None:
    """So that nobody takes an empty answer for consent."""
    assert codes(WEBHOOK) == ["no-address"]
    assert codes(URLPolicy()) == ["no-address"]


def test_refused_hosts_are_refused_by_their_address_too() -> None:
    """Also within another address."""
    policy = URLPolicy(refused_hosts=["192.0.2.1"])
    assert codes(policy, "192.0.2.1", "::ffff:192.0.2.1") == ["host-refused", "host-refused"]
    assert codes(policy, "192.0.2.2") == []


def test_a_policy_without_rules_about_addresses_allows_any() -> None:
    """It says nothing of them."""
    assert codes(URLPolicy.own_sites("example.com"), "127.0.0.1") == []


@pytest.mark.parametrize(
    ("addresses", "error"),
    [
        ("127.0.0.1", TypeError),
        (["example.com"], ValueError),
        ([5], TypeError),
        ([None], TypeError),
    ],
)
def test_what_is_no_address_is_refused(addresses: Any, error: type[Exception]) -> None:
    """Also one string, whose letters would be taken for addresses."""
    with pytest.raises(error):
        check_addresses(WEBHOOK, addresses)
