"""The texts: real links, the same made hard, and domains in many scripts.

Made the same way each time. Each list holds a text once, so that no cache of whole results helps.
"""

from __future__ import annotations

import os
import re
import unicodedata
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).resolve().parents[1]
CORPUS: Final = ROOT.parent / "shared" / "corpora" / "links-48k.txt"
FALLBACK: Final = ROOT / "docs" / "demo" / "links.txt"
HOSTS: Final = 4_000
"""How many different domains are made."""

_LINK: Final = re.compile(r"([^:/?#]+://)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?\Z", re.DOTALL)

# Where scripts have their letters. With marks and the like left out, any string of one of them is
# a valid label, but for the Arabic and Hebrew ones, whose digits come from elsewhere.
_LETTERS: Final = {
    "Latin": (0xDF, 0x17F),
    "Greek": (0x3AC, 0x3CE),
    "Cyrillic": (0x430, 0x45F),
    "Armenian": (0x561, 0x586),
    "Hebrew": (0x5D0, 0x5EA),
    "Arabic": (0x621, 0x64A),
    "Devanagari": (0x905, 0x939),
    "Bengali": (0x985, 0x9B9),
    "Tamil": (0xB85, 0xBB9),
    "Thai": (0xE01, 0xE2E),
    "Georgian": (0x10D0, 0x10F0),
    "Ethiopic": (0x1200, 0x1248),
    "Hiragana": (0x3042, 0x3093),
    "Katakana": (0x30A2, 0x30F3),
    "Han": (0x4E00, 0x9FA5),
    "Hangul": (0xAC00, 0xD7A3),
}


def corpus_path(named: str | None = None) -> Path:
    """Return where the links are: in ``named``, in what LINKS_CORPUS names, or the usual place."""
    named = named or os.environ.get("LINKS_CORPUS")
    if named:
        return Path(named)
    return CORPUS if CORPUS.is_file() else FALLBACK


def unique_links(path: Path) -> list[str]:
    """Return the different lines of a file, in order."""
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    return list(dict.fromkeys(line for line in lines if line.strip()))


