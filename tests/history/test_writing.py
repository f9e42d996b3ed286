"""The grammars of 2020 and 2024, against today's with what has changed since taken back.

The second formulation is the regular expressions of `tests.standard.url.test_writing`, today's
grammar: the productions that were others are written anew here, and the rest is taken from there.
"""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from tests.history.changes_undone import domain_to_ascii
from tests.standard.url import test_writing as now
from weburl.history import url_standard_2020, url_standard_2024
from weburl.history.errors import LegacyURLError
from weburl.history.idna_editions import UNICODE_15_1
from weburl.history.writing import GRAMMAR_2020, GRAMMAR_2024, base_kind

# A path-absolute-URL string is one slash and a path-relative-URL string, which begins with none.
PATH_ABSOLUTE: Final = f"/(?!/){now.PATH_RELATIVE_URL_STRING}"
NOT_WINDOWS: Final = f"(?!/[A-Za-z][:|]/){PATH_ABSOLUTE}"
# Leading zeros.
IPV6: Final = now.VALID_IPV6_ADDRESS_STRING.replace(now.VALID_IPV6_PIECE_STRING, "[0-9A-Fa-f]{1,4}")
DIGITS_TO_255: Final = "(?:[0-9]{1,2}|[01][0-9][0-9]|2[0-4][0-9]|25[0-5])"
SPECIAL: Final = "(?ai:https?|wss?|ftp)"


class Productions:
    """The regular expressions of one year."""

    def __init__(self, ipv4: str, port: str, opaque_host: str) -> None:
        host = rf"(?:\[{IPV6}\]|{ipv4}(?![^:/?#])|(?P<domain>[^:/?#\[\]\\@]+))"
        host_and_port = f"(?:|(?:\\[{IPV6}\\]|{opaque_host}+)(?::{port})?)"
        special = f"//{host}(?::{port})?(?:{PATH_ABSOLUTE})?"
        other = f"//{host_and_port}(?:{PATH_ABSOLUTE})?"
        file = f"//(?:{host}(?:{NOT_WINDOWS})?)"
        scheme_less = now.PATH_RELATIVE_SCHEME_LESS_URL_STRING
        self.relative = {
            "special": [special, PATH_ABSOLUTE, scheme_less],
            "file": [file, f"//{PATH_ABSOLUTE}", PATH_ABSOLUTE, scheme_less],
            "file+": [file, f"//{PATH_ABSOLUTE}", NOT_WINDOWS, scheme_less],
            "other": [other, PATH_ABSOLUTE, scheme_less],
        }
        self.absolute = [
            f"{SPECIAL}:{special}",
            *(
                f"(?!(?:{SPECIAL}|(?ai:file)):){now.URL_SCHEME_STRING}:{rest}"
                for rest in self.relative["other"]
            ),
            f"(?ai:file):{file}",
            f"(?ai:file)://{PATH_ABSOLUTE}",
        ]

    def match(self, text: str, base: str | None) -> list[str | None]:
        """Return the domain in each way to read ``text``, None where there is none."""
        strings = self.absolute + ([] if base is None else self.relative[base])
        found = (
            re.fullmatch(
                rf"(?:{string})(?:\?{now.URL_QUERY_STRING})?(?:#{now.URL_FRAGMENT_STRING})?", text
            )
            for string in strings
        )
        return [match.groupdict().get("domain") for match in found if match is not None]


PRODUCTIONS_2020: Final = Productions(
    rf"(?:{DIGITS_TO_255}(?:\.{DIGITS_TO_255}){{3}})", "[0-9]*", now._url_units_without("")
)
PRODUCTIONS_2024: Final = Productions(
    now.VALID_IPV4_ADDRESS_STRING, now.URL_PORT_STRING, now._url_units_without("/:?@")
)


def _is_valid_domain(domain: str, ascii_domain: str | None) -> bool:
    """Take the steps of a valid domain: letters, digits and hyphens, and the lengths of DNS."""
    if ascii_domain is None or re.search("[\u2260\u226e\u226f]", domain):
        return False
    labels = ascii_domain.split(".")
    return len(ascii_domain) <= 253 and all(
        re.fullmatch("[a-z0-9-]{1,63}", label) is not None for label in labels
    )


def is_valid_2020(text: str, base: str | None) -> bool:
    """Return whether ``text`` is a valid URL string of 2020 by the second formulation."""
    return any(
        domain is None or _is_valid_domain(domain, domain_to_ascii(domain))
        for domain in PRODUCTIONS_2020.match(text, base)
    )


def is_valid_2024(text: str, base: str | None) -> bool:
    """Return whether ``text`` is a valid URL string of 2024 by the second formulation."""
    return any(
        domain is None or _is_valid_domain(domain, UNICODE_15_1.to_ascii(domain))
        for domain in PRODUCTIONS_2024.match(text, base)
    )


_PIECES: Final = st.lists(
    st.sampled_from(
        ["http:", "https:", "file:", "foo:", "urn:", "//", "/", "a", "-a", "h", "C:", "c|", "..",
         "%2e", "?", "#", ":", "80", "65536", "000", "127.0.0.01", "[::1]", "[::01]", "[1::2:3]",
         "\u00e9", "\u1e9e", "@", "<", "_", ".", "256", "\u2260", "[", "|", " "]
    ),
    max_size=8,
).map("".join)  # fmt: skip
_TEXTS: Final = st.one_of(
    _PIECES, _PIECES.map("http://".__add__), strategies.valid_url_texts, strategies.url_texts
)
# Surrogates are no scalar values, and whether Punycode reads back is no matter of expressions.
_NOT_COMPARED: Final = re.compile("[\ud800-\udfff]|xn--", re.IGNORECASE)
_BASES: Final = st.sampled_from([None, "special", "file", "file+", "other"])


@given(_TEXTS, _BASES)
@example("http://h//a", None)
@example("foo:////a", None)
def test_the_grammar_of_2020_is_todays_with_the_changes_undone(text: str, base: str | None) -> None:
    """Each production as that document has it."""
    if not _NOT_COMPARED.search(text):
        assert GRAMMAR_2020.is_valid_url_string(text, base) is is_valid_2020(text, base)


@given(_TEXTS, _BASES)
def test_the_grammar_of_2024_is_todays_with_the_changes_undone(text: str, base: str | None) -> None:
    """Each production as that document has it."""
    if not _NOT_COMPARED.search(text):
        assert GRAMMAR_2024.is_valid_url_string(text, base) is is_valid_2024(text, base)


def test_only_text_is_valid_and_only_urls_are_bases() -> None:
    """As for parsing."""
    standards: list[Any] = [url_standard_2020, url_standard_2024]
    for standard in standards:
        with pytest.raises(TypeError):
            standard.is_valid_url_string(b"a")
        with pytest.raises(TypeError):
            standard.is_valid_url_string("a", 1)
        with pytest.raises(LegacyURLError, match="in the base: "):
            standard.is_valid_url_string("a", "b")
    assert base_kind("wss", "h") == "special"
