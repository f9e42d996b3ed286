"""The URL Pattern Standard, step by step as it is written, over the literal URL parser.

Slow and plain. Nothing is imported from `weburl`. Matching is by Python's `re`, of the regular
expression that the standard generates, so groups with regular expressions are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from unicodedata2 import category

from tests.reference.hosts import host_serializer
from tests.reference.machine import State, basic_url_parse
from tests.reference.outcomes import FAILURE
from tests.reference.records import ReferenceRecord
from tests.reference.serializing import url_path_serializer
from tests.reference.terms import USERINFO_PERCENT_ENCODE_SET, utf8_percent_encode

COMPONENTS: Final = (
    "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash",
)  # fmt: skip
SPECIAL_SCHEMES: Final = {
    "ftp": "21", "file": "", "http": "80", "https": "443", "ws": "80", "wss": "443",
}  # fmt: skip

Callback = Callable[[str], str]


class PatternTypeError(Exception):
    """The standard's TypeError."""


class HasRegexpError(Exception):
    """The pattern has a group with a regular expression, which only JavaScript can judge."""


# --- tokens -----------------------------------------------------------------------------------


@dataclass
class Token:
    """Spec: #token."""

    type: str
    index: int
    value: str


@dataclass
class Tokenizer:
    """Spec: #tokenizer."""

    input: str
    policy: str
    token_list: list[Token] = field(default_factory=list)
    index: int = 0
    next_index: int = 0
    code_point: str = ""

    def get_the_next_code_point(self) -> None:
        self.code_point = self.input[self.next_index]
        self.next_index += 1

    def seek_and_get_the_next_code_point(self, index: int) -> None:
        self.next_index = index
        self.get_the_next_code_point()

    def add_a_token(self, type: str, next_position: int, value_position: int, length: int) -> None:
        value = self.input[value_position : value_position + length]
        self.token_list.append(Token(type, self.index, value))
        self.index = next_position

    def add_with_default_length(self, type: str, next_position: int, value_position: int) -> None:
        self.add_a_token(type, next_position, value_position, next_position - value_position)

    def add_with_default_position_and_length(self, type: str) -> None:
        self.add_with_default_length(type, self.next_index, self.index)

    def process_a_tokenizing_error(self, next_position: int, value_position: int) -> None:
        if self.policy == "strict":
            raise PatternTypeError
        self.add_with_default_length("invalid-char", next_position, value_position)


def is_a_valid_name_code_point(code_point: str, first: bool) -> bool:
    """Spec: #is-a-valid-name-code-point."""
    if code_point in "$_\u1885\u1886\u2118\u212e\u309b\u309c":
        return True
    if not first and code_point in "\u00b7\u0387\u19da\u200c\u200d\u30fb\uff65":
        return True
    if code_point == "\u2e2f":
        return False
    starts = category(code_point) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl")
    return starts or (not first and category(code_point) in ("Mn", "Mc", "Nd", "Pc"))


