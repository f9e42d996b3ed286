"""What has changed in the URL Standard since 2020, except for parsing: `docs/history.md` has that.

`tests/history/test_changes.py` compares each row with the three editions. No other changes are
known: `tests/history/changes_undone.py` takes these back in today's parser and grammar.
"""

from __future__ import annotations

from typing import Final

ORIGINS: Final = (
    ("blob:ftp://example.com/a", "ftp://example.com", "null"),
    ("blob:/https:b:0/x", "https://b:0", "null"),
    ("blob:blob:https://b/", "https://b", "null"),
    ("blob:blob: BLOB:wss://h/x", "wss://h", "null"),
    ("blob:" * 100_000 + "http://h", "http://h", "null"),
)
"""A URL, and its origin in 2020 and since 2024."""

SAME_ORIGINS: Final = (
    ("blob:https://example.com/d0360e2f", "https://example.com"),
    ("blob:http://h:80/x", "http://h"),
    *((text, "null") for text in ("blob:blob:/https:", "blob:/https:", "blob://h", "blob:")),
    ("blob:file:///x", "null"),
    ("https://h:444/", "https://h:444"),
    ("file:///x", "null"),
    ("foo://h/", "null"),
)
"""A URL, and its origin in all editions."""

SETTERS: Final = (
    # It ignores a value with a port.
    (
        "hostname",
        "http://example.com/",
        "example.org:80",
        ("http://example.org/", "http://example.com/", "http://example.com/"),
    ),
    # It keeps the spaces of an opaque path.
    ("hash", "data:a #b", "", ("data:a ", "data:a", "data:a%20")),
    # It leaves one empty segment without a host.
    ("pathname", "foo:/a", "", ("foo:", "foo:/", "foo:/")),
)
"""A setter, a URL, a value, and the URL after it in 2020, in 2024 and today."""

GRAMMAR: Final = (
    ("a path may start with two slashes after a host", ("http://h//a",), (False, False, True)),
    ("text after a scheme may look like a URL", ("blob:https://a/b",), (False, False, True)),
    ("a label may not start or end with a hyphen", ("http://-a/",), (True, True, False)),
    (
        "hyphens in places three and four only in internationalized labels",
        ("http://ab--c.example/",),
        (True, True, False),
    ),
    ("a domain may not end in a number", ("http://a.1/",), (True, True, False)),
    ("U+2260, U+226E and U+226F may be in a domain", ("http://a≠b/",), (False, False, True)),
    ("Punycode decodes to text beyond ASCII", ("http://xn--abc-/",), (True, False, False)),
    ("an IPv4 address has no leading zeros", ("http://127.0.0.01/",), (True, True, False)),
    ("a port is at most 65535", ("http://example.com:65536/",), (True, False, False)),
    ("an opaque host has no forbidden code points", ("foo://a@b/",), (True, False, False)),
    ("a piece of an IPv6 address has no leading zeros", ("http://[::01]/",), (True, True, False)),
    (
        "on a base such as `mailto:x`, only a fragment is valid",
        ("a", "mailto:x"),
        (True, True, False),
    ),
    (
        "a drive letter may follow the host of a file URL",
        ("file://host/C:/a",),
        (False, False, True),
    ),
    ("`file://` is a URL", ("file://",), (False, False, True)),
)
"""A change, a text with its base if it has one, and whether it is valid in the three editions."""
