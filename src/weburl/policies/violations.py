"""The violations of a policy: a code, a sentence, and the part of the URL."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import attrs

from weburl.standard.infra.one_value import FrozenValue

Part: TypeAlias = Literal["url", "scheme", "credentials", "host", "port", "fragment"]

_SENTENCES: Final[dict[str, tuple[Part, str]]] = {
    "scheme-not-allowed": ("scheme", "The scheme {culprit!r} is not allowed, only: {allowed}."),
    "too-long": ("url", "The URL has {culprit} characters, and at most {allowed} are allowed."),
    "credentials-not-allowed": ("credentials", "The URL contains a username or a password."),
    "leading-hyphen": ("host", "The host or the username begins with a hyphen."),
    "fragment-not-allowed": ("fragment", "The URL contains a fragment."),
    "no-host": ("host", "The URL has no host, and the policy requires one."),
    "host-not-understood": (
        "host",
        "The host {culprit!r} is not a domain or an address: only its scheme defines its meaning.",
    ),
    "host-not-allowed": ("host", "The host {culprit!r} is not allowed, only: {allowed}."),
    "host-refused": ("host", "The host {culprit!r} is one of those that are refused."),
    "ip-host": ("host", "The host {culprit!r} is an IP address, not a name."),
    "address-not-allowed": (
        "host",
        (
            "The host {culprit!r} is an address of a kind that is not allowed ({kinds}), only: "
            "{allowed}."
        ),
    ),
    "single-label": (
        "host",
        "The host {culprit!r} has no dot, so it is a name in a local network.",
    ),
    "special-use-name": (
        "host",
        "The host {culprit!r} is a name for special use, not a name on the public Internet.",
    ),
    "public-suffix": ("host", "The host {culprit!r} is a suffix under which names are registered."),
    "unknown-suffix": ("host", "The host {culprit!r} does not end in a known public suffix."),
    "unresolvable-name": (
        "host",
        (
            "The host {culprit!r} cannot be resolved: it is longer than 253 characters, or a part "
            "between its dots is empty or longer than 63."
        ),
    ),
    "look-alike": ("host", "The host {culprit!r} may be taken for {allowed!r}."),
    "port-not-allowed": ("port", "The port {culprit} is not allowed, only: {allowed}."),
    "readers-disagree": (
        "url",
        "Programs do not agree on where the URL leads: {culprit}.",
    ),
    "no-address": ("host", "The name has no address."),
    "no-pattern-matches": ("url", "The URL matches none of these patterns: {allowed}."),
}

CODES: Final = tuple(_SENTENCES)
"""Every code that a violation may have."""


@attrs.frozen
class PolicyViolation(FrozenValue):
    """One violation of a policy by a URL.

    ``code``: which rule; a name with hyphens, which does not change between versions. ``part``: the
    part of the URL: "url" for the whole, "scheme", "credentials", "host", "port" or "fragment".
    ``culprit``: that part as text, shortened; never a username or a password. ``allowed``: what
    would be allowed instead, or "". ``kinds``: the classes of an address, or "". ``message``: a
    sentence in English.
    """

    __module__ = "weburl"

    code: str
    culprit: str = ""
    allowed: str = ""
    kinds: str = ""

    @property
    def part(self) -> Part:
        """The part of the URL that breaks the rule."""
        return _SENTENCES[self.code][0]

    @property
    def message(self) -> str:
        """What is wrong, as a sentence in English."""
        return _SENTENCES[self.code][1].format(
            culprit=self.culprit, allowed=self.allowed, kinds=self.kinds
        )

    def __str__(self) -> str:
        return self.message


class URLPolicyError(ValueError):
    """Raised if a policy refuses a URL. ``violations``: why, one or more `PolicyViolation`."""

    __module__ = "weburl"

    def __init__(self, violations: tuple[PolicyViolation, ...]) -> None:
        super().__init__(violations)
        self.violations = violations

    def __str__(self) -> str:
        return " ".join(violation.message for violation in self.violations)
