"""The standard's own tables of examples, for the tests of whatever they speak of."""

from __future__ import annotations

from typing import Final, TypeAlias

# Spec: #hosts-(domains-and-ip-addresses)
HOSTS: Final[list[tuple[str, str | None, str | None]]] = [
    ("EXAMPLE.COM", "example.com", "EXAMPLE.COM"),
    ("example%2Ecom", "example.com", "example%2Ecom"),
    ("faß.example", "xn--fa-hia.example", "fa%C3%9F.example"),
    ("0", "0.0.0.0", "0"),
    ("%30", "0.0.0.0", "%30"),
    ("0x", "0.0.0.0", "0x"),
    ("0xffffffff", "255.255.255.255", "0xffffffff"),
    ("[0:0::1]", "[::1]", "[::1]"),
    ("[0:0::1%5D", None, None),
    ("[0:0::%31]", None, None),
    ("09", None, "09"),
    ("example.255", None, "example.255"),
    ("example^example", None, None),
]
"""An input, the host it is in a special URL, and in any other; None is failure."""

# Spec: #host-registrable-domain
PUBLIC_SUFFIXES: Final[list[tuple[str, str | None, str | None]]] = [
    ("com", "com", None),
    ("example.com", "com", "example.com"),
    ("www.example.com", "com", "example.com"),
    ("sub.www.example.com", "com", "example.com"),
    ("EXAMPLE.COM", "com", "example.com"),
    ("example.com.", "com.", "example.com."),
    ("github.io", "github.io", None),
    ("whatwg.github.io", "github.io", "whatwg.github.io"),
    ("\u0625\u062e\u062a\u0628\u0627\u0631", "xn--kgbechtv", None),
    ("example.\u0625\u062e\u062a\u0628\u0627\u0631", "xn--kgbechtv", "example.xn--kgbechtv"),
    ("sub.example.\u0625\u062e\u062a\u0628\u0627\u0631", "xn--kgbechtv", "example.xn--kgbechtv"),
    ("[2001:0db8:85a3:0000:0000:8a2e:0370:7334]", None, None),
]
"""A host, its public suffix, and its registrable domain; None is null."""

# Spec: #urls
URLS: Final[list[tuple[str, str | None, bool, str | None]]] = [
    ("https:example.org", None, False, "https://example.org/"),
    ("https://////example.com///", None, False, "https://example.com///"),
    ("https://example.com/././foo", None, True, "https://example.com/foo"),
    ("hello:world", "https://example.com/", True, "hello:world"),
    ("https:example.org", "https://example.com/", False, "https://example.com/example.org"),
    ("\\example\\..\\demo/.\\", "https://example.com/", False, "https://example.com/demo/"),
    ("example", "https://example.com/demo", True, "https://example.com/example"),
    ("file:///C|/demo", None, False, "file:///C:/demo"),
    ("..", "file:///C:/demo", True, "file:///C:/"),
    ("file://localhost/", None, True, "file:///"),
    ("file://loc%61lhost/", None, False, "file:///"),
    (
        "https://user:password@example.org/",
        None,
        False,
        "https://user:password@example.org/",
    ),
    ("https://example.org/foo bar", None, False, "https://example.org/foo%20bar"),
    ("https://EXAMPLE.com/../x", None, True, "https://example.com/x"),
    ("https://ex ample.org/", None, False, None),
    ("example", None, False, None),
    ("https://example.com:demo", None, False, None),
    ("http://[www.example.com]/", None, False, None),
    ("https://example.org//", None, True, "https://example.org//"),
    ("https://example.com/[]?[]#[]", None, False, "https://example.com/[]?[]#[]"),
    ("https://example/%?%#%", None, False, "https://example/%?%#%"),
    ("https://example/%25?%25#%25", None, True, "https://example/%25?%25#%25"),
]
"""An input, a base, whether that is a valid URL string, and the URL; None is failure."""

TupleParts: TypeAlias = tuple[str, str, int | None, str | None]

# Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-origin-domain
SAME_ORIGIN: Final[list[tuple[TupleParts, TupleParts, bool, bool]]] = [
    (("https", "example.org", None, None), ("https", "example.org", None, None), True, True),
    (("https", "example.org", 314, None), ("https", "example.org", 420, None), False, False),
    (
        ("https", "example.org", 314, "example.org"),
        ("https", "example.org", 420, "example.org"),
        False,
        True,
    ),
    (
        ("https", "example.org", None, None),
        ("https", "example.org", None, "example.org"),
        True,
        False,
    ),
    (
        ("https", "example.org", None, "example.org"),
        ("http", "example.org", None, "example.org"),
        False,
        False,
    ),
]
"""Two origins (scheme, host, port, domain), same origin, and same origin-domain."""

# Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-site
SAME_SITE: Final[list[tuple[str, str, bool, bool]]] = [
    ("https://example.com", "https://sub.example.com", True, True),
    ("https://example.com", "https://sub.other.example.com", True, True),
    ("https://example.com", "http://non-secure.example.com", True, False),
    ("https://r.wildlife.museum", "https://sub.r.wildlife.museum", True, True),
    ("https://r.wildlife.museum", "https://sub.other.r.wildlife.museum", True, True),
    ("https://r.wildlife.museum", "https://other.wildlife.museum", False, False),
    ("https://r.wildlife.museum", "https://wildlife.museum", False, False),
    ("https://wildlife.museum", "https://wildlife.museum", True, True),
    ("https://example.com", "https://example.com.", False, False),
]
"""Two origins, schemelessly same site, and same site, where "wildlife.museum" is a suffix."""

# Spec: https://html.spec.whatwg.org/multipage/browsers.html#is-a-registrable-domain-suffix-of-or-is-equal-to
REGISTRABLE_DOMAIN_SUFFIXES: Final[list[tuple[str, str, bool]]] = [
    ("0.0.0.0", "0.0.0.0", True),
    ("0x10203", "0.1.2.3", True),
    ("[0::1]", "[::1]", True),
    ("example.com", "example.com", True),
    ("example.com", "example.com.", False),
    ("example.com.", "example.com", False),
    ("example.com", "www.example.com", True),
    ("com", "example.com", False),
    ("example", "example", True),
    ("compute.amazonaws.com", "example.compute.amazonaws.com", False),
    ("example.compute.amazonaws.com", "www.example.compute.amazonaws.com", False),
    ("amazonaws.com", "www.example.compute.amazonaws.com", False),
    ("amazonaws.com", "test.amazonaws.com", True),
]
"""A string, a host, and whether the one is a registrable domain suffix of or is equal to it."""
