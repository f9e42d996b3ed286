"""The libraries that `weburl` is compared with, and how code for one text becomes a loop.

Code rather than functions, as for `timeit`: one more call for each text would be charged to all,
and blur the ratios. A library that is not installed is left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any, Final

from attrs import field, frozen

BASE: Final = "https://example.com/a/b/c?d=e#f"
"""The base of references: parsed before each pass where a library can keep it parsed."""

SLOW_SAMPLE: Final = 16
"""A slow library gets one text of so many."""


@frozen
class Contender:
    """A library. In its code, the text is ``s``, the base ``base``, and its text ``base_text``.

    ``setup`` binds ``parse`` and whatever else the code wants, and ``make_base`` if the library can
    join. ``before`` runs before each pass, to empty caches. ``settable`` names a class with the
    attributes of the web's URL, or is empty.
    """

    name: str
    distribution: str
    written_in: str
    setup: str
    before: str = "pass"
    settable: str = ""
    slow: bool = False
    namespace: dict[str, Any] = field(factory=dict, eq=False, repr=False)

    @property
    def version(self) -> str:
        """The version that is installed, or "" where only sources are on the path."""
        if not self.distribution:
            return ".".join(map(str, sys.version_info[:3]))
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return ""

    def load(self) -> bool:
        """Return whether the library is installed, and if so, make its code ready to run."""
        if not self.namespace:
            try:
                exec(self.setup, self.namespace)
            except ImportError:
                self.namespace.clear()
                return False
            if "make_base" in self.namespace:
                base = self.namespace["make_base"](BASE)
                self.namespace.update(base=base, base_text=BASE)
        return True

    def empty_caches(self) -> None:
        """Forget what earlier passes left behind."""
        exec(self.before, self.namespace)

    def loop(self, code: str, *, keep: bool = False, fails: bool = False) -> Callable[..., Any]:
        """Return a function that runs ``code`` for each of some texts.

        Names are made local, so that those of all contenders are equally near. ``keep``: the
        function returns the values. ``fails``: each text is expected to raise an exception.
        """
        names = sorted(name for name in self.namespace if re.search(rf"(?<![.\w]){name}\b", code))
        arguments = "".join(f", {name}={name}" for name in names)
        body = f"add({code})" if keep else code
        if fails:
            body = f"try:\n   {body}\n  except Exception:\n   pass"
        made: dict[str, Any] = dict(self.namespace)
        exec(
            f"def loop(texts{arguments}):\n made = []\n add = made.append\n"
            f" for s in texts:\n  {body}\n return made",
            made,
        )
        found: Callable[..., Any] = made["loop"]
        return found

    def that_succeed(self, code: str, texts: Sequence[str]) -> list[bool]:
        """Return for each text whether the code runs without an exception."""
        make, _, run = code.rpartition(" -> ")
        made, one = self.loop(make or "s", keep=True), self.loop(run)

        def succeeds(text: str) -> bool:
            try:
                one(made([text]))
            except Exception:  # noqa: BLE001 -- peers raise what they like
                return False
            return True

        return [succeeds(text) for text in texts]


PEERS: Final = (
    Contender(
        "can_ada",
        "can_ada",
        "C++",
        "import can_ada; from can_ada import can_parse, URLSearchParams; "
        "parse = make_base = can_ada.parse",
        settable="parse",
    ),
    Contender("url-py", "url-py", "Rust", "import url; parse = make_base = url.URL.parse"),
    Contender(
        "pydantic_core", "pydantic_core", "Rust", "import pydantic_core; parse = pydantic_core.Url"
    ),
    Contender(
        "upa_url",
        "upa_url",
        "C++",
        "from upa_url import URL as parse, URLSearchParams; "
        "make_base = parse; can_parse = parse.canParse",
        settable="parse",
    ),
    Contender(
        "ada_url",
        "ada_url",
        "C++, cffi",
        "from ada_url import URL as parse, URLSearchParams; "
        "make_base = str; can_parse = parse.can_parse",
        settable="parse",
    ),
    Contender(
        "urllib.parse",
        "",
        "Python",
        "from urllib.parse import clear_cache, parse_qsl, urlencode, urljoin, urlsplit as parse; "
        "make_base = str",
        before="clear_cache()",
    ),
    Contender(
        "yarl",
        "yarl",
        "Cython, Python",
        # Its cache of 128 URLs cannot be emptied, but filled.
        "from pickle import dumps, loads; import yarl; parse = make_base = yarl.URL; "
        "yarl.cache_configure(idna_encode_size=0, idna_decode_size=0, encode_host_size=0)",
        before="yarl.cache_clear(); [parse(f'http://h/{i}') for i in range(128)]",
    ),
    Contender(
        "pywhatwgurl",
        "pywhatwgurl",
        "Python",
        "from pywhatwgurl import URL as parse, URLSearchParams; "
        "make_base = str; can_parse = parse.can_parse",
        settable="parse",
        slow=True,
    ),
)

WEBURL: Final = Contender(
    "weburl",
    "weburl",
    "Python",
    # The first part that is read of a `URL` makes its record, which the peers make with the object.
    "from pickle import dumps, loads; import weburl; from weburl import *; make_base = parse\n"
    "from weburl.keys import surt\n"
    "public_link, webhook = URLPolicy.public_link(), URLPolicy.webhook()\n"
    "def was_read(url): url.pathname; return url",
    settable="URL",
)

BY_NAME: Final = {each.name: each for each in (*PEERS, WEBURL)}


def installed() -> list[Contender]:
    """Return the peers that can be imported, and `weburl` first."""
    return [each for each in (WEBURL, *PEERS) if each.load()]


def in_common(
    texts: Sequence[str], code: dict[str, str], *, fails: bool, share: float = 0.9
) -> tuple[list[str], list[str]]:
    """Return the texts that all contenders parse, and the names of the contenders.

    ``code``: the code of each, with `weburl` first, which says what can be parsed. A peer that
    parses less than ``share`` of the texts is left out. ``fails``: the texts are those that no
    contender parses.
    """
    able: list[str] = []
    kept = list(texts)
    for name, one in code.items():
        contender = BY_NAME[name]
        sample = kept[::SLOW_SAMPLE] if contender.slow else kept
        found = contender.that_succeed(one, sample)
        good = [text for text, succeeds in zip(sample, found, strict=True) if succeeds is not fails]
        if able and len(good) < share * len(sample):
            continue
        able.append(name)
        dropped = set(sample).difference(good)
        kept = [text for text in kept if text not in dropped]
    return kept, able
