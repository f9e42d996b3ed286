"""Rules about the schemes that Chromium alone knows."""

from __future__ import annotations

import re
from typing import Final

import attrs

from tests.browser.readings import Case, Reading
from tests.browser.rule import Rule
from tests.browser.texts import Text

STANDARD: Final = frozenset(
    ("chrome", "chrome-distiller", "chrome-extension", "chrome-native", "chrome-search",
     "chrome-untrusted", "devtools", "isolated-app")
)  # fmt: skip
"""Schemes of Chromium's own that it reads as special ones, but for userinfo and port."""

OPAQUE: Final = frozenset(("android", "chromeos-steam", "drivefs", "materialized-view", "steam"))
"""Schemes behind which it reads an opaque path, even behind two slashes."""

# Stand for what our parser would read in a way of its own.
_OPAQUE_PATH: Final = "zq8opaque8qz"
_STAND_IN: Final = "wss"


class OwnOpaqueScheme(Rule):
    """`android:`, `steam:` and others have opaque paths."""

    name = "own-opaque-scheme"
    example = Case("steam://run/1")

    def reads(self, text: Text) -> Text:
        if text.scheme not in OPAQUE:
            return text
        if text.prefix:
            return text.changed(_OPAQUE_PATH + text.rest)
        if text.base is None or text.input.startswith("//"):
            return text
        if text.input == "":
            return attrs.evolve(
                text, input=text.base.replace(":", f":{_OPAQUE_PATH}", 1), base=None
            )
        return attrs.evolve(text, base=re.sub(r"^([^:]*:)(?=//)", r"\1/.", text.base))

    def writes(self, text: Text, reading: Reading) -> Reading:
        if not reading.pathname.startswith(_OPAQUE_PATH):
            return reading
        pathname = reading.pathname.removeprefix(_OPAQUE_PATH)
        href = reading.href.replace(_OPAQUE_PATH, "", 1)
        return attrs.evolve(reading, href=href, pathname=pathname)


class OwnStandardScheme(Rule):
    """`chrome:`, `chrome-extension:` and others are parsed like `https:`, without a port."""

    name = "own-special-scheme"
    example = Case("chrome-extension:A:80")

    def reads(self, text: Text) -> Text:
        if text.scheme not in STANDARD:
            return text
        base = text.base and _STAND_IN + text.base[len(text.scheme) :]
        own = f"{_STAND_IN}:{text.rest}" if text.prefix else text.input
        text = attrs.evolve(text, input=own, base=base)
        (start, end), host = text.authority(), text.host
        if start == end:
            return text
        host = host or "["  # No host is one too few, whatever comes behind it.
        host = host if host.startswith("[") else host.replace(":", "%3A")
        return text.changed(text.rest[:start] + host + text.rest[end:])

    def writes(self, text: Text, reading: Reading) -> Reading:
        if text.scheme not in STANDARD:
            return reading
        origin = f"{text.scheme}://{reading.host}" if text.scheme != "chrome-native" else "null"
        return reading.having(protocol=f"{text.scheme}:", origin=origin)