def tokenize(input: str, policy: str) -> list[Token]:  # noqa: C901, PLR0915  # as written
    """Spec: #tokenize."""
    t = Tokenizer(input, policy)
    while t.index < len(t.input):
        t.seek_and_get_the_next_code_point(t.index)
        if t.code_point == "*":
            t.add_with_default_position_and_length("asterisk")
            continue
        if t.code_point in "+?":
            t.add_with_default_position_and_length("other-modifier")
            continue
        if t.code_point == "\\":
            if t.index == len(t.input) - 1:
                t.process_a_tokenizing_error(t.next_index, t.index)
                continue
            escaped_index = t.next_index
            t.get_the_next_code_point()
            t.add_with_default_length("escaped-char", t.next_index, escaped_index)
            continue
        if t.code_point == "{":
            t.add_with_default_position_and_length("open")
            continue
        if t.code_point == "}":
            t.add_with_default_position_and_length("close")
            continue
        if t.code_point == ":":
            name_position = t.next_index
            name_start = name_position
            while name_position < len(t.input):
                t.seek_and_get_the_next_code_point(name_position)
                first = name_position == name_start
                if not is_a_valid_name_code_point(t.code_point, first):
                    break
                name_position = t.next_index
            if name_position <= name_start:
                t.process_a_tokenizing_error(name_start, t.index)
                continue
            t.add_with_default_length("name", name_position, name_start)
            continue
        if t.code_point == "(":
            depth = 1
            regexp_position = t.next_index
            regexp_start = regexp_position
            error = False
            while regexp_position < len(t.input):
                t.seek_and_get_the_next_code_point(regexp_position)
                if not t.code_point.isascii():
                    t.process_a_tokenizing_error(regexp_start, t.index)
                    error = True
                    break
                if regexp_position == regexp_start and t.code_point == "?":
                    t.process_a_tokenizing_error(regexp_start, t.index)
                    error = True
                    break
                if t.code_point == "\\":
                    if regexp_position == len(t.input) - 1:
                        t.process_a_tokenizing_error(regexp_start, t.index)
                        error = True
                        break
                    t.get_the_next_code_point()
                    if not t.code_point.isascii():
                        t.process_a_tokenizing_error(regexp_start, t.index)
                        error = True
                        break
                    regexp_position = t.next_index
                    continue
                if t.code_point == ")":
                    depth -= 1
                    if depth == 0:
                        regexp_position = t.next_index
                        break
                elif t.code_point == "(":
                    depth += 1
                    if regexp_position == len(t.input) - 1:
                        t.process_a_tokenizing_error(regexp_start, t.index)
                        error = True
                        break
                    temporary_position = t.next_index
                    t.get_the_next_code_point()
                    if t.code_point != "?":
                        t.process_a_tokenizing_error(regexp_start, t.index)
                        error = True
                        break
                    t.next_index = temporary_position
                regexp_position = t.next_index
            if error:
                continue
            if depth != 0:
                t.process_a_tokenizing_error(regexp_start, t.index)
                continue
            regexp_length = regexp_position - regexp_start - 1
            if regexp_length == 0:
                t.process_a_tokenizing_error(regexp_start, t.index)
                continue
            t.add_a_token("regexp", regexp_position, regexp_start, regexp_length)
            continue
        t.add_with_default_position_and_length("char")
    t.add_with_default_length("end", t.index, t.index)
    return t.token_list


# --- pattern strings ----------------------------------------------------------------------------


@dataclass
class Options:
    """Spec: #options."""

    delimiter: str = ""
    prefix: str = ""
    ignore_case: bool = False


@dataclass
class Part:
    """Spec: #part."""

    type: str
    value: str
    modifier: str
    name: str = ""
    prefix: str = ""
    suffix: str = ""


def escape_a_regexp_string(input: str) -> str:
    """Spec: #escape-a-regexp-string."""
    return "".join(f"\\{c}" if c in ".+*?^${}()[]|/\\" else c for c in input)


def escape_a_pattern_string(input: str) -> str:
    """Spec: #escape-a-pattern-string."""
    return "".join(f"\\{c}" if c in "+*?:{}()\\" else c for c in input)


def generate_a_segment_wildcard_regexp(options: Options) -> str:
    """Spec: #generate-a-segment-wildcard-regexp."""
    return f"[^{escape_a_regexp_string(options.delimiter)}]+?"


def convert_a_modifier_to_a_string(modifier: str) -> str:
    """Spec: #convert-a-modifier-to-a-string."""
    return {"zero-or-more": "*", "optional": "?", "one-or-more": "+"}.get(modifier, "")


