"""The contents of the viewer's fields, and the address that shares them with a colleague."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import attrs

from weburl.standard.infra.credentials import masked
from weburl.standard.infra.form_urlencoded import serialize_form_urlencoded
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.viewer.escapes import escaped, needs_escapes, unescaped

LONGEST_ADDRESS: Final = 8000
"""How many characters the query of an address may have."""

_CREDENTIALS: Final = (
    "The address of this page leaves this URL out, because it may contain a password."
)
_TOO_LONG: Final = "The address of this page leaves this URL out, because it is too long."


class Address(NamedTuple):
    """The query of an address that shows a state, or None with the reason in ``note``."""

    query: str | None
    note: str = ""


@attrs.frozen
class State:
    """The content of the fields, and whether backslash escapes in the first two are read.

    Patterns have backslashes of their own, so escapes are never read in ``pattern``.
    """

    url: str = ""
    base: str = ""
    escapes: bool = False
    pattern: str = ""

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, str]]) -> State:
        """Return the state in the pairs of the page's address or form.

        If a name is repeated, its first value counts.
        """
        values = dict(reversed(list(pairs)))
        # Browsers send line feeds of a text field as CR LF.
        url, base, pattern = (
            values.get(name, "").replace("\r\n", "\n") for name in ("url", "base", "pattern")
        )
        escapes = bool(values.get("escapes"))
        return cls(url, base, escapes, to_scalar_value_string(pattern)).writable

    @classmethod
    def showing(cls, url: str, base: str | None, *, escapes: bool, pattern: str = "") -> State:
        """Return a state whose fields mean ``url`` and ``base``."""
        base = base or ""
        if escapes or needs_escapes(url) or needs_escapes(base):
            return cls(escaped(url), escaped(base), escapes=True, pattern=pattern)
        return cls(url, base, pattern=pattern)

    @property
    def texts(self) -> tuple[str, str | None]:
        """The URL and the base, or None for no base."""
        texts = (self.url, self.base)
        url, base = map(unescaped, texts) if self.escapes else texts
        return url, base or None

    @property
    def writable(self) -> State:
        """The same state, with escapes if a field or an address could not contain the text."""
        if not (needs_escapes(self.url) or needs_escapes(self.base)):
            return self
        return State.showing(*self.texts, escapes=True, pattern=self.pattern)

    @property
    def address(self) -> Address:
        """The query of an address that shows this state."""
        url, base = self.texts
        if self not in _OF_EXAMPLES and any(
            text and masked(text) != text for text in (url, base, self.pattern)
        ):
            return Address(None, _CREDENTIALS)
        if len(self.url) + len(self.base) + len(self.pattern) > LONGEST_ADDRESS:
            return Address(None, _TOO_LONG)
        shown = self.writable
        escapes = "1" if shown.escapes else ""
        pairs = [
            ("url", shown.url),
            ("base", shown.base),
            ("pattern", shown.pattern),
            ("escapes", escapes),
        ]
        query = serialize_form_urlencoded([pair for pair in pairs if pair[1]])
        if len(query) > LONGEST_ADDRESS:
            return Address(None, _TOO_LONG)
        return Address(f"?{query}")


EXAMPLES: Final = (
    ("A backslash before @", State("https://user:p%40ss@good.example\\@evil.example:443/a")),
    ("Misleading letters", State("https://раураl.com/login")),
    ("Case, dots and a default port", State("HTTPS://Bücher.example:443/a/../b?q=ä&tag=1#x")),
    ("A number as the host", State("http://0x7f.1/")),
    ("Relative to a base", State("../c?d=e", "https://example.com/a/b/")),
    ("A drive letter", State("file:///C|/a/../..")),
    ("Spaces and a tab", State(" https://example.com/\\ta b\\n ", escapes=True)),
    (
        "A pattern",
        State("https://example.com/users/7?tab=posts", pattern="https://*.example.com/users/:id"),
    ),
    ("Not a URL", State("https://exa mple.com:99999/")),
)
"""What the first page offers to try. Their addresses hide nothing: everybody can read them here."""

_OF_EXAMPLES: Final = frozenset(state for _, state in EXAMPLES)
