"""Rules about hosts: what Chromium lets through, refuses, and encodes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote

import weburl
from tests.browser.readings import Case, Reading
from tests.browser.rule import Rule
from tests.browser.scheme_rules import OPAQUE
from tests.browser.texts import Text, mapped

# Stand for what our parser would refuse.
_SPACE: Final = "zq8space8qz"
_MAPPED_SPACE: Final = "zq8mapped8qz"
_PERCENT: Final = "zq8percent8qz"
_SPACE_RTL: Final = "0918273645"
_PREFIX: Final = "zq8xn8qz"
_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
_PUNYCODE: Final = re.compile(r"(?<![^.])xn--[^.]*[^.\x00-\x7f]", re.IGNORECASE)
_IPV4_IN_IPV6: Final = re.compile(
    r"(\[.*:)([0-9a-fx]+(?:\.[0-9a-fx]+){3})\]", re.ASCII | re.IGNORECASE
)
_REFUSED: Final = re.compile(r"[^ -~]|[%#/:<>?@\[\\\]^|]")
_FORBIDDEN: Final = frozenset(b"\0\t\n\r #/:<>?@[\\]^|")


class StarInHost(Rule):
    """`*` in a host is percent-encoded."""

    name = "star-in-host"
    example = Case("https://*.example.com/")

    def writes(self, text: Text, reading: Reading) -> Reading:
        if not reading.is_special or "*" not in reading.hostname:
            return reading
        return _with_labels(reading, lambda text: text.replace("*", "%2A"))


class SpaceInHost(Rule):
    """A host may contain spaces, which are percent-encoded."""

    name = "space-in-host"
    example = Case("https://exa mple.com/")

    def reads(self, text: Text) -> Text:
        domain = text.domain
        if " " not in domain:
            return text
        found = domain.replace(" ", _SPACE_RTL if _RTL.search(domain) else _SPACE)
        if domain.isascii():
            found = re.sub(r"(?<![^.])xn--", _PREFIX, found, flags=re.IGNORECASE)
        return text.with_host(_escaped(found))

    def writes(self, text: Text, reading: Reading) -> Reading:
        if not any(mark in reading.hostname for mark in (_SPACE, _SPACE_RTL, _PREFIX)):
            return reading
        return _with_labels(reading, _with_spaces)


def _with_spaces(label: str) -> str:
    label = label.replace(_SPACE, "%20").replace(_SPACE_RTL, "%20")
    return label.replace(_PREFIX, "xn--")


class MappedSpaceInHost(Rule):
    """A host may contain characters that are mapped to spaces, unless it is right-to-left."""

    name = "mapped-space-in-host"
    example = Case("https://exa\u3000mple.com/")

    def reads(self, text: Text) -> Text:
        domain = text.domain
        if domain.isascii() or _RTL.search(domain) or _PUNYCODE.search(domain):
            return text
        found = "".join(
            _MAPPED_SPACE if not character.isascii() and mapped(character) == " " else character
            for character in domain
        )
        return text if found == domain else text.with_host(_escaped(found))

    def writes(self, text: Text, reading: Reading) -> Reading:
        if _MAPPED_SPACE not in reading.hostname:
            return reading
        # Into Punycode as spaces, and encoded after that.
        found = _with_labels(reading, lambda label: label.replace(_MAPPED_SPACE, " "))
        hostname = found.hostname.replace(" ", "%20")
        return found.having(hostname=hostname, origin=found.origin.replace(" ", "%20"))


def _escaped(domain: str) -> str:
    """Return what our parser decodes to a domain, and does not end before its end."""
    return re.sub(r"[%/\\?#@:]", lambda found: f"%{ord(found[0]):02X}", domain)


def _with_labels(reading: Reading, change: Callable[[str], str]) -> Reading:
    """Return the reading with changed labels, which go into Punycode as they then are."""
    hostname = ".".join(_changed(label, change) for label in reading.hostname.split("."))
    origin = reading.origin.replace(reading.hostname, hostname)
    return reading.having(hostname=hostname, origin=origin)


def _changed(label: str, change: Callable[[str], str]) -> str:
    if not label.startswith("xn--"):
        return change(label)
    try:
        text = label[4:].encode().decode("punycode")
    except UnicodeError:  # ASCII that looks like it
        return change(label)
    changed = change(text)
    return label if changed == text else "xn--" + changed.encode("punycode").decode()


class MappedPercentInHost(Rule):
    """A percent sign that the mapping of a host produces is decoded too, as the last step."""

    name = "mapped-percent-sign-in-host"
    example = Case("https://\uff0541.example/")

    def reads(self, text: Text) -> Text:
        domain = text.domain
        if domain.isascii():
            return text
        found = re.sub("[\uff05\ufe6a]", _PERCENT, domain)
        return text if found == domain else text.with_host(_escaped(found))

    def refuses(self, text: Text, reading: Reading) -> bool:
        if _PERCENT not in reading.hostname:
            return False
        return _REFUSED.search(self._decoded(reading).hostname) is not None

    def writes(self, text: Text, reading: Reading) -> Reading:
        if _PERCENT not in reading.hostname:
            return reading
        found = self._decoded(reading)
        hostname = found.hostname.replace(" ", "%20").replace("*", "%2A")
        origin = found.origin.replace(found.hostname, hostname)
        return found.having(hostname=hostname, origin=origin)

    def _decoded(self, reading: Reading) -> Reading:
        found = _with_labels(reading, lambda label: label.replace(_PERCENT, "%"))
        hostname = unquote(found.hostname).lower()
        return found.having(
            hostname=hostname, origin=found.origin.replace(found.hostname, hostname)
        )


class IPv6Decoded(Rule):
    """An IPv6 address may be percent-encoded, and is mapped like a domain."""

    name = "IPv6-address-decoded"
    example = Case("https://[%3A:1]/")

    def reads(self, text: Text) -> Text:
        domain = mapped(text.domain)
        return text.with_host(domain) if domain.startswith("[") else text


class NumbersInIPv6(Rule):
    """The IPv4 address in an IPv6 address may have octal and hexadecimal numbers."""

    name = "IPv4-numbers-in-IPv6-address"
    example = Case("https://[::127.0.0x0.01]/")

    def reads(self, text: Text) -> Text:
        found = _IPV4_IN_IPV6.fullmatch(text.domain)
        if found is None or not weburl.can_parse(f"http://{found[2]}"):
            return text
        return text.with_host(f"{found[1]}{weburl.parse(f'http://{found[2]}').host}]")


class SignBeforeComposition(Rule):
    """`<` and `>` are refused in a host even if they become `≮` and `≯`."""

    name = "less-than-in-host"
    example = Case("https://a<\u0338b/")

    def refuses(self, text: Text, reading: Reading) -> bool:
        return not set(mapped(text.domain)).isdisjoint("<>")


class NewerUnicode(Rule):
    """A host may not contain characters of a newer Unicode version than Chromium's."""

    name = "newer-Unicode"
    example = Case("https://\U0003e8ac/")

    def refuses(self, text: Text, reading: Reading) -> bool:
        domain, shown = text.domain, ""
        if domain.isascii():
            return False
        if "xn--" in reading.hostname:
            host = weburl.parse(f"https://{reading.hostname}").host
            shown = host.to_unicode() if isinstance(host, weburl.Domain) else ""
        return any(ord(character) in text.unassigned for character in domain + shown)


class LowByteInHost(Rule):
    """An opaque host is refused if the low byte of a code unit is a forbidden character."""

    name = "low-byte-in-host"
    example = Case("foo://a\u0120b/")

    def refuses(self, text: Text, reading: Reading) -> bool:
        if text.is_special or text.scheme in OPAQUE or not text.prefix:
            return False
        return any(
            not character.isascii()
            and character.encode("utf-16-be", "surrogatepass")[1] in _FORBIDDEN
            for character in text.host
        )