@dataclass
class PatternParser:
    """Spec: #pattern-parser."""

    token_list: list[Token]
    encoding_callback: Callback
    segment_wildcard_regexp: str
    part_list: list[Part] = field(default_factory=list)
    pending_fixed_value: str = ""
    index: int = 0
    next_numeric_name: int = 0

    def try_to_consume(self, type: str) -> Token | None:
        next_token = self.token_list[self.index]
        if next_token.type != type:
            return None
        self.index += 1
        return next_token

    def try_to_consume_a_modifier(self) -> Token | None:
        token = self.try_to_consume("other-modifier")
        if token is not None:
            return token
        return self.try_to_consume("asterisk")

    def try_to_consume_a_regexp_or_wildcard(self, name_token: Token | None) -> Token | None:
        token = self.try_to_consume("regexp")
        if name_token is None and token is None:
            token = self.try_to_consume("asterisk")
        return token

    def consume_a_required(self, type: str) -> Token:
        result = self.try_to_consume(type)
        if result is None:
            raise PatternTypeError
        return result

    def consume_text(self) -> str:
        result = ""
        while True:
            token = self.try_to_consume("char")
            if token is None:
                token = self.try_to_consume("escaped-char")
            if token is None:
                break
            result += token.value
        return result

    def maybe_add_a_part_from_the_pending_fixed_value(self) -> None:
        if self.pending_fixed_value == "":
            return
        encoded_value = self.encoding_callback(self.pending_fixed_value)
        self.pending_fixed_value = ""
        self.part_list.append(Part("fixed-text", encoded_value, "none"))

    def add_a_part(
        self,
        prefix: str,
        name_token: Token | None,
        regexp_or_wildcard_token: Token | None,
        suffix: str,
        modifier_token: Token | None,
    ) -> None:
        modifier = "none"
        if modifier_token is not None:
            modifier = {"?": "optional", "*": "zero-or-more", "+": "one-or-more"}[
                modifier_token.value
            ]
        if name_token is None and regexp_or_wildcard_token is None and modifier == "none":
            self.pending_fixed_value += prefix
            return
        self.maybe_add_a_part_from_the_pending_fixed_value()
        if name_token is None and regexp_or_wildcard_token is None:
            if prefix == "":
                return
            self.part_list.append(Part("fixed-text", self.encoding_callback(prefix), modifier))
            return
        if regexp_or_wildcard_token is None:
            regexp_value = self.segment_wildcard_regexp
        elif regexp_or_wildcard_token.type == "asterisk":
            regexp_value = ".*"
        else:
            regexp_value = regexp_or_wildcard_token.value
        type = "regexp"
        if regexp_value == self.segment_wildcard_regexp:
            type = "segment-wildcard"
            regexp_value = ""
        elif regexp_value == ".*":
            type = "full-wildcard"
            regexp_value = ""
        name = ""
        if name_token is not None:
            name = name_token.value
        elif regexp_or_wildcard_token is not None:
            name = str(self.next_numeric_name)
            self.next_numeric_name += 1
        if any(part.name == name for part in self.part_list):
            raise PatternTypeError
        encoded_prefix = self.encoding_callback(prefix)
        encoded_suffix = self.encoding_callback(suffix)
        self.part_list.append(
            Part(type, regexp_value, modifier, name, encoded_prefix, encoded_suffix)
        )


def parse_a_pattern_string(input: str, options: Options, callback: Callback) -> list[Part]:
    """Spec: #parse-a-pattern-string."""
    parser = PatternParser(
        tokenize(input, "strict"), callback, generate_a_segment_wildcard_regexp(options)
    )
    while parser.index < len(parser.token_list):
        char_token = parser.try_to_consume("char")
        name_token = parser.try_to_consume("name")
        regexp_or_wildcard = parser.try_to_consume_a_regexp_or_wildcard(name_token)
        if name_token is not None or regexp_or_wildcard is not None:
            prefix = ""
            if char_token is not None:
                prefix = char_token.value
            if prefix not in ("", options.prefix):
                parser.pending_fixed_value += prefix
                prefix = ""
            parser.maybe_add_a_part_from_the_pending_fixed_value()
            modifier_token = parser.try_to_consume_a_modifier()
            parser.add_a_part(prefix, name_token, regexp_or_wildcard, "", modifier_token)
            continue
        fixed_token = char_token
        if fixed_token is None:
            fixed_token = parser.try_to_consume("escaped-char")
        if fixed_token is not None:
            parser.pending_fixed_value += fixed_token.value
            continue
        open_token = parser.try_to_consume("open")
        if open_token is not None:
            prefix = parser.consume_text()
            name_token = parser.try_to_consume("name")
            regexp_or_wildcard = parser.try_to_consume_a_regexp_or_wildcard(name_token)
            suffix = parser.consume_text()
            parser.consume_a_required("close")
            modifier_token = parser.try_to_consume_a_modifier()
            parser.add_a_part(prefix, name_token, regexp_or_wildcard, suffix, modifier_token)
            continue
        parser.maybe_add_a_part_from_the_pending_fixed_value()
        parser.consume_a_required("end")
    return parser.part_list


