"""Rules about `file:` URLs, which Chromium reads for the system that it runs on."""

from __future__ import annotations

import re
from typing import Final

import attrs

from tests.browser.readings import Case, Reading, ours
from tests.browser.rule import Rule
from tests.browser.texts import Text

# Stand for what our parser would read as something special.
_COLON: Final = "zq8colon8qz"
_LOCALHOST: Final = "zq8local8qz"


class OriginOfFile(Rule):
    """The origin of a `file:` URL is `file://`, not `null`."""

    name = "origin-of-file"
    example = Case("file:///a")

    def writes(self, text: Text, reading: Reading) -> Reading:
        return attrs.evolve(reading, origin="file://") if reading.protocol == "file:" else reading


class LocalhostOfFile(Rule):
    """`localhost` stays the host of a `file:` URL."""

    name = "localhost-of-file"
    example = Case("file://localhost/a")

    def reads(self, text: Text) -> Text:
        if text.scheme != "file":
            return text
        if text.base is not None:
            base = re.sub(r"^file://localhost(?=/)", f"file://{_LOCALHOST}", text.base)
            text = attrs.evolve(text, base=base)
        is_plain = bool(text.host) and set(text.host).isdisjoint(":@?#")
        found = ours(Case(f"http://{text.host}/")) if is_plain else None
        is_localhost = found is not None and found.host == "localhost"
        return text.with_host(_LOCALHOST) if is_localhost else text

    def writes(self, text: Text, reading: Reading) -> Reading:
        if reading.hostname != _LOCALHOST:
            return reading
        # But not in small letters, in front of what would be a drive.
        is_drive = text.host == "localhost" and re.match("/[A-Za-z](:|%7C)", reading.pathname)
        origin = reading.origin.replace(_LOCALHOST, "localhost")
        return reading.having(hostname="" if is_drive else "localhost", origin=origin)


class SlashesOfFile(Rule):
    """More than three slashes after `file:` become three."""

    name = "slashes-of-file"
    example = Case("file:////a")

    def reads(self, text: Text) -> Text:
        bare = text.rest.lstrip("/\\")
        if text.scheme != "file" or len(text.rest) - len(bare) < 4:
            return text
        return text.changed(f"///{bare}")


class HostOfFile(Rule):
    """`?` and `#` do not end the host of a `file:` URL, so a URL with them is refused."""

    name = "host-of-file"
    example = Case("file://a?b")

    def refuses(self, text: Text, reading: Reading) -> bool:
        return text.scheme == "file" and not set(text.host).isdisjoint("?#")


class DriveLetter(Rule):
    """Drive letters mean nothing (on systems other than Windows)."""

    name = "drive-letter"
    example = Case("file:///C|/a/../..")

    def reads(self, text: Text) -> Text:
        if text.scheme != "file":
            return text
        text = text.with_path(_without_drive(text.path))
        if text.base is None:
            return text
        base = Text(text.base, None)
        return attrs.evolve(text, base=base.with_path(_without_drive(base.path)).input)

    def refuses(self, text: Text, reading: Reading) -> bool:
        return text.scheme == "file" and re.fullmatch("[A-Za-z][:|]", text.host) is not None

    def writes(self, text: Text, reading: Reading) -> Reading:
        if _COLON not in reading.pathname:
            return reading
        return reading.having(pathname=reading.pathname.replace(_COLON, ":"))


def _without_drive(path: str) -> str:
    return re.sub(r"(?<![^/\\])([A-Za-z]):(?![^/\\])", rf"\1{_COLON}", path).replace("|", "%7C")


class PathOfTwoSlashesOfFile(Rule):
    """`/.` is added before a path of two slashes if the base is a `file:` URL without a host."""

    name = "path-of-two-slashes-of-file"
    example = Case("/.//a", "file:///b")

    def writes(self, text: Text, reading: Reading) -> Reading:
        is_found = text.scheme == "file" and text.base is not None and text.input[:1] not in "?#"
        has_opened = len(text.rest) - len(text.rest.lstrip("/\\")) > 1
        if not is_found or has_opened or reading.host or not reading.pathname.startswith("//"):
            return reading
        return attrs.evolve(reading, href=reading.href.replace("file://", "file:///.", 1))