def thin_out(texts: list[str], limit: int | None) -> list[str]:
    """Return at most ``limit`` of the texts, from all over the list."""
    if limit is None or len(texts) <= limit:
        return texts
    return [texts[i * len(texts) // limit] for i in range(limit)]


def copied(texts: Sequence[str]) -> list[str]:
    """Return copies of texts, which have no hash and no UTF-8 form yet."""
    return [text[:1] + text[1:] for text in texts]


def make_slow(link: str) -> str:
    """Return a link as a text that no shortcut fits, and that parses whenever the link does.

    Capitals in scheme and host, a single-dot segment, and spaces around and in the path.
    """
    match = _LINK.match(link)
    if match is None:
        return f" {link} "
    scheme, host, path, query, fragment = match.groups(default="")
    return f" {scheme.upper()}{host.upper()}/./ {path[1:]}{query}{fragment} "


def reference(text: str, index: int) -> str:
    """Return a relative reference with the path, query and fragment of a link.

    In turn it starts with a segment, with the root, with its parent, or is a query alone.
    """
    match = _LINK.match(text)
    if match is None:
        return text
    _, host, path, query, fragment = match.groups(default="")
    rest = f"{path}{query}{fragment}"
    if len(path) <= 1:
        return f"?{host}{query}{fragment}"
    # A segment with a colon first would be taken for a scheme.
    return (f"./{rest[1:]}", rest, f"..{rest}", f"?{rest}")[index % 4]


def query_of(text: str) -> str:
    """Return the query that a link has; "" if it has none."""
    match = _LINK.match(text)
    return (match[4] or "")[1:] if match else ""


def make_query_slow(query: str) -> str:
    """Return a query with more pairs, of escapes, plus signs and letters beyond ASCII."""
    return f"{query.replace('=', '=%C3%A9+', 1)}&ключ=знач ение&%zz=+&&="


def domains(count: int) -> list[str]:
    """Return different domains in many scripts: a third each plain, to be mapped, and in ASCII.

    Those to be mapped have capitals where the script has them, else an ideographic full stop; the
    ones in ASCII are written in Punycode.
    """
    random = Random(3454)
    alphabets = [_letters(*bounds) for bounds in _LETTERS.values()]
    made: dict[str, None] = {}
    while len(made) < count:
        letters = alphabets[len(made) % len(alphabets)]
        labels = ["".join(random.choices(letters, k=random.randint(2, 14))) for _ in range(2)]
        style = random.randrange(3)
        if style == 0:
            host = ".".join(labels)
        elif style == 1:
            host = "\u3002".join(label.title() for label in labels)
        else:
            host = ".".join(f"xn--{label.encode('punycode').decode()}" for label in labels)
        made[f"{host}.example"] = None
    return list(made)


def _letters(first: int, last: int) -> str:
    # Lower case, or without case; no other spelling of something else; nothing unassigned.
    return "".join(
        letter
        for letter in map(chr, range(first, last + 1))
        if unicodedata.category(letter) in {"Ll", "Lo"}
        and unicodedata.normalize("NFKC", letter) == letter
        and letter.casefold() == letter
    )


def of_each_kind(links: Sequence[str]) -> dict[str, list[str]]:
    """Return links made into URLs of each kind that is not the usual one, and into failures."""
    made: dict[str, list[str]] = {}
    for index, link in enumerate(links):
        match = _LINK.match(link)
        if match is None or "@" in match[2]:
            continue
        scheme, host, path, query, fragment = match.groups(default="")
        host = host.partition(":")[0]
        rest = f"{path}{query}{fragment}"
        address = Random(index).getrandbits(128)
        schemes = ("git+ssh", "foo", "app", "redis", "urn", "data")
        other = (
            f"{schemes[index % 4]}://{host}" if index % 3 else f"{schemes[4 + index % 2]}:{host}"
        )
        failures = (
            f"{scheme}exa mple{index}.{host}", f"{scheme}{host}:99{index}9", f"//{host}",
            f"{scheme}[::{index % 4096:x}", f"{scheme}{index}.2.3.4.5",
            f"{scheme}xn--{index}.{host}",
        )  # fmt: skip
        for name, text in (
            ("credentials", f"{scheme}user{index % 97}:s3cret!{index}@{host}{rest}"),
            ("ports", f"{scheme}{host}:{10_000 + index % 50_000}{rest}"),
            ("IPv4", f"{scheme}{IPv4Address(address & 0xFFFFFFFF)}{rest}"),
            ("IPv6", f"{scheme}[{IPv6Address(address & ~(0xFFFFFFFF << 48))}]{rest}"),
            ("file:", f"file://{host if index % 4 == 0 else ''}{path or '/'}{query}{fragment}"),
            ("other schemes", f"{other}{rest}"),
            ("failures", f"{failures[index % len(failures)]}{rest}"),
        ):
            made.setdefault(name, []).append(text)
    return made


def lists(links: list[str]) -> dict[str, list[str]]:
    """Return all lists of texts by name, each text once.

    The slow list, of which a text takes several times as long, has a third of the links, and the
    lists of one kind an eighth.
    """
    slow = [make_slow(link) for link in links[::3]]
    idn = [f"https://{host}/{i}?q={i}" for i, host in enumerate(domains(min(len(links), HOSTS)))]
    queries = [query for link in links if (query := query_of(link))]
    made = {
        "links": links,
        "slow": slow,
        "idn": idn,
        "references": [reference(link, i) for i, link in enumerate(links)],
        "slow references": [reference(link.strip(), i) for i, link in enumerate(slow)],
        "idn references": [url.removeprefix("https:") for url in idn],
        "queries": queries,
        "slow queries": [make_query_slow(query) for query in queries],
        **of_each_kind(links[::8]),
    }
    return {name: list(dict.fromkeys(texts)) for name, texts in made.items()}