def generate_a_regular_expression_and_name_list(
    part_list: list[Part], options: Options
) -> tuple[str, list[str]]:
    """Spec: #generate-a-regular-expression-and-name-list."""
    result = "^"
    name_list: list[str] = []
    escape = escape_a_regexp_string
    for part in part_list:
        modifier = convert_a_modifier_to_a_string(part.modifier)
        if part.type == "fixed-text":
            if part.modifier == "none":
                result += escape(part.value)
            else:
                result += f"(?:{escape(part.value)}){modifier}"
            continue
        name_list.append(part.name)
        regexp_value = part.value
        if part.type == "segment-wildcard":
            regexp_value = generate_a_segment_wildcard_regexp(options)
        elif part.type == "full-wildcard":
            regexp_value = ".*"
        prefix, suffix = escape(part.prefix), escape(part.suffix)
        if part.prefix == "" and part.suffix == "":
            if part.modifier in ("none", "optional"):
                result += f"({regexp_value}){modifier}"
            else:
                result += f"((?:{regexp_value}){modifier})"
            continue
        if part.modifier in ("none", "optional"):
            result += f"(?:{prefix}({regexp_value}){suffix}){modifier}"
            continue
        result += f"(?:{prefix}((?:{regexp_value})(?:{suffix}{prefix}(?:{regexp_value}))*){suffix})"
        if part.modifier == "zero-or-more":
            result += "?"
    return result + "$", name_list


def generate_a_pattern_string(part_list: list[Part], options: Options) -> str:  # noqa: C901, PLR0915  # as written
    """Spec: #generate-a-pattern-string."""
    result = ""
    escape = escape_a_pattern_string
    for index, part in enumerate(part_list):
        previous_part = part_list[index - 1] if index > 0 else None
        next_part = part_list[index + 1] if index < len(part_list) - 1 else None
        modifier = convert_a_modifier_to_a_string(part.modifier)
        if part.type == "fixed-text":
            if part.modifier == "none":
                result += escape(part.value)
                continue
            result += f"{{{escape(part.value)}}}{modifier}"
            continue
        custom_name = part.name[0] not in "0123456789"
        needs_grouping = part.suffix != "" or (part.prefix not in ("", options.prefix))
        if (
            not needs_grouping
            and custom_name
            and part.type == "segment-wildcard"
            and part.modifier == "none"
            and next_part is not None
            and next_part.prefix == ""
            and next_part.suffix == ""
        ):
            if next_part.type == "fixed-text":
                needs_grouping = next_part.value != "" and is_a_valid_name_code_point(
                    next_part.value[0], False
                )
            else:
                needs_grouping = next_part.name[0] in "0123456789"
        if (
            not needs_grouping
            and part.prefix == ""
            and previous_part is not None
            and previous_part.type == "fixed-text"
            and previous_part.value != ""
            and previous_part.value[-1] == options.prefix
        ):
            needs_grouping = True
        if needs_grouping:
            result += "{"
        result += escape(part.prefix)
        if custom_name:
            result += f":{part.name}"
        if part.type == "regexp":
            result += f"({part.value})"
        elif part.type == "segment-wildcard" and not custom_name:
            result += f"({generate_a_segment_wildcard_regexp(options)})"
        elif part.type == "full-wildcard":
            if not custom_name and (
                previous_part is None
                or previous_part.type == "fixed-text"
                or previous_part.modifier != "none"
                or needs_grouping
                or part.prefix != ""
            ):
                result += "*"
            else:
                result += "(.*)"
        if (
            part.type == "segment-wildcard"
            and custom_name
            and part.suffix != ""
            and is_a_valid_name_code_point(part.suffix[0], False)
        ):
            result += "\\"
        result += escape(part.suffix)
        if needs_grouping:
            result += "}"
        result += modifier
    return result


# --- canonicalization ---------------------------------------------------------------------------


def dummy_url() -> ReferenceRecord:
    """Spec: #create-a-dummy-url."""
    url = basic_url_parse("https://dummy.invalid/")
    assert isinstance(url, ReferenceRecord)
    return url


def _run(value: str, url: ReferenceRecord, state: State) -> None:
    if basic_url_parse(value, url=url, state_override=state) is FAILURE:
        raise PatternTypeError


def canonicalize_a_protocol(value: str) -> str:
    """Spec: #canonicalize-a-protocol."""
    if value == "":
        return value
    result = basic_url_parse(f"{value}://dummy.invalid/")
    if not isinstance(result, ReferenceRecord):
        raise PatternTypeError
    return result.scheme


