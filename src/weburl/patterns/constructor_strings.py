"""Constructor strings: from a whole pattern to the patterns of its components, and back.

Spec: https://urlpattern.spec.whatwg.org/#constructor-string-parsing
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final, Literal, TypeAlias

from weburl.patterns.component import matches_a_special_scheme, protocol_component
from weburl.patterns.errors import URLPatternError
from weburl.patterns.init import COMPONENTS, patterns_of
from weburl.patterns.tokenizer import Token, TokenType, token_at

_State: TypeAlias = Literal[
    "init",
    "protocol",
    "authority",
    "username",
    "password",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
    "done",
]

_BEFORE_THE_HOSTNAME: Final = ("protocol", "authority", "username", "password")
_BEFORE_THE_PATHNAME: Final = (*_BEFORE_THE_HOSTNAME, "hostname", "port")
_BEFORE_THE_SEARCH: Final = (*_BEFORE_THE_PATHNAME, "pathname")


def parse_a_constructor_string(text: str, *, regexp_groups: bool = True) -> dict[str, str]:
    """Return the pattern of each component that ``text`` has.

    Raises `URLPatternError` if the pattern of the protocol is wrong. The others are not read here.

    Spec: #parse-a-constructor-string
    """
    return _ConstructorStringParser(text, regexp_groups=regexp_groups).parse()


class _ConstructorStringParser:
    """The standard counts tokens. Here `position` is the offset where the current token starts.

    Spec: #constructor-string-parser
    """

    def __init__(self, text: str, *, regexp_groups: bool) -> None:
        self.text = text
        self.regexp_groups = regexp_groups
        self.result: dict[str, str] = {}
        self.position = 0
        self.previous: TokenType | None = None
        self.component_start = 0
        self.before_component: TokenType | None = None
        self.group_depth = 0
        self.hostname_ipv6_bracket_depth = 0
        self.protocol_matches_a_special_scheme = False
        self.state: _State = "init"
        self.token = self.token_here()
        self.stays = False
        """Whether the next round looks at the token where a new component starts."""

    def parse(self) -> dict[str, str]:
        """Return the pattern of each component."""
        while self.state != "done":
            self.token = self.token_here()
            self.stays = False
            if self.token.type == "end":
                self.end()
            elif self.token.type == "open":
                self.group_depth += 1
            elif self.group_depth == 0:
                self.run_state()
            elif self.token.type == "close":
                self.group_depth -= 1
                self.run_state()
            if not self.stays:
                self.advance()
        if "hostname" in self.result:
            self.result.setdefault("port", "")
        return self.result

    def end(self) -> None:
        """Finish the last component, or rewind if its kind was not clear before the end."""
        if self.state == "init":
            self.rewind()
            self.token = self.token_here()
            if self.is_at("#"):
                self.change_state("hash", 1)
            elif self.is_search_prefix():
                self.change_state("search", 1)
            else:
                self.change_state("pathname", 0)
        elif self.state == "authority":
            self.rewind()
            self.state = "hostname"
        else:
            self.change_state("done", 0)

    def run_state(self) -> None:  # noqa: C901  # one case for each state, as in the standard
        """Run the steps of the current state for the current token."""
        match self.state:
            case "init":
                if self.is_at(":"):
                    self.rewind()
                    self.state = "protocol"
            case "protocol":
                if self.is_at(":"):
                    self.end_protocol()
            case "authority":
                if self.is_at("@"):
                    self.rewind()
                    self.state = "username"
                elif self.is_at("/") or self.is_search_prefix() or self.is_at("#"):
                    self.rewind()
                    self.state = "hostname"
            case "username":
                if self.is_at(":"):
                    self.change_state("password", 1)
                elif self.is_at("@"):
                    self.change_state("hostname", 1)
            case "password":
                if self.is_at("@"):
                    self.change_state("hostname", 1)
            case "hostname":
                self.run_hostname_state()
            case "port":
                if self.is_at("/"):
                    self.change_state("pathname", 0)
                else:
                    self.end_before_search_or_hash()
            case "pathname":
                self.end_before_search_or_hash()
            case "search":
                if self.is_at("#"):
                    self.change_state("hash", 1)
            case "hash" | "done":
                pass

    def end_protocol(self) -> None:
        """Continue with the authority if the protocol has one, or else to the pathname."""
        protocol = protocol_component(self.component_text(), regexp_groups=self.regexp_groups)
        self.protocol_matches_a_special_scheme = matches_a_special_scheme(protocol)
        if self.next_is_authority_slashes():
            self.change_state("authority", 3)
        elif self.protocol_matches_a_special_scheme:
            self.change_state("authority", 1)
        else:
            self.change_state("pathname", 1)

    def run_hostname_state(self) -> None:
        if self.is_at("["):
            self.hostname_ipv6_bracket_depth += 1
        elif self.is_at("]"):
            self.hostname_ipv6_bracket_depth -= 1
        elif self.is_at(":") and self.hostname_ipv6_bracket_depth == 0:
            self.change_state("port", 1)
        elif self.is_at("/"):
            self.change_state("pathname", 0)
        else:
            self.end_before_search_or_hash()

    def end_before_search_or_hash(self) -> None:
        """Finish the component if the current token starts the search or the hash."""
        if self.is_search_prefix():
            self.change_state("search", 1)
        elif self.is_at("#"):
            self.change_state("hash", 1)

    def change_state(self, new_state: _State, skip: int) -> None:
        """Finish the component, and start another after ``skip`` tokens.

        Spec: #change-state
        """
        old_state, result = self.state, self.result
        if old_state not in ("init", "authority", "done"):
            result[old_state] = self.component_text()
        if old_state != "init" and new_state != "done":
            if old_state in _BEFORE_THE_HOSTNAME and new_state in (
                "port",
                "pathname",
                "search",
                "hash",
            ):
                result.setdefault("hostname", "")
            if old_state in _BEFORE_THE_PATHNAME and new_state in ("search", "hash"):
                result.setdefault("pathname", "/" if self.protocol_matches_a_special_scheme else "")
            if old_state in _BEFORE_THE_SEARCH and new_state == "hash":
                result.setdefault("search", "")
        self.state = new_state
        for _ in range(skip):
            self.token = self.token_here()
            self.advance()
        self.component_start = self.position
        self.before_component = self.previous
        self.stays = True

    def rewind(self) -> None:
        """Rewind to the start of the component.

        Spec: #rewind
        """
        self.position = self.component_start
        self.previous = self.before_component
        self.stays = True

    def advance(self) -> None:
        """Advance to the next token."""
        self.previous = self.token.type
        self.position = self.token.end

    def token_here(self) -> Token:
        """Return the token at the current position."""
        return token_at(self.text, self.position, lenient=True)

    def component_text(self) -> str:
        """Return the component up to the current token.

        Spec: #make-a-component-string
        """
        return self.text[self.component_start : self.position]

    def is_at(self, code_point: str) -> bool:
        """Return whether the current token is this code point, without a meaning in patterns.

        Spec: #is-a-non-special-pattern-char
        """
        return _is_plain(self.token, code_point)

    def next_is_authority_slashes(self) -> bool:
        """Return whether two slashes follow.

        Spec: #next-is-authority-slashes
        """
        first = token_at(self.text, self.token.end, lenient=True)
        if not _is_plain(first, "/"):
            return False
        return _is_plain(token_at(self.text, first.end, lenient=True), "/")

    def is_search_prefix(self) -> bool:
        """Return whether the current token is a "?" that starts the search.

        Spec: #is-a-search-prefix
        """
        if self.is_at("?"):
            return True
        if self.token.value != "?":
            return False
        return self.previous not in ("name", "regexp", "close", "asterisk")


def _is_plain(token: Token, code_point: str) -> bool:
    return token.value == code_point and token.type in ("char", "escaped-char", "invalid-char")


def constructor_string_of(patterns: Mapping[str, str]) -> str | None:
    """Return a constructor string for the pattern strings of all components, or None.

    There is none if, for example, the pathname has no slash before it.
    """
    for text in _candidates(patterns):
        try:
            read = parse_a_constructor_string(text)
        except URLPatternError:
            continue
        if patterns_of(read) == patterns:
            return text
    return None


def _candidates(patterns: Mapping[str, str]) -> Iterator[str]:
    """Yield strings that may mean these patterns, the shortest first."""
    protocol, username, password, hostname, port, pathname, search, hash = (
        patterns[name] for name in COMPONENTS
    )
    credentials = "" if username == password == "*" else f"{username}:{password}@"
    authority = f"{credentials}{hostname}{f':{port}' if port else ''}"
    # After a group, a "?" could be its modifier, and a ":" could start a name.
    for colon, slashes, question_mark in product((":", "\\:"), ("//", ""), ("?", "\\?")):
        start = f"{protocol}{colon}{slashes}{authority if slashes else ''}"
        rest = f"{question_mark}{search}" if search != "*" or hash != "*" else ""
        end = f"#{hash}" if hash != "*" else ""
        if pathname != "*" or search != "*" or hash != "*":
            yield f"{start}{pathname}{rest}{end}"
            # An empty search that a hash follows needs no "?".
            yield f"{start}{pathname}{end}"
        yield f"{start}{pathname}?{search}#{hash}"
        if pathname == "*":
            yield f"{start}{rest}{end}"
