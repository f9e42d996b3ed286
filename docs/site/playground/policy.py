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

WORKER: Final = "weburl-worker"
"""The only policy of trusted types: with it the page's script starts its worker."""

_OFFERS: Final = '<div id="searchbox"></div>'
"""Where Sphinx's script offers to hide the words of a search that it has marked. For that it writes
HTML with a link to JavaScript, and the policy forbids both."""

_BEFORE: Final = '<meta charset="utf-8">'


def add(page: Path, *, with_python: bool) -> None:
    """Put a policy into the head of a built page, before everything that it applies to.

    ``with_python`` allows the page to run Python in a worker, and to load files of the site.
    """
    text = page.read_text(encoding="utf-8").replace(_OFFERS, "")
    said = policy(text, with_python=with_python)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{said}">'
    if text.count(_BEFORE) != 1:
        raise ValueError(f"{page.name} does not have {_BEFORE} once")
    page.write_text(text.replace(_BEFORE, _BEFORE + meta), encoding="utf-8")


def policy(text: str, *, with_python: bool) -> str:
    """Return the policy, which allows what is inside the page's HTML and files of the site."""
    found = _Inside()
    found.feed(text)
    wasm = " 'wasm-unsafe-eval'" if with_python else ""
    allowed = WORKER if with_python else "'none'"
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self'{wasm} {_hashes(found.scripts)}",
            # A worker from a blob has the policy of its page; one from a file would have none.
            *(["worker-src 'self' blob:", "connect-src 'self'"] if with_python else []),
            f"style-src 'self' 'unsafe-hashes' {_hashes([*found.styles, *found.attributes])}",
            "img-src 'self' data:",
            "form-action 'self'",
            "base-uri 'none'",
            "require-trusted-types-for 'script'",
            f"trusted-types {allowed}",
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