def canonicalize_credentials(value: str) -> str:
    """Spec: #canonicalize-a-username and #canonicalize-a-password."""
    return utf8_percent_encode(value, USERINFO_PERCENT_ENCODE_SET)


def canonicalize_a_hostname(value: str) -> str:
    """Spec: #canonicalize-a-hostname."""
    if value == "":
        return value
    url = dummy_url()
    _run(value, url, State.HOSTNAME)
    return "" if url.host is None else host_serializer(url.host)


def canonicalize_an_ipv6_hostname(value: str) -> str:
    """Spec: #canonicalize-an-ipv6-hostname."""
    if not set(value) <= set("0123456789abcdefABCDEF[]:"):
        raise PatternTypeError
    return value.lower()


def canonicalize_a_port(value: str, protocol: str = "") -> str:
    """Spec: #canonicalize-a-port."""
    # As web-platform-tests have it: the text of the standard would leave "https" in the dummy URL.
    if value == "":
        return value
    url = dummy_url()
    url.scheme = protocol
    _run(value, url, State.PORT)
    return "" if url.port is None else str(url.port)


def canonicalize_a_pathname(value: str) -> str:
    """Spec: #canonicalize-a-pathname."""
    if value == "":
        return value
    leading_slash = value[0] == "/"
    url = dummy_url()
    url.path = []
    _run(value if leading_slash else f"/-{value}", url, State.PATH_START)
    result = url_path_serializer(url)
    return result if leading_slash else result[2:]


def canonicalize_an_opaque_pathname(value: str) -> str:
    """Spec: #canonicalize-an-opaque-pathname."""
    if value == "":
        return value
    url = dummy_url()
    url.path = ""
    _run(value, url, State.OPAQUE_PATH)
    return url_path_serializer(url)


def canonicalize_a_search(value: str) -> str:
    """Spec: #canonicalize-a-search."""
    if value == "":
        return value
    url = dummy_url()
    url.query = ""
    _run(value, url, State.QUERY)
    return url.query


def canonicalize_a_hash(value: str) -> str:
    """Spec: #canonicalize-a-hash."""
    if value == "":
        return value
    url = dummy_url()
    url.fragment = ""
    _run(value, url, State.FRAGMENT)
    return url.fragment


# --- components and patterns --------------------------------------------------------------------


@dataclass
class Component:
    """Spec: #component."""

    pattern_string: str
    part_list: list[Part]
    regular_expression: re.Pattern[str]
    name_list: list[str]

    def groups(self, input: str) -> dict[str, str | None] | None:
        """Spec: #create-a-component-match-result; None where there is no match."""
        found = self.regular_expression.fullmatch(input)
        if found is None:
            return None
        groups = {name: found[index + 1] for index, name in enumerate(self.name_list)}
        for part in self.part_list:
            # JavaScript takes no empty repetition of an optional group, and Python does.
            if part.modifier == "optional" and not part.prefix and not part.suffix and part.name:
                groups[part.name] = groups[part.name] or None
        return groups


def compile_a_component(input: str, callback: Callback, options: Options) -> Component:
    """Spec: #compile-a-component."""
    part_list = parse_a_pattern_string(input, options, callback)
    if any(part.type == "regexp" for part in part_list):
        raise HasRegexpError
    expression, name_list = generate_a_regular_expression_and_name_list(part_list, options)
    # Python spells "any code point" otherwise, and its "$" may come before a line end.
    python = expression[1:-1].replace("[^]", r"[\s\S]")
    regex = re.compile(python, re.IGNORECASE if options.ignore_case else 0)
    return Component(generate_a_pattern_string(part_list, options), part_list, regex, name_list)


def matches_a_special_scheme(component: Component) -> bool:
    """Spec: #protocol-component-matches-a-special-scheme."""
    return any(component.regular_expression.fullmatch(scheme) for scheme in SPECIAL_SCHEMES)


