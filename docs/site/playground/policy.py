"""A Content Security Policy for a page that Sphinx has built.

The theme puts a script, a style sheet and style attributes into the page. The policy allows only
these, by their hashes, and files of the site.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

_BEFORE: Final = '<meta charset="utf-8">'


def add(page: Path) -> None:
    """Put a policy into the head of a built page, before everything that it applies to."""
    text = page.read_text(encoding="utf-8")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(text)}">'
    if text.count(_BEFORE) != 1:
        raise ValueError(f"{page.name} does not have {_BEFORE} once")
    page.write_text(text.replace(_BEFORE, _BEFORE + meta), encoding="utf-8")


def policy(text: str) -> str:
    """Return the policy, which allows what is inside the page's HTML and files of the site."""
    found = _Inside()
    found.feed(text)
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' {_hashes(found.scripts)}",
            f"style-src 'self' 'unsafe-hashes' {_hashes([*found.styles, *found.attributes])}",
            "img-src 'self' data:",
            "form-action 'self'",
            "base-uri 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )


def _hashes(texts: Iterable[str]) -> str:
    digests = {hashlib.sha256(text.encode()).digest() for text in texts}
    return " ".join(sorted(f"'sha256-{b64encode(digest).decode()}'" for digest in digests))


class _Inside(HTMLParser):
    """The scripts, style sheets and style attributes inside a page."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.attributes: list[str] = []
        self._into: list[str] | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Take the attribute, and the beginning of a script or a style sheet."""
        values = dict(attributes)
        if (style := values.get("style")) is not None:
            self.attributes.append(style)
        if tag == "script" and "src" not in values:
            self._into = self.scripts
        elif tag == "style":
            self._into = self.styles
        if self._into is not None:
            self._into.append("")

    def handle_endtag(self, tag: str) -> None:
        """Leave the script or the style sheet."""
        if tag in {"script", "style"}:
            self._into = None

    def handle_data(self, data: str) -> None:
        """Take text, which may come in pieces."""
        if self._into is not None:
            self._into[-1] += data
