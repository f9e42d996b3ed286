"""URLs that programs have read in different ways, written anew, with their sources.

Each with the hosts that the standard and one other reader find.
"""

from __future__ import annotations

from typing import Final

DISAGREEMENTS: Final[tuple[tuple[str, str, str, str], ...]] = (
    # Claroty and Snyk, "Exploiting URL Parsing Confusion", 2022: backslashes.
    ("http://127.0.0.1\\@1.1.1.1/", "127.0.0.1", "urllib.parse", "1.1.1.1"),
    ("http://127.0.0.1\\@1.1.1.1/", "127.0.0.1", "httpx", "1.1.1.1"),
    (
        "http://evil.example\\.example.com/",
        "evil.example",
        "urllib.parse",
        "evil.example\\.example.com",
    ),
    ("http:\\\\evil.example/", "evil.example", "urllib.parse", ""),
    # The same: too few slashes, too many.
    ("http:///evil.example/", "evil.example", "urllib.parse", ""),
    ("http:evil.example/", "evil.example", "urllib.parse", ""),
    ("http:/evil.example/", "evil.example", "urllib.parse", ""),
    ("https:////evil.example/", "evil.example", "urllib3", ""),
    # The same: percent-encoded hosts.
    ("http://ex%61mple.com/", "example.com", "urllib.parse", "ex%61mple.com"),
    ("http://%31%32%37.0.0.1/", "127.0.0.1", "urllib.parse", "%31%32%37.0.0.1"),
    # Orange Tsai, "A New Era of SSRF", Black Hat 2017: numbers that are addresses.
    ("http://0x7f.1/", "127.0.0.1", "urllib3", "0x7f.1"),
    ("http://2130706433/", "127.0.0.1", "requests", "2130706433"),
    ("http://0177.0.0.1/", "127.0.0.1", "requests", "0177.0.0.1"),
    ("http://127.1/", "127.0.0.1", "yarl", "127.1"),
    ("http://127.1/", "127.0.0.1", "RFC 3986", "127.1"),
    # IDNA of 2003 and of 2008: one name, two sites (UTS #46, section 7).
    ("http://faß.de/", "xn--fa-hia.de", "urllib.parse", "fass.de"),
)

AGREEMENTS: Final = (
    "https://example.com",
    "HTTPS://EXAMPLE.com:443/a/../b?c#d",
    "https://bücher.example/ä b",
    "https://user:secret@example.com/",
    "http://[::1]:8080/",
    "http://[0:0::1]/",
    "http://127.0.0.1/",
    "http://example.com./",
    "http://google.com#@evil.example/",
    "http://google.com?@evil.example/",
    "http://a:b@c:8080@d.example/",
    "ftp://example.com/",
    "ws://example.com/",
    "mailto:you@example.com",
    "file:///etc/passwd",
    "foo://h:5/",
    "https://example.com:00443/",
    # To those who read it at all.
    "http://①②⑦.⓪.⓪.①/",
)