@dataclass
class ConstructorStringParser:
    """Spec: #constructor-string-parser."""

    input: str
    token_list: list[Token]
    result: dict[str, str] = field(default_factory=dict)
    component_start: int = 0
    token_index: int = 0
    token_increment: int = 1
    group_depth: int = 0
    hostname_ipv6_bracket_depth: int = 0
    protocol_matches_a_special_scheme: bool = False
    state: str = "init"

    def change_state(self, new_state: str, skip: int) -> None:
        if self.state not in ("init", "authority", "done"):
            self.result[self.state] = self.make_a_component_string()
        if self.state != "init" and new_state != "done":
            if (
                self.state in ("protocol", "authority", "username", "password")
                and new_state in ("port", "pathname", "search", "hash")
                and "hostname" not in self.result
            ):
                self.result["hostname"] = ""
            if (
                self.state in ("protocol", "authority", "username", "password", "hostname", "port")
                and new_state in ("search", "hash")
                and "pathname" not in self.result
            ):
                self.result["pathname"] = "/" if self.protocol_matches_a_special_scheme else ""
            if (
                self.state
                in (
                    "protocol", "authority", "username", "password", "hostname", "port", "pathname",
                )
                and new_state == "hash"
                and "search" not in self.result
            ):  # fmt: skip
                self.result["search"] = ""
        self.state = new_state
        self.token_index += skip
        self.component_start = self.token_index
        self.token_increment = 0

    def rewind(self) -> None:
        self.token_index = self.component_start
        self.token_increment = 0

    def get_a_safe_token(self, index: int) -> Token:
        return self.token_list[index] if index < len(self.token_list) else self.token_list[-1]

    def is_plain(self, index: int, value: str) -> bool:
        token = self.get_a_safe_token(index)
        return token.value == value and token.type in ("char", "escaped-char", "invalid-char")

    def is_at(self, value: str) -> bool:
        return self.is_plain(self.token_index, value)

    def is_a_search_prefix(self) -> bool:
        if self.is_at("?"):
            return True
        if self.token_list[self.token_index].value != "?":
            return False
        previous_index = self.token_index - 1
        if previous_index < 0:
            return True
        return self.get_a_safe_token(previous_index).type not in (
            "name", "regexp", "close", "asterisk",
        )  # fmt: skip

    def make_a_component_string(self) -> str:
        token = self.token_list[self.token_index]
        start = self.get_a_safe_token(self.component_start).index
        return self.input[start : token.index]


def parse_a_constructor_string(input: str) -> dict[str, str]:  # noqa: C901, PLR0915  # as written
    """Spec: #parse-a-constructor-string."""
    p = ConstructorStringParser(input, tokenize(input, "lenient"))
    while p.token_index < len(p.token_list):
        p.token_increment = 1
        token = p.token_list[p.token_index]
        if token.type == "end":
            if p.state == "init":
                p.rewind()
                if p.is_at("#"):
                    p.change_state("hash", 1)
                elif p.is_a_search_prefix():
                    p.change_state("search", 1)
                else:
                    p.change_state("pathname", 0)
                p.token_index += p.token_increment
                continue
            if p.state == "authority":
                p.rewind()
                p.state = "hostname"
                p.token_index += p.token_increment
                continue
            p.change_state("done", 0)
            break
        if token.type == "open":
            p.group_depth += 1
            p.token_index += p.token_increment
            continue
        if p.group_depth > 0:
            if token.type == "close":
                p.group_depth -= 1
            else:
                p.token_index += p.token_increment
                continue
        if p.state == "init":
            if p.is_at(":"):
                p.rewind()
                p.state = "protocol"
        elif p.state == "protocol":
            if p.is_at(":"):
                component = compile_a_component(
                    p.make_a_component_string(), canonicalize_a_protocol, Options()
                )
                if matches_a_special_scheme(component):
                    p.protocol_matches_a_special_scheme = True
                next_state, skip = "pathname", 1
                if p.is_plain(p.token_index + 1, "/") and p.is_plain(p.token_index + 2, "/"):
                    next_state, skip = "authority", 3
                elif p.protocol_matches_a_special_scheme:
                    next_state = "authority"
                p.change_state(next_state, skip)
        elif p.state == "authority":
            if p.is_at("@"):
                p.rewind()
                p.state = "username"
            elif p.is_at("/") or p.is_a_search_prefix() or p.is_at("#"):
                p.rewind()
                p.state = "hostname"
        elif p.state == "username":
            if p.is_at(":"):
                p.change_state("password", 1)
            elif p.is_at("@"):
                p.change_state("hostname", 1)
        elif p.state == "password":
            if p.is_at("@"):
                p.change_state("hostname", 1)
        elif p.state == "hostname":
            if p.is_at("["):
                p.hostname_ipv6_bracket_depth += 1
            elif p.is_at("]"):
                p.hostname_ipv6_bracket_depth -= 1
            elif p.is_at(":") and p.hostname_ipv6_bracket_depth == 0:
                p.change_state("port", 1)
            elif p.is_at("/"):
                p.change_state("pathname", 0)
            elif p.is_a_search_prefix():
                p.change_state("search", 1)
            elif p.is_at("#"):
                p.change_state("hash", 1)
        elif p.state == "port":
            if p.is_at("/"):
                p.change_state("pathname", 0)
            elif p.is_a_search_prefix():
                p.change_state("search", 1)
            elif p.is_at("#"):
                p.change_state("hash", 1)
        elif p.state == "pathname":
            if p.is_a_search_prefix():
                p.change_state("search", 1)
            elif p.is_at("#"):
                p.change_state("hash", 1)
        elif p.state == "search" and p.is_at("#"):
            p.change_state("hash", 1)
        p.token_index += p.token_increment
    if "hostname" in p.result and "port" not in p.result:
        p.result["port"] = ""
    return p.result


