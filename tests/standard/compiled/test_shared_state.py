"""What the compiled modules keep between calls, and why threads may share it without the GIL."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import weburl
from tests.build_hook import FILE, hatch_build

_AT_IMPORT: Final = "filled when the module is imported, and only read after that"
_ONCE: Final = "set once by `fast_path`, while the import system holds the lock of the module"

# Tables, and names that a function binds again. Other names are bound at import.
SHARED: Final = {
    ("code_points", "_pages"): "a page is filled, published by compare-and-swap, and never changed",
    ("nfc", "_pairs"): "each entry is one number with its own key, read and written atomically",
    ("host_lists", "_remainders"): _AT_IMPORT,
    ("params", "WRITTEN"): _AT_IMPORT,
    ("params", "LENGTHS"): _AT_IMPORT,
    ("params", "HEX_VALUES"): _AT_IMPORT,
    ("schemes", "SCHEMES"): _AT_IMPORT,
    **dict.fromkeys([("serializer", name) for name in ("_general_href", "_general_path")], _ONCE),
    **dict.fromkeys(
        [
            ("values", name)
            for name in (
                *("Record", "SCHEME", "USERNAME", "PASSWORD", "HOST", "PORT"),
                *("PATH", "QUERY", "FRAGMENT"),
                *("Domain", "IPv4Address", "IPv6Address", "OpaqueHost", "EmptyHost"),
                *("DOMAIN_VALUE", "IPV4_VALUE", "IPV6_VALUE", "OPAQUE_VALUE", "_empty_host"),
            )
        ],
        _ONCE,
    ),
}


def test_everything_that_may_change_is_in_the_table() -> None:
    """A new one needs its argument there."""
    found: set[tuple[str, str]] = set()
    for path in (FILE.parent / hatch_build.ROOM).glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for names in re.findall(r"^ +global (.+)$", text, re.MULTILINE):
            found |= {(path.stem, name) for name in names.split(", ")}
        tables = re.findall(r"^(\w+) = cython\.declare\([\w.]+\[", text, re.MULTILINE)
        found |= {(path.stem, name) for name in tables}
    assert found == set(SHARED)


def test_threads_may_share_what_changes() -> None:
    """A `URL` has one of the values that threads give it, and params are always whole."""
    url = weburl.URL("http://h0/")
    params = weburl.URLSearchParams("k0=0")

    def work(number: int) -> None:
        for _ in range(300):
            url.__init__(f"http://h{number}/")  # type: ignore[misc]  # it changes all slots
            assert url.href in {f"http://h{other}/" for other in range(4)}
            params.__init__("&".join(f"k{number}={at}" for at in range(20)))  # type: ignore[misc]
            params.append("x", "y" * 50)
            assert re.fullmatch(r"(?:k\d=\d+|x=y{50}|&)*", str(params))

    with ThreadPoolExecutor(4) as executor:
        list(executor.map(work, range(4)))
