"""Other spellings of a URL: different strings that parse to the same record.

Each component is spelled in one of several ways, and then white space is inserted where the parser
removes it. The canonical spelling is the simplest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from weburl.standard.hosts.values import Domain, Host, IPv4Address, IPv6Address, OpaqueHost
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.support.releases import required
from weburl.standard.url.api import parse
from weburl.standard.url.record import AnyURL, URLRecord

with required("hypothesis>=6.100", "testing"):
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy

_ENCODED: Final = re.compile("(?:%[89A-F][0-9A-F])+")
_DRIVE_LETTER: Final = re.compile("/[A-Za-z]:(?:/|$)")
_FULL_WIDTH: Final = {code: code + 0xFEE0 for code in range(ord("a"), ord("z") + 1)}
_TRIMMED: Final = (" ", "\n", "\t", "\0", "\x1f", " \r\n")
_REMOVED: Final = ("\t", "\n", "\r")


def spellings(url: AnyURL) -> SearchStrategy[str]:
    """Return a strategy for strings that parse to ``url``, including its href.

    They differ in the case of the scheme and the host, in slashes and dot segments, in the notation
    of a host, a port or an address, in percent-encoding, and in white space. The simplest is the
    href. Raises URLParseError if ``url`` is text that does not parse.

    Spec: #concept-url-equals
    """
    return _spellings(parse(url))


def other_spelling(record: URLRecord, text: str) -> str:
    """Return a string that parses to ``record`` and is not ``text``."""
    return f"{text} " if text == record.href else record.href


@st.composite
def _spellings(draw: DrawFn, record: URLRecord) -> str:
    is_special = record.scheme in SPECIAL_SCHEMES
    path = draw(st.sampled_from(_path_spellings(record)))
    if record.host is None:
        before = ""
    else:
        userinfo = draw(st.sampled_from(_userinfo_spellings(record)))
        host = draw(st.sampled_from(_host_spellings(record.host)))
        port = draw(st.sampled_from(_port_spellings(record)))
        # With fewer than two slashes, userinfo and port must not be read as something else.
        before = draw(st.sampled_from(_slashes(record, path))) + userinfo + host + port
    rest = f"{before}{path}"
    if is_special and draw(st.booleans()):
        rest = rest.replace("/", "\\")
    if record.query is not None:
        rest += f"?{record.query}"
    if record.fragment is not None:
        rest += f"#{record.fragment}"
    if draw(st.booleans()):
        rest = _ENCODED.sub(_decoded, rest)
    text = f"{draw(st.sampled_from(_cased(record.scheme)))}:{rest}"
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(_REMOVED)) + text[at:]
    if draw(st.booleans()):
        text = draw(st.sampled_from(_TRIMMED)) + text + draw(st.sampled_from(("", *_TRIMMED)))
    return text


def _decoded(encoded: re.Match[str]) -> str:
    # After the host, the parser encodes non-ASCII text again. Other bytes must remain encoded.
    try:
        return bytes.fromhex(encoded[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return encoded[0]


def _cased(text: str) -> Sequence[str]:
    return text, text.upper(), text.capitalize()


def _slashes(record: URLRecord, path: str) -> Sequence[str]:
    if record.scheme != "file":
        return ("//", "/", "", "///", "/\\/") if record.is_special else ("//",)
    # With the empty host the slashes are optional, unless the path begins like an authority.
    if str(record.host) == "" and not path.startswith(("//", "/\\")):
        return "//", ""
    return ("//",)


def _userinfo_spellings(record: URLRecord) -> Sequence[str]:
    username, password = record.username, record.password
    if record.scheme == "file" or str(record.host) == "":
        return ("",)
    if password:
        return (f"{username}:{password}@",)
    return (f"{username}@", f"{username}:@") if username else ("", "@", ":@")


def _port_spellings(record: URLRecord) -> Sequence[str]:
    if record.port is not None:
        return f":{record.port}", f":00{record.port}"
    if record.scheme == "file" or str(record.host) == "":
        return ("",)
    default = DEFAULT_PORTS.get(record.scheme)
    return ("", ":") if default is None else ("", ":", f":{default}", f":0{default}")


def _host_spellings(host: Host) -> Sequence[str]:
    if isinstance(host, Domain):
        return _domain_spellings(host)
    if isinstance(host, IPv4Address):
        return _ipv4_spellings(host.value)
    if isinstance(host, IPv6Address):
        return _ipv6_spellings(host)
    return (str(host),) if isinstance(host, OpaqueHost) else ("",)


def _domain_spellings(domain: Domain) -> Sequence[str]:
    ascii, unicode = domain.value, domain.to_unicode()
    found = [ascii, ascii.upper(), _first_letter_encoded(ascii), ascii.replace(".", "\u3002")]
    if "xn--" not in ascii:
        found.append(ascii.translate(_FULL_WIDTH))
    if unicode != ascii:
        found += [unicode, _percent_encoded(unicode), unicode.replace(".", "\uff0e")]
    return found


def _first_letter_encoded(text: str) -> str:
    return f"%{ord(text[0]):02x}{text[1:]}"


def _percent_encoded(text: str) -> str:
    return "".join(
        code_point
        if code_point.isascii()
        else "".join(f"%{byte:02X}" for byte in code_point.encode())
        for code_point in text
    )


def _ipv4_spellings(value: int) -> Sequence[str]:
    a, b, c, d = value.to_bytes(4, "big")
    return (
        f"{a}.{b}.{c}.{d}",
        f"{a}.{b}.{c}.{d}.",
        f"{a}.{b}.{value & 0xFFFF}",
        f"{a}.{value & 0xFFFFFF}",
        f"{value}",
        f"0x{value:x}",
        f"0X{value:X}",
        f"0{value:o}",
        f"0x{a:x}.0{b:o}.{c}.{d}",
        f"{a}\u3002{b}\uff0e{c}\uff61{d}",
        f"%3{a}.{b}.{c}.{d}" if a < 10 else f"{a}.{b}.{c}.{d}",
    )


def _ipv6_spellings(host: IPv6Address) -> Sequence[str]:
    value = host.value
    pieces = [value >> shift & 0xFFFF for shift in range(112, -1, -16)]
    ipv4 = ".".join(map(str, (value & 0xFFFFFFFF).to_bytes(4, "big")))
    first = ":".join(f"{piece:x}" for piece in pieces[:6])
    return (
        str(host),
        str(host).upper(),
        "[" + ":".join(f"{piece:04x}" for piece in pieces) + "]",
        "[" + ":".join(f"{piece:X}" for piece in pieces) + "]",
        f"[{first}:{ipv4}]",
    )


def _path_spellings(record: URLRecord) -> Sequence[str]:
    path = record.path_text
    # Without a host, two slashes at the start of the path would begin an authority.
    written = f"/.{path}" if record.host is None and path.startswith("//") else path
    if not path.startswith("/"):
        return (written,)
    found = [written, f"/.{path}", f"/%2e{path}", f"/x/..{path}", f"/x/.%2E{path}"]
    if record.scheme == "file" and _DRIVE_LETTER.match(path):
        found.append(f"{path[:2]}|{path[3:]}")
    if path == "/" and record.is_special and record.scheme != "file":
        found.append("")
    return found