def components_of(url: ReferenceRecord) -> dict[str, str]:
    """Return the components of a URL, as in the steps of a match."""
    return {
        "protocol": url.scheme,
        "username": url.username,
        "password": url.password,
        "hostname": "" if url.host is None else host_serializer(url.host),
        "port": "" if url.port is None else str(url.port),
        "pathname": url_path_serializer(url),
        "search": url.query or "",
        "hash": url.fragment or "",
    }


def process_a_base_url_string(input: str, type: str) -> str:
    """Spec: #process-a-base-url-string."""
    return input if type != "pattern" else escape_a_pattern_string(input)


def is_an_absolute_pathname(input: str, type: str) -> bool:
    """Spec: #is-an-absolute-pathname."""
    if input == "":
        return False
    if input[0] == "/":
        return True
    if type == "url" or len(input) < 2:
        return False
    return input[:2] in ("\\/", "{/")


def process_a_url_pattern_init(init: dict[str, str], type: str) -> dict[str, str]:  # noqa: C901, PLR0915  # as written
    """Spec: #process-a-urlpatterninit."""
    result = {} if type == "pattern" else dict.fromkeys(COMPONENTS, "")
    base_url: ReferenceRecord | None = None
    if "baseURL" in init:
        parsed = basic_url_parse(init["baseURL"])
        if not isinstance(parsed, ReferenceRecord):
            raise PatternTypeError
        base_url = parsed
        base = components_of(base_url)

        def has_none_of(*names: str) -> bool:
            return not any(name in init for name in names)

        if has_none_of("protocol"):
            result["protocol"] = process_a_base_url_string(base["protocol"], type)
        if type != "pattern" and has_none_of("protocol", "hostname", "port", "username"):
            result["username"] = base["username"]
        if type != "pattern" and has_none_of(
            "protocol", "hostname", "port", "username", "password"
        ):
            result["password"] = base["password"]
        if has_none_of("protocol", "hostname"):
            result["hostname"] = process_a_base_url_string(base["hostname"], type)
        if has_none_of("protocol", "hostname", "port"):
            result["port"] = base["port"]
        if has_none_of("protocol", "hostname", "port", "pathname"):
            result["pathname"] = process_a_base_url_string(base["pathname"], type)
        if has_none_of("protocol", "hostname", "port", "pathname", "search"):
            result["search"] = process_a_base_url_string(base["search"], type)
        if has_none_of("protocol", "hostname", "port", "pathname", "search", "hash"):
            result["hash"] = process_a_base_url_string(base["hash"], type)
    is_pattern = type == "pattern"
    if "protocol" in init:
        stripped = init["protocol"].removesuffix(":")
        result["protocol"] = stripped if is_pattern else canonicalize_a_protocol(stripped)
    for name in ("username", "password"):
        if name in init:
            result[name] = init[name] if is_pattern else canonicalize_credentials(init[name])
    if "hostname" in init:
        value = init["hostname"]
        result["hostname"] = value if is_pattern else canonicalize_a_hostname(value)
    protocol = result.get("protocol", "")
    if "port" in init:
        value = init["port"]
        result["port"] = value if is_pattern else canonicalize_a_port(value, protocol)
    if "pathname" in init:
        result["pathname"] = init["pathname"]
        if (
            base_url is not None
            and not isinstance(base_url.path, str)
            and not is_an_absolute_pathname(result["pathname"], type)
        ):
            base_path = process_a_base_url_string(url_path_serializer(base_url), type)
            slash_index = base_path.rfind("/")
            if slash_index >= 0:
                result["pathname"] = base_path[: slash_index + 1] + result["pathname"]
        if not is_pattern:
            if protocol in SPECIAL_SCHEMES or protocol == "":
                result["pathname"] = canonicalize_a_pathname(result["pathname"])
            else:
                result["pathname"] = canonicalize_an_opaque_pathname(result["pathname"])
    if "search" in init:
        stripped = init["search"].removeprefix("?")
        result["search"] = stripped if is_pattern else canonicalize_a_search(stripped)
    if "hash" in init:
        stripped = init["hash"].removeprefix("#")
        result["hash"] = stripped if is_pattern else canonicalize_a_hash(stripped)
    return result


