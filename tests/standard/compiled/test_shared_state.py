"""What the compiled modules keep between calls, and why threads may share it without the GIL."""

from __future__ import annotations

import gc
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any, Final

import pytest

import weburl
from tests.build_hook import FILE, hatch_build
from tests.threads import run_in_threads
from weburl import COMPILED

_AT_IMPORT: Final = "filled when the module is imported, and only read after that"
_ONCE: Final = "set once by `fast_path`, while the import system holds the lock of the module"

# Tables, and names that a function binds again. Other names are bound at import.
SHARED: Final = {
    ("code_points", "_pages"): "a page is filled, published by compare-and-swap, and never changed",
    ("nfc", "_pairs"): "each entry is one number with its own key, read and written atomically",
    ("parts", "_last_origin"): "as `_hosts`",
    ("values", "_addresses"): "as `_hosts`",
    ("values", "_hosts"): "used only with the GIL, which is held while a place is read and changed",
    ("host_lists", "_remainders"): _AT_IMPORT,
    ("params", "WRITTEN"): _AT_IMPORT,
    ("params", "LENGTHS"): _AT_IMPORT,
    ("schemes", "SCHEMES"): _AT_IMPORT,
    ("plain", "_starts"): _AT_IMPORT,
    ("sinks", "_allocate"): "set once, while the import system holds the lock of `columns.parts`",
    **dict.fromkeys(
        [
            ("serializer", name)
            for name in ("_general_href", "_general_path", "_general_includes_credentials")
        ],
        _ONCE,
    ),
    **dict.fromkeys(
        [
            ("facade", name)
            for name in (
                *("Url", "HREF", "RECORD", "PARAMS", "CHANGED"),
                *("_general_href", "_general_parts", "_parse_quickly"),
            )
        ],
        "set once, while the import system holds the lock of the module `interface.url`",
    ),
    **dict.fromkeys(
        [("comparing", name) for name in ("_general_operators", "_general_hash")], _ONCE
    ),
    **dict.fromkeys(
        [
            ("values", name)
            for name in (
                *(
                    "Record",
                    "Storage",
                    "Domain",
                    "IPv4Address",
                    "IPv6Address",
                    "OpaqueHost",
                    "EmptyHost",
                ),
                *("DOMAIN_VALUE", "IPV4_VALUE", "IPV6_VALUE", "OPAQUE_VALUE", "_empty_host"),
            )
        ],
        _ONCE,
    ),
}


def test_everything_that_may_change_is_in_the_table() -> None:
    """A new variable must be added with its reason."""
    found: set[tuple[str, str]] = set()
    for name in hatch_build.modules_to_compile(FILE.parent):
        path = Path(FILE.parent, f"{name.replace('.', '/')}.py")
        text = path.read_text(encoding="utf-8")
        for names in re.findall(r"^ +global (.+)$", text, re.MULTILINE):
            found |= {(path.stem, variable) for variable in names.split(", ")}
        tables = re.findall(r"^(\w+) = cython\.declare\([\w.]+\[", text, re.MULTILINE)
        found |= {(path.stem, variable) for variable in tables}
    assert found == set(SHARED)


def test_threads_may_share_what_changes() -> None:
    """A `URL` always has one of the values that threads set, and params always have whole pairs."""
    url = weburl.URL("http://h0/")
    params = weburl.URLSearchParams("k0=0")

    def work(number: int) -> None:
        for _ in range(300):
            url.__init__(f"http://h{number}/")  # type: ignore[misc]  # it changes all slots
            assert re.fullmatch(r"http://h[0-3](:[1-4])?/", url.href)
            params.__init__("&".join(f"k{number}={at}" for at in range(20)))  # type: ignore[misc]
            params.append("x", "y" * 50)
            assert re.fullmatch(r"(?:k\d=\d+|x=y{50}|&)*", str(params))
            for name, value in params:
                assert name.startswith("k") or value == "y" * 50
            params.sort()
            params.delete(f"k{number}")
            url.port = str(number + 1)
            assert url.port in {"", "1", "2", "3", "4"}

    run_in_threads(work, 4, threads=4)


needs_sharing = pytest.mark.skipif(
    not COMPILED or bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="records share domains in compiled code with the GIL",
)


@needs_sharing
def test_records_of_one_site_share_their_domain() -> None:
    """They do even if another site was read in between."""
    first = weburl.parse("https://www.example.com/a")
    assert weburl.parse("http://WWW.example.com:8080/b?c").host is first.host
    assert weburl.parse("https://other.example/").host != first.host
    assert weburl.parse("https://www.example.com/b").host is first.host


def test_names_that_begin_and_end_alike_are_not_confused() -> None:
    """Names of all lengths follow one another, as on a page with links."""
    names = [
        name
        for size in range(1, 80)
        for name in ("a" * size, "b" * size, f"abcdefgh{'x' * size}abcdefgh", "a" * size + ".b")
    ]
    for first in (*names, *reversed(names)):
        for name in (first, f"abcdefgh{first}abcdefgh", first):
            assert str(weburl.parse(f"https://{name}/").host) == name


@pytest.mark.parametrize("bad", [None, "other.example", "\u00e9", 5, "same.example "])
def test_a_domain_that_was_tampered_with_is_given_to_no_other_record(bad: object) -> None:
    """A domain without a value is not shared either."""
    host: Any = weburl.parse("https://same.example/").host
    if bad is None:
        object.__delattr__(host, "value")
    else:
        object.__setattr__(host, "value", bad)
    assert str(weburl.parse("https://same.example/").host) == "same.example"
    assert str(weburl.parse("https://other.example/").host) == "other.example"


@pytest.mark.nightly
def test_few_domains_are_kept_for_later_records() -> None:
    """Their number is limited, and long names are not kept."""
    weburl.parse("https://example.com/")
    gc.collect()
    before = sys.getallocatedblocks()
    for number in range(5_000):
        _ = weburl.parse(f"https://{number}.example/").host
    assert sys.getallocatedblocks() - before < 2 * 256 + 50
    long = f"https://{'a' * 100}.example/"
    count = sys.getrefcount(weburl.parse(long).host)
    assert count <= 2
