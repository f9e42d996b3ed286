"""The violations of a policy: a code, a sentence, and the part of the URL."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import attrs

from weburl.standard.infra.one_value import FrozenValue

Part: TypeAlias = Literal["url", "scheme", "credentials", "host", "port", "fragment"]

SCHEME_NOT_ALLOWED: Final = "scheme-not-allowed"
TOO_LONG: Final = "too-long"
CREDENTIALS_NOT_ALLOWED: Final = "credentials-not-allowed"
LEADING_HYPHEN: Final = "leading-hyphen"
FRAGMENT_NOT_ALLOWED: Final = "fragment-not-allowed"
NO_HOST: Final = "no-host"
HOST_NOT_UNDERSTOOD: Final = "host-not-understood"
HOST_NOT_ALLOWED: Final = "host-not-allowed"
HOST_REFUSED: Final = "host-refused"
IP_HOST: Final = "ip-host"
ADDRESS_NOT_ALLOWED: Final = "address-not-allowed"
SINGLE_LABEL: Final = "single-label"
SPECIAL_USE_NAME: Final = "special-use-name"
PUBLIC_SUFFIX: Final = "public-suffix"
UNKNOWN_SUFFIX: Final = "unknown-suffix"
UNRESOLVABLE_NAME: Final = "unresolvable-name"
LOOK_ALIKE: Final = "look-alike"
PORT_NOT_ALLOWED: Final = "port-not-allowed"
READERS_DISAGREE: Final = "readers-disagree"
NO_ADDRESS: Final = "no-address"
NO_PATTERN_MATCHES: Final = "no-pattern-matches"

_SENTENCES: Final[dict[str, tuple[Part, str]]] = {
    SCHEME_NOT_ALLOWED: ("scheme", "The scheme {culprit!r} is not allowed, only: {allowed}."),
    TOO_LONG: ("url", "The URL has {culprit} characters, and at most {allowed} are allowed."),
    CREDENTIALS_NOT_ALLOWED: ("credentials", "The URL contains a username or a password."),
    LEADING_HYPHEN: ("host", "The host or the username begins with a hyphen."),
    FRAGMENT_NOT_ALLOWED: ("fragment", "The URL contains a fragment."),
    NO_HOST: ("host", "The URL has no host, and the policy requires one."),
    HOST_NOT_UNDERSTOOD: (
        "host",
        "The host {culprit!r} is not a domain or an address: only its scheme defines its meaning.",
    ),
    HOST_NOT_ALLOWED: ("host", "The host {culprit!r} is not allowed, only: {allowed}."),
    HOST_REFUSED: ("host", "The host {culprit!r} is one of those that are refused."),
    IP_HOST: ("host", "The host {culprit!r} is an IP address, not a name."),
    ADDRESS_NOT_ALLOWED: (
        "host",
        (
            "The host {culprit!r} is an address of a kind that is not allowed ({kinds}), only: "
            "{allowed}."
        ),
    ),
    SINGLE_LABEL: ("host", "The host {culprit!r} has no dot, so it is a name in a local network."),
    SPECIAL_USE_NAME: (
        "host",
        "The host {culprit!r} is a name for special use, not a name on the public Internet.",
    ),
    PUBLIC_SUFFIX: ("host", "The host {culprit!r} is a suffix under which names are registered."),
    UNKNOWN_SUFFIX: ("host", "The host {culprit!r} does not end in a known public suffix."),
    UNRESOLVABLE_NAME: (
        "host",
        (
            "The host {culprit!r} cannot be resolved: it is longer than 253 characters, or a part "
            "between its dots is empty or longer than 63."
        ),
    ),
    LOOK_ALIKE: ("host", "The host {culprit!r} may be taken for {allowed!r}."),
    PORT_NOT_ALLOWED: ("port", "The port {culprit} is not allowed, only: {allowed}."),
    READERS_DISAGREE: (
        "url",
        "Programs do not agree on where the URL leads: {culprit}.",
    ),
    NO_ADDRESS: ("host", "The name has no address."),
    NO_PATTERN_MATCHES: ("url", "The URL matches none of these patterns: {allowed}."),
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