def hostname_pattern_is_an_ipv6_address(input: str) -> bool:
    """Spec: #hostname-pattern-is-an-ipv6-address."""
    if len(input) < 2:
        return False
    return input[0] == "[" or input[:2] in ("{[", "\\[")


def create(
    input: str | dict[str, str], base_url: str | None = None, *, ignore_case: bool = False
) -> dict[str, Component]:
    """Spec: #url-pattern-create."""
    if isinstance(input, str):
        init = parse_a_constructor_string(input)
        if base_url is None and "protocol" not in init:
            raise PatternTypeError
        if base_url is not None:
            init["baseURL"] = base_url
    else:
        init = input
    processed = process_a_url_pattern_init(init, "pattern")
    for name in COMPONENTS:
        processed.setdefault(name, "*")
    protocol = processed["protocol"]
    if protocol in SPECIAL_SCHEMES and processed["port"] == SPECIAL_SCHEMES[protocol]:
        processed["port"] = ""
    default, hostname = Options(), Options(delimiter=".")
    made = {
        "protocol": compile_a_component(protocol, canonicalize_a_protocol, default),
        "username": compile_a_component(processed["username"], canonicalize_credentials, default),
        "password": compile_a_component(processed["password"], canonicalize_credentials, default),
    }
    is_ipv6 = hostname_pattern_is_an_ipv6_address(processed["hostname"])
    made["hostname"] = compile_a_component(
        processed["hostname"],
        canonicalize_an_ipv6_hostname if is_ipv6 else canonicalize_a_hostname,
        hostname,
    )
    made["port"] = compile_a_component(processed["port"], canonicalize_a_port, default)
    options = Options(ignore_case=ignore_case)
    if matches_a_special_scheme(made["protocol"]):
        path_options = Options("/", "/", ignore_case)
        made["pathname"] = compile_a_component(
            processed["pathname"], canonicalize_a_pathname, path_options
        )
    else:
        made["pathname"] = compile_a_component(
            processed["pathname"], canonicalize_an_opaque_pathname, options
        )
    made["search"] = compile_a_component(processed["search"], canonicalize_a_search, options)
    made["hash"] = compile_a_component(processed["hash"], canonicalize_a_hash, options)
    return made


def match(
    pattern: dict[str, Component], input: str | dict[str, str], base_url: str | None = None
) -> dict[str, tuple[str, dict[str, str | None]]] | None:
    """Return the input and the groups of each component, or None.

    Spec: #url-pattern-match
    """
    if isinstance(input, dict):
        try:
            values = process_a_url_pattern_init(input, "url")
        except PatternTypeError:
            return None
    else:
        base: ReferenceRecord | None = None
        if base_url is not None:
            parsed = basic_url_parse(base_url)
            if not isinstance(parsed, ReferenceRecord):
                return None
            base = parsed
        url = basic_url_parse(input, base)
        if not isinstance(url, ReferenceRecord):
            return None
        values = components_of(url)
    result: dict[str, tuple[str, dict[str, str | None]]] = {}
    for name, component in pattern.items():
        groups = component.groups(values[name])
        if groups is None:
            return None
        result[name] = (values[name], groups)
    return result
