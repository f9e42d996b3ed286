"""RFC 3986: the generic syntax of URIs, and the resolution of relative references.

The grammar is a value, because RFC 3987 and HTML5 define their grammars as changes to it.
Nothing is normalized here.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import attrs

from weburl.history.errors import LegacyURLError
from weburl.standard.hosts.ipv6 import parse_ipv6
from weburl.standard.infra.credentials import without_credentials
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.strings import is_visible, require_text

__all__ = ["Components", "merge", "parse", "remove_dot_segments", "resolve", "split"]

_SUB_DELIMS: Final = "!$&'()*+,;="
_NO_HEX_DIGITS: Final = "%(?![0-9A-Fa-f]{2})"
_SCHEME_AND_COLON: Final = re.compile("([A-Za-z][A-Za-z0-9+.-]*+):")
_LEADING_DOT_SEGMENTS: Final = re.compile(r"(?>(?:\.\.?/)*)")
_PERCENT_ENCODED: Final = tuple(f"%{byte:02X}" for byte in range(0x100))
_SEGMENT_WITH_SLASH: Final = re.compile("/[^/]*|[^/]+")


@attrs.frozen(repr=False)
class Components:
    """The components of a URI or a relative reference, as text; None if one is missing.

    ``path`` is always text, which may be empty. The repr leaves out the userinfo.
    """

    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def authority(self) -> str | None:
        """The userinfo, the host and the port as written, or None if there is no host."""
        if self.host is None:
            return None
        userinfo = "" if self.userinfo is None else f"{self.userinfo}@"
        return userinfo + self.host + ("" if self.port is None else f":{self.port}")

    def __str__(self) -> str:
        """Recompose the text. RFC 3986, section 5.3."""
        authority = self.authority
        return "".join(
            (
                "" if self.scheme is None else f"{self.scheme}:",
                "" if authority is None else f"//{authority}",
                self.path,
                "" if self.query is None else f"?{self.query}",
                "" if self.fragment is None else f"#{self.fragment}",
            )
        )

    def __repr__(self) -> str:
        shown = attrs.evolve(
            self,
            userinfo=None,
            host=self.host and without_credentials(self.host, after="//"),
            path=without_credentials(
                self.path,
                after="" if not self.scheme or self.path[:1] == "/" else f"{self.scheme}:",
            ),
            query=self.query and without_credentials(self.query),
            fragment=self.fragment and without_credentials(self.fragment),
        )
        return f"Components({str(shown)!r})"


class _Rule(NamedTuple):
    """A component, and a pattern for a run of code points that may not be in it."""

    component: str
    forbidden: re.Pattern[str]


class Grammar:
    """The productions of RFC 3986 with some of them widened.

    ``unreserved``: the unreserved characters, as the inside of a regex character class.
    ``private``: in the same form, what a query may contain in addition. ``lone_percent``: whether
    a "%" without two hexadecimal digits is allowed everywhere except in a host.
    ``hash_in_fragment``: whether a fragment may contain "#".
    """

    def __init__(
        self,
        unreserved: str,
        private: str = "",
        *,
        lone_percent: bool = False,
        hash_in_fragment: bool = False,
    ) -> None:
        unreserved += re.escape(_SUB_DELIMS)

        def rule(component: str, others: str, *, lone_percent: bool = lone_percent) -> _Rule:
            pattern = f"[^{unreserved}{others}%]" + ("" if lone_percent else f"|{_NO_HEX_DIGITS}")
            return _Rule(component, re.compile(f"(?:{pattern})+"))

        self._userinfo = rule("userinfo", ":")
        self._host = rule("host", "", lone_percent=False)
        self._path = rule("path", ":@/")
        self._query = rule("query", ":@/?" + private)
        self._fragment = rule("fragment", ":@/?" + ("#" if hash_in_fragment else ""))
        self._future_address = re.compile(f"[vV][0-9A-Fa-f]+\\.[{unreserved}:]+")

    def parse(self, text: str) -> Components:
        """Return the components of ``text``, a URI or a relative reference.

        Raises `LegacyURLError` for text that is neither. Takes linear time.
        """
        components = split(text)
        if components.scheme is None and components.authority is None:
            first_segment = components.path.partition("/")[0]
            if ":" in first_segment:
                raise LegacyURLError("the text before the first ':' is not a scheme")
        for rule, value in (
            (self._userinfo, components.userinfo),
            (self._path, components.path),
            (self._query, components.query),
            (self._fragment, components.fragment),
        ):
            self._check(rule, value)
        host = components.host
        if host is not None and not self.is_ip_literal(host):
            self._check(self._host, host)
        return components

    @staticmethod
    def _check(rule: _Rule, value: str | None) -> None:
        found = None if value is None else rule.forbidden.search(value)
        if found is None:
            return
        if rule.component == "userinfo":  # The text may be a password, so quote nothing.
            raise LegacyURLError("the userinfo has a character that is not allowed there")
        char = found[0][0]
        shown = r"'\'" if char == "\\" else ascii(char)
        if not char.isascii():
            number = f"U+{ord(char):04X}"
            shown = f"'{char}' ({number})" if is_visible(char) else number
        raise LegacyURLError(f"{shown} is not allowed in the {rule.component}")

    def is_ip_literal(self, host: str) -> bool:
        """Return whether ``host`` is an IPv6 address, or one of a future version, in brackets."""
        if not (host.startswith("[") and host.endswith("]")):
            return False
        address = host[1:-1]
        if self._future_address.fullmatch(address):
            return True
        try:
            parse_ipv6(address)
        except Failure:
            return False
        return True

    def escape(self, component: str, value: str) -> str:
        """Return ``value``, percent-encoding as UTF-8 the code points ``component`` cannot contain.

        ``component`` is "host", "path", "query" or "fragment"; ``value`` contains no surrogates.
        """
        rule: _Rule = getattr(self, f"_{component}")
        return rule.forbidden.sub(lambda found: percent_encode(found[0].encode()), value)


URI: Final = Grammar(r"A-Za-z0-9._~\-")
"""The grammar of RFC 3986, unchanged."""


def percent_encode(data: bytes) -> str:
    """Return every byte of ``data`` percent-encoded."""
    return "".join([_PERCENT_ENCODED[byte] for byte in data])


def split(text: str) -> Components:
    """Return the components of ``text``, split at the delimiters but not checked.

    This does what the regular expression in appendix B of RFC 3986 does, but a scheme must be
    valid, and the authority is split too.
    """
    before_fragment, hash_mark, fragment = require_text(text, "a reference").partition("#")
    hierarchy, question_mark, query = before_fragment.partition("?")
    scheme = None
    if found := _SCHEME_AND_COLON.match(hierarchy):
        scheme = found[1]
        hierarchy = hierarchy[found.end() :]
    userinfo = host = port = None
    if hierarchy.startswith("//"):
        end = hierarchy.find("/", 2)
        end = len(hierarchy) if end < 0 else end
        userinfo, host, port = _split_authority(hierarchy[2:end])
        hierarchy = hierarchy[end:]
    return Components(
        scheme,
        userinfo,
        host,
        port,
        hierarchy,
        query if question_mark else None,
        fragment if hash_mark else None,
    )


def _split_authority(text: str) -> tuple[str | None, str, str | None]:
    userinfo, at_sign, host = text.rpartition("@")
    before, colon, port = host.rpartition(":")
    has_port = bool(colon) and (not port or (port.isascii() and port.isdigit()))
    return (
        userinfo if at_sign else None,
        before if has_port else host,
        port if has_port else None,
    )


def _require_components(value: object) -> None:
    if not isinstance(value, Components):
        raise TypeError(f"expected Components, as split() returns, not {type(value).__name__}")


def resolve(reference: Components, base: Components) -> Components:
    """Return the target of ``reference`` relative to ``base``, which has a scheme.

    Section 5.2.2, strictly: a reference with a scheme is not relative. Raises TypeError for other
    values than `Components`.
    """
    for given in (reference, base):
        _require_components(given)
    fragment = reference.fragment
    if reference.scheme is not None or reference.authority is not None:
        return attrs.evolve(
            reference,
            scheme=base.scheme if reference.scheme is None else reference.scheme,
            path=remove_dot_segments(reference.path),
        )
    if not reference.path:
        query = base.query if reference.query is None else reference.query
        return attrs.evolve(base, query=query, fragment=fragment)
    path = reference.path
    if not path.startswith("/"):
        path = merge(base, path)
    path = remove_dot_segments(path)
    return attrs.evolve(base, path=path, query=reference.query, fragment=fragment)


def merge(base: Components, path: str) -> str:
    """Return ``path``, which does not start with a slash, after the directory of ``base``.

    Section 5.2.3. Raises TypeError for arguments of other types.
    """
    _require_components(base)
    require_text(path, "a path")
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def remove_dot_segments(path: str) -> str:
    """Return ``path`` with "." and ".." resolved. Section 5.2.4, in linear time."""
    require_text(path, "a path")
    found = _LEADING_DOT_SEGMENTS.match(path)
    path = path[0 if found is None else found.end() :]
    if path in (".", ".."):
        return ""
    output: list[str] = []
    segments = _SEGMENT_WITH_SLASH.findall(path)
    for index, segment in enumerate(segments, 1):
        if segment not in ("/.", "/.."):
            output.append(segment)
            continue
        if segment == "/.." and output:
            output.pop()
        if index == len(segments):
            output.append("/")
    return "".join(output)


def parse(text: str, base: str | None = None) -> Components:
    """Return the components of the URI that ``text`` writes, relative to ``base``.

    Without a base, the text must be an absolute URI. Raises `LegacyURLError` if the text or the
    base is not a URI.

    Document: RFC 3986, sections 3 and 5.
    """
    for given in (text, "" if base is None else base):
        require_text(given, "a URI")
    reference = base_components = URI.parse(text)
    if base is not None:
        try:
            base_components = URI.parse(base)
        except LegacyURLError as error:
            raise LegacyURLError(f"in the base: {error}") from None
        if base_components.scheme is None:
            raise LegacyURLError("the base is relative")
    elif reference.scheme is None:
        raise LegacyURLError("the URL is relative, and there is no base")
    return require_readable(resolve(reference, base_components))


def require_readable(target: Components) -> Components:
    """Return ``target``; raise `LegacyURLError` if its text would be read as another URI.

    Section 3.3: without an authority, a path does not begin with two slashes.
    """
    if target.authority is None and target.path.startswith("//"):
        raise LegacyURLError("the path begins with '//', but there is no authority before it")
    return target
