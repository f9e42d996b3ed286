"""The texts to choose from: those of the pitfalls, and one for each kind of surprise."""

from __future__ import annotations

from typing import Final, NamedTuple


class Text(NamedTuple):
    """A text with a name for its address; ``title`` says briefly what is special about it."""

    name: str
    title: str
    url: str
    base: str | None = None


_SHOP: Final = "https://good.example/shop/list?page=2#top"

GROUPS: Final[dict[str, tuple[Text, ...]]] = {
    "Which host is it?": (
        Text("backslash", "A backslash is a slash", "https://evil.example\\@good.example/"),
        Text("last-at", "The host is after the last at sign", "https://good.example&x=@evil.example/"),
        Text("password", "User name and password", "https://user:p%40ss@example.com/"),
        Text("at-in-password", "An at sign in the password", "https://user:p@ss@example.com/"),
        Text("empty-user", "An at sign with nothing before it", "https://@example.com/"),
        Text("capitals", "Uppercase letters", "HTTPS://Example.COM/Path"),
        Text("percent-host", "A percent-encoded host", "https://%65vil.example/"),
        Text("underscore", "An underscore in the host", "https://my_site.example/"),
        Text("last-dot", "A dot at the end of the host", "https://example.com./"),
        Text("two-labels", "A public suffix of two labels", "https://www.shop.example.co.uk/"),
        Text("private-suffix", "A separate site below a shared domain", "https://someone.github.io/"),
        Text("space-in-host", "A space in the host", "https://exa mple.com/"),
        Text("forbidden", "Characters that a host cannot contain", "https://exam<p>le.com/"),
        Text("forbidden-elsewhere", "A space where hosts are opaque", "app://my host/"),
        Text("no-host", "No host at all", "https://"),
    ),
    "Letters beyond ASCII": (
        Text("umlaut", "A name with an umlaut", "https://Bücher.example/"),
        Text("punycode", "The same name in ASCII", "https://xn--bcher-kva.example/"),
        Text("sharp-s", "ß is a separate letter", "https://faß.de/"),
        Text("full-width", "Full-width letters are ASCII", "http://ｇｏｏｄ.example/"),
        Text("other-dots", "Other dots are dots", "https://evil.example。good.test/"),
        Text("misleading", "Cyrillic letters that look Latin", "https://раураl.example/"),
        Text("soft-hyphen", "An invisible character", "https://exa\u00admple.com/"),
        Text("emoji", "An emoji", "https://☕.example/"),
        Text("right-to-left", "Right-to-left letters", "https://مثال.example/"),
        Text("mixed-directions", "Two directions in one label", "https://aא.example/"),
        Text("bad-punycode", "Punycode that means nothing", "https://xn--99999999.example/"),
        Text("path-beyond-ascii", "Path, query and fragment", "https://example.com/été?q=é#é"),
    ),
    "Addresses": (
        Text("short-ipv4", "An IPv4 address in two numbers", "http://127.1/"),
        Text("hexadecimal", "A hexadecimal number", "http://0x7f.1/"),
        Text("octal", "An octal number", "http://017700000001/"),
        Text("one-number", "One decimal number", "http://2130706433/"),
        Text("full-width-digits", "Full-width digits", "http://１２７.0.0.1/"),
        Text("metadata", "An address inside clouds", "http://0xA9FEA9FE/latest/"),
        Text("too-large", "A number that is too large", "http://192.168.0.256/"),
        Text("five-numbers", "Five numbers", "http://10.20.30.40.50/"),
        Text("ipv4-last-dot", "A dot after an IPv4 address", "http://127.0.0.1./"),
        Text("ends-in-number", "A name that ends in a number", "http://server.7/"),
        Text("ipv6", "An IPv6 address", "http://[2001:DB8:0:0:0:0:0:1]:8443/"),
        Text("ipv4-in-ipv6", "An IPv4 address inside an IPv6 address", "http://[::ffff:192.168.0.1]/"),
        Text("ipv6-zeros", "Zeros before a piece of IPv6", "http://[2001:0db8::0009]/"),
        Text("few-pieces", "Too few pieces", "http://[10:20:30]/"),
        Text("many-pieces", "Too many pieces", "http://[9:8:7:6:5:4:3:2:1]/"),
        Text("two-gaps", "Pieces left out in two places", "http://[7::8::9]/"),
        Text("half-gap", "A colon at the beginning", "http://[:7:8]/"),
        Text("late-ipv4", "No room for the IPv4 address", "http://[1:2:3:4:5:6:7:10.0.0.1]/"),
        Text("letter-in-ipv4", "A letter in the IPv4 address", "http://[::10.0.x.1]/"),
        Text("large-ipv4", "A number in it that is too large", "http://[::10.0.0.300]/"),
        Text("short-ipv4-in-ipv6", "An IPv4 address that is too short", "http://[::10.0.1]/"),
        Text("zone", "An IPv6 address with a zone", "http://[fe80::1%25eth0]/"),
        Text("open-bracket", "A bracket that is not closed", "http://[::1/"),
    ),
    "Ports": (
        Text("default-port", "The default port is dropped", "https://example.com:443/"),
        Text("leading-zeros", "Zeros before a port", "http://example.com:0008080/"),
        Text("empty-port", "A colon without a port", "https://example.com:/"),
        Text("port-out-of-range", "A port out of range", "https://example.com:99999/"),
        Text("port-with-letter", "A letter in the port", "https://example.com:80a/"),
        Text("other-scheme-port", "Another scheme's default port", "app://example.com:443/"),
    ),
    "White space and slashes": (
        Text("tabs", "Tabs and line ends disappear", "ht\ttps://exam\nple.com/a\r\nb"),
        Text("spaces-around", "Spaces around", "  https://example.com/ "),
        Text("spaces-inside", "Spaces inside", "https://example.com/a b?c d#e f"),
        Text("no-slash", "No slash after the scheme", "https:evil.example"),
        Text("three-slashes", "Three slashes", "https:///evil.example"),
        Text("backslashes", "Backslashes everywhere", "http:\\\\example.com\\a\\b?c\\d"),
    ),
    "Path, query and fragment": (
        Text("dots", "Dot segments", "https://example.com/public/../admin/./x"),
        Text("encoded-dots", "Percent-encoded dots are dots", "https://example.com/a/%2e%2E/b"),
        Text("empty-segments", "Empty segments stay", "https://example.com//a///b"),
        Text("semicolon", "A semicolon is an ordinary character", "https://example.com/a;b/c;d"),
        Text("empty-query", "An empty query and an empty fragment", "https://example.com/?#"),
        Text("plus", "A plus is a space in one place only", "https://example.com/a+b?q=a+b"),
        Text("bad-percent", "A percent sign without digits", "https://example.com/100%?q=%zz"),
        Text("quotes", "Quotes, angle brackets and bars", "https://e.example/'\"<|>?'\"<|>#'\"<|>"),
        Text("nul", "NUL", "https://example.com/a\0b#c\0d"),
        Text("surrogate", "Half of a character", "https://example.com/\ud83d?\ude00"),
    ),
    "Schemes": (
        Text("javascript", "javascript:", "javascript:alert(1)"),
        Text("hidden-javascript", "javascript: with a line end inside", "java\nscript:alert(1)"),
        Text("control", "javascript: after a control character", "\x01JavaScript:alert(1)"),
        Text("data", "A page in a URL", "data:text/html,<b>bold</b> text#a b"),
        Text("data-space", "A space before the fragment", "data:text/plain,two  #part"),
        Text("mailto", "A mail address", "mailto:me@example.com?subject=Good day"),
        Text("blob", "A blob takes its origin from inside", "blob:https://example.com/4f0c-17"),
        Text("about", "An empty page", "about:blank"),
        Text("websocket", "A WebSocket", "wss://example.com:443/chat#room"),
        Text("ftp", "FTP", "ftp://me@example.com:21/pub/../file"),
        Text("other-scheme", "A custom scheme", "git+ssh://Host.Example/a b/../c"),
        Text("two-slashes-later", "A path that looks like a host", "app:/.//not-a-host/x"),
        Text("no-scheme", "No scheme and no base", "www.example.com/path"),
    ),
    "Files": (
        Text("file", "A file", "file:///etc/hosts"),
        Text("drive", "A drive letter stays", "file:///C|/a/../../.."),
        Text("windows-path", "A Windows path", "file:C:\\Users\\me\\a b.txt"),
        Text("drive-as-host", "A drive letter instead of the host", "file://C:/x"),
        Text("share", "A file on another machine", "file://Server/share/x"),
        Text("localhost", "localhost is not a host here", "file://localhost/etc/hosts"),
    ),
    "Relative to a base": (
        Text("relative", "Up one folder", "../cart?id=7", _SHOP),
        Text("query-alone", "Only a query", "?page=3", _SHOP),
        Text("fragment-alone", "Only a fragment", "#end", _SHOP),
        Text("empty", "Empty text keeps the query", "", _SHOP),
        Text("scheme-relative", "Two slashes leave the site", "//evil.example/x", _SHOP),
        Text("slash-backslash", "A backslash leaves the site too", "/\\evil.example/x", _SHOP),
        Text("slash-tab", "A tab between two slashes disappears", "/\t/evil.example/x", _SHOP),
        Text("same-scheme", "A scheme without slashes can be relative", "https:cart", _SHOP),
        Text("other-base", "A base with a custom scheme", "item", "app://shop/list/"),
        Text("opaque-base", "A base that nothing can be relative to", "x", "mailto:me@example.com"),
        Text("file-base", "A drive letter and a base", "D|/b", "file:///C:/a/"),
        Text("bad-base", "A base that is not a URL", "/path", "www.example.com"),
    ),
}  # fmt: skip
"""The texts, by the heading of their group."""
