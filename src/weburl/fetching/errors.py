"""The exception of every client here, and why a fetch may be refused."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, TypeVar

from weburl.policies.addresses import AddressClass
from weburl.policies.violations import PolicyViolation

NOT_A_URL: Final = "not-a-url"
READ_DIFFERENTLY: Final = "read-differently"
BAD_LOCATION: Final = "bad-location"
TOO_MANY_REDIRECTS: Final = "too-many-redirects"
TOO_SLOW: Final = "too-slow"
TOO_MANY_HEADERS: Final = "too-many-headers"
HEADERS_TOO_LONG: Final = "headers-too-long"
BODY_TOO_LONG: Final = "body-too-long"
UNPACKED_TOO_LONG: Final = "unpacked-too-long"
ENCODING_NOT_BOUNDED: Final = "encoding-not-bounded"
BODY_DAMAGED: Final = "body-damaged"
PROXY_NOT_ALLOWED: Final = "proxy-not-allowed"

_SENTENCES: Final = {
    NOT_A_URL: "It is not a URL by the URL Standard.",
    READ_DIFFERENTLY: "The client and the URL Standard do not read the same scheme, host and port.",
    BAD_LOCATION: "The header Location of the answer is not a URL that the client can read.",
    TOO_MANY_REDIRECTS: "There are too many redirects.",
    TOO_SLOW: "The answer takes too long.",
    TOO_MANY_HEADERS: "The answer has too many headers.",
    HEADERS_TOO_LONG: "The headers of the answer are too long.",
    BODY_TOO_LONG: "The body is too long.",
    UNPACKED_TOO_LONG: "The body is too long when it is unpacked.",
    ENCODING_NOT_BOUNDED: "The body is compressed in a way whose size cannot be bounded here.",
    BODY_DAMAGED: "The body is not compressed in the way that its headers say.",
    PROXY_NOT_ALLOWED: "A proxy would resolve the name itself.",
}


_E = TypeVar("_E", bound="URLFetchError")


class URLFetchError(Exception):
    """Raised if a fetch is refused or stopped.

    Each client's module has a subclass that also belongs to the client's own exceptions.

    ``code``: why. If a policy refuses a URL or an address, this is the code of the first violation.
    Otherwise it is one of "not-a-url", "read-differently", "bad-location",
    "too-many-redirects", "too-slow", "too-many-headers", "headers-too-long", "body-too-long",
    "unpacked-too-long", "encoding-not-bounded", "body-damaged" and "proxy-not-allowed".

    ``violations``: the result of the policy: one or more `PolicyViolation`, or none.
    ``hop``: 1 for the first request, 2 after one redirect, and so on.
    ``origin``: the scheme, host and port that were requested, or "" if there is no URL.
    ``address_classes``: of the addresses that the policy refused, such as "loopback".

    No username, password, path, header or body is in the message or the attributes.
    """

    __module__ = "weburl.fetching"

    def __init__(
        self,
        code: str,
        *,
        violations: tuple[PolicyViolation, ...] = (),
        hop: int = 1,
        origin: str = "",
        address_classes: frozenset[AddressClass] = frozenset(),
    ) -> None:
        self.code = code
        self.violations = violations
        self.hop = hop
        self.origin = origin
        self.address_classes = address_classes
        super().__init__(str(self))

    def __str__(self) -> str:
        sentences = [violation.message for violation in self.violations]
        where = f"request {self.hop} to {self.origin}" if self.origin else f"request {self.hop}"
        return f"{where}: {' '.join(sentences) or _SENTENCES[self.code]}"

    def __reduce__(self) -> tuple[Any, ...]:
        return self.remade_as(type(self)), (self.code,)

    def remade_as(self, kind: type[_E]) -> partial[_E]:
        """Return a function that makes the same error of another class from the code."""
        return partial(
            kind,
            violations=self.violations,
            hop=self.hop,
            origin=self.origin,
            address_classes=self.address_classes,
        )
