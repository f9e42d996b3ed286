"""`URLPattern`: a pattern for each component of a URL.

Spec: https://urlpattern.spec.whatwg.org/#urlpattern-class
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, Literal, Never, TypeAlias, get_args

import attrs

from weburl.patterns.canonicalization import (
    canonicalize_a_hash,
    canonicalize_a_hostname,
    canonicalize_a_password,
    canonicalize_a_pathname,
    canonicalize_a_port,
    canonicalize_a_search,
    canonicalize_a_username,
    canonicalize_an_ipv6_hostname,
    canonicalize_an_opaque_pathname,
)
from weburl.patterns.component import (
    Component,
    compare_components,
    compile_a_component,
    generate_a_component,
    matches_a_special_scheme,
    protocol_component,
)
from weburl.patterns.constructor_strings import (
    constructor_string_of,
    parse_a_constructor_string,
)
from weburl.patterns.errors import URLPatternError
from weburl.patterns.init import (
    BASE,
    COMPONENTS,
    components_of_record,
    patterns_of,
    process_a_url_pattern_init,
)
from weburl.patterns.matchers import Anything
from weburl.patterns.pattern_strings import (
    DEFAULT_OPTIONS,
    HOSTNAME_OPTIONS,
    PATHNAME_OPTIONS,
)
from weburl.patterns.result import InputItem, URLPatternComponentResult, URLPatternResult
from weburl.standard.infra.comparisons import unequal
from weburl.standard.infra.credentials import (
    masked_before_at_sign,
    masked_value,
    without_credentials,
)
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.guesses import OF_PATTERN
from weburl.standard.infra.one_value import FrozenValue, refuse_to_refill
from weburl.standard.infra.strings import require_text, to_scalar_value_string
from weburl.standard.url.api import parse, text_of
from weburl.standard.url.fast_path import parse_quickly
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.standard.url.report import URLParseError

ComponentName: TypeAlias = Literal[
    "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"
]
"""The names of the eight components, as in the web's interface."""

URLPatternInput: TypeAlias = AnyURL | Mapping[str, str]
"""What a pattern can be matched against: a URL as text or as a record, or its components."""

_LONGEST_EXAMPLE: Final = 30
_IPV4_ADDRESS: Final = re.compile(r"[0-9]+(?:\.[0-9]+){3}")
_IGNORED_KEYS: Final = frozenset({"ignoreCase"})
_KEYS: Final = frozenset({*COMPONENTS, BASE})
_READ: Final[dict[str, Callable[[URLRecord], str]]] = {
    "protocol": lambda record: record.scheme,
    "username": lambda record: record.username,
    "password": lambda record: record.password,
    "hostname": lambda record: "" if record.host is None else str(record.host),
    "port": lambda record: "" if record.port is None else str(record.port),
    "pathname": lambda record: record.path_text,
    "search": lambda record: record.query or "",
    "hash": lambda record: record.fragment or "",
}


class _Compiled(FrozenValue):
    """The compiled parts of a pattern, beside its fields.

    Args:
        _init: the pattern of each component as it was written.
        _components: these, compiled.
        _tests: how to read and test each component that does not match everything.
    """

    __slots__ = ("_components", "_init", "_tests")

    _init: tuple[tuple[str, str], ...]
    _components: dict[str, Component]
    _tests: tuple[tuple[str, Callable[[URLRecord], str], Callable[[str], bool]], ...]


@attrs.frozen(init=False, repr=False, eq=False)
class URLPattern(_Compiled):
    """A pattern for URLs, as browsers have it: an immutable value.

    Patterns are equal if all their components and `ignore_case` are. ``str()`` returns the pattern
    as one text where there is such a text, and ``repr()`` as a call that makes it.

    Args:
        input: a pattern for whole URLs, such as ``"https://example.com/users/:id"``, or a mapping
            from names of components to their patterns. A component that it leaves out matches
            everything, or what ``base`` has there. In a string, the port does not: without one, it
            is the default port.
        base: the URL that a relative text refers to. Give a mapping its base as
            its key "baseURL".
        ignore_case: whether "A" matches "a" in the pathname, the search and the hash.
        regexp_groups: whether the pattern may have groups with regular expressions. Say False for
            patterns of strangers: then every match takes time linear in the URL.
        protocol: the pattern of the scheme, without ":".
        username: the pattern of the username.
        password: the pattern of the password.
        hostname: the pattern of the host.
        port: the pattern of the port. The default port of a scheme is "".
        pathname: the pattern of the path.
        search: the pattern of the query, without "?".
        hash: the pattern of the fragment, without "#".

    Give ``input``, or components as keywords. The eight attributes have the patterns in their
    normal form.

    Raises:
        URLPatternError: the pattern is wrong. The error shows where.
        TypeError: an argument has the wrong type, or ``input`` is given twice, as itself and as
            keywords.

    Warns with a UserWarning about a hostname such as ``192.168.*``. Browsers read ``192.168.`` as
    the address 192.0.0.168, so the pattern does not match what it seems to.

    Spec: https://urlpattern.spec.whatwg.org/#urlpattern-class
    """

    __module__ = "weburl"

    protocol: str = attrs.field(default="*")
    username: str = attrs.field(default="*")
    password: str = attrs.field(default="*")
    hostname: str = attrs.field(default="*")
    port: str = attrs.field(default="*")
    pathname: str = attrs.field(default="*")
    search: str = attrs.field(default="*")
    hash: str = attrs.field(default="*")
    ignore_case: bool = attrs.field(default=False)

    def __init__(
        self,
        input: str | Mapping[str, str] | None = None,
        base: AnyURL | None = None,
        *,
        ignore_case: bool = False,
        regexp_groups: bool = True,
        protocol: str | None = None,
        username: str | None = None,
        password: str | None = None,
        hostname: str | None = None,
        port: str | None = None,
        pathname: str | None = None,
        search: str | None = None,
        hash: str | None = None,
        **unknown: Never,
    ) -> None:
        if unknown:
            name = min(unknown)
            hint = f": write {OF_PATTERN[name]}" if name in OF_PATTERN else ""
            raise TypeError(f"URLPattern() has no argument {masked_value(name)}{hint}")
        keywords = {
            "protocol": protocol,
            "username": username,
            "password": password,
            "hostname": hostname,
            "port": port,
            "pathname": pathname,
            "search": search,
            "hash": hash,
        }
        given = {name: value for name, value in keywords.items() if value is not None}
        if given and input is not None:
            raise TypeError("give a pattern as one argument, or as keywords, but not as both")
        init = _init_of(given or input, base, regexp_groups=regexp_groups, has_keywords=bool(given))
        self._set(patterns_of(init), ignore_case, regexp_groups=regexp_groups)
        if (problem := address_in_part(self)) is not None:
            warnings.warn(str(problem), stacklevel=2)

    def _set(self, patterns: dict[str, str], ignore_case: bool, *, regexp_groups: bool) -> None:
        """Fill the slots from the patterns of all components."""
        refuse_to_refill(self)
        components = _compiled(patterns, ignore_case, regexp_groups=regexp_groups)
        for name, component in components.items():
            object.__setattr__(self, name, component.pattern_string)
        object.__setattr__(self, "ignore_case", bool(ignore_case))
        object.__setattr__(self, "_init", tuple(patterns.items()))
        object.__setattr__(self, "_components", components)
        tests = tuple(
            (name, _READ[name], component.matcher.test)
            for name, component in components.items()
            if not isinstance(component.matcher, Anything)
        )
        object.__setattr__(self, "_tests", tests)

    def test(self, input: URLPatternInput | None = None, base: AnyURL | None = None) -> bool:
        """Return whether a URL matches.

        Args:
            input: the URL, or a mapping from names of components to their values.
                A component that a mapping leaves out is empty, or what its "baseURL" has there.
            base: the URL that a relative text refers to.

        Returns False for text that does not parse.

        Raises TypeError if an argument has the wrong type, and `URLPatternError` if a mapping has a
        key that is not a component, or a base beside it.

        Spec: https://urlpattern.spec.whatwg.org/#dom-urlpattern-test
        """
        if base is None and type(input) is str and (record := parse_quickly(input)) is not None:
            # Most calls end here.
            for _, read, test in self._tests:  # noqa: SIM110  # a generator would take as long again
                if not test(read(record)):
                    return False
            return True
        values = values_of(input, base)
        return values is not None and self._matches_values(values)

    def _matches_values(self, values: Mapping[str, str]) -> bool:
        """Return whether the pattern matches the components that `values_of` returns."""
        for name, _, test in self._tests:  # noqa: SIM110  # as in `test`
            if not test(values[name]):
                return False
        return True

    def exec(
        self, input: URLPatternInput | None = None, base: AnyURL | None = None
    ) -> URLPatternResult | None:
        """Return what each component and each group matched, or None if the URL does not match.

        The arguments and errors are the same as for `test`.

        Spec: https://urlpattern.spec.whatwg.org/#dom-urlpattern-exec
        """
        values = values_of(input, base)
        if values is None:
            return None
        results: dict[str, Any] = {}
        for name, component in self._components.items():
            groups = component.groups(values[name])
            if groups is None:
                return None
            results[name] = URLPatternComponentResult(values[name], groups)
        return URLPatternResult(**results, input_items=_input_items(input, base))

    @property
    def has_regexp_groups(self) -> bool:
        """Whether a component has a group with a regular expression.

        Spec: https://urlpattern.spec.whatwg.org/#dom-urlpattern-hasregexpgroups
        """
        return any(component.has_regexp_groups for component in self._components.values())

    def generate(self, component: ComponentName, groups: Mapping[str, str] | None = None) -> str:
        """Return the text of a component that the pattern matches, with these groups.

        Args:
            component: the name of the component, such as "pathname".
            groups: the text of each group by its name. It is percent-encoded where needed.

        Raises URLPatternError for a group without a text, or with a text that it cannot have, for a
        pattern with modifiers, "*" or regular expressions, and for another name of a component.
        """
        self._require_component(component)
        return generate_a_component(self._components[component], component, groups or {})

    @staticmethod
    def compare_component(component: ComponentName, left: URLPattern, right: URLPattern) -> int:
        """Return -1, 0 or 1: whether one component of a pattern is less specific than another's.

        The result is 1 if ``left`` is more specific: its first part that differs is fixed text
        rather than a regular expression, that rather than a named group, or that rather than "*".

        Raises URLPatternError if ``component`` is not the name of a component, and TypeError if
        ``left`` or ``right`` is not a `URLPattern`.
        """
        for pattern in (left, right):
            if not isinstance(pattern, URLPattern):
                raise TypeError(f"only URLPatterns can be compared, not {type(pattern).__name__}")
        left._require_component(component)
        return compare_components(left._components[component], right._components[component])

    def component_test(self, component: ComponentName) -> Callable[[str], bool]:
        """Return a function that returns whether the text of one component matches.

        Raises URLPatternError if ``component`` is not the name of a component.
        """
        self._require_component(component)
        return self._components[component].matcher.test

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, Any]]:
        """Return what Django's migrations write: the import path and the components."""
        given: dict[str, Any] = {
            name: getattr(self, name) for name in COMPONENTS if getattr(self, name) != "*"
        }
        if self.ignore_case:
            given["ignore_case"] = True
        return "weburl.URLPattern", (), given

    def _require_component(self, component: str) -> None:
        if component not in self._components:
            raise _not_a_component(component)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, URLPattern):
            return self._key() == other._key()
        return unequal(self, other)

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (*(getattr(self, name) for name in COMPONENTS), self.ignore_case)

    def __getstate__(self) -> tuple[tuple[tuple[str, str], ...], bool]:
        return (self._init, self.ignore_case)

    def __setstate__(self, state: tuple[tuple[tuple[str, str], ...], bool]) -> None:
        patterns, ignore_case = state
        self._set(dict(patterns), ignore_case, regexp_groups=True)

    def __str__(self) -> str:
        """Return the pattern as one text that makes it again, or else what ``repr()`` returns."""
        text = constructor_string_of({name: getattr(self, name) for name in COMPONENTS})
        return repr(self) if text is None else text

    def __repr__(self) -> str:
        """Return the components that do not match everything. Fixed credentials are masked."""
        shown = [
            f"{name}={_shown(name, getattr(self, name))!r}"
            for name in COMPONENTS
            if getattr(self, name) != "*"
        ]
        if self.ignore_case:
            shown.append("ignore_case=True")
        return f"URLPattern({', '.join(shown)})"


def _init_of(
    input: object, base: AnyURL | None, *, regexp_groups: bool, has_keywords: bool
) -> dict[str, str]:
    """Return the components that the arguments of a pattern give, and the base.

    Spec: #url-pattern-create
    """
    base_text = _base_text(base)
    if isinstance(input, str):
        text = to_scalar_value_string(input)
        init = parse_a_constructor_string(text, regexp_groups=regexp_groups)
        if base_text is None and "protocol" not in init:
            raise URLPatternError(
                "A relative pattern needs a base URL.", text, expected=_full_form_of(text)
            )
    else:
        if base_text is not None and isinstance(input, Mapping) and not has_keywords:
            raise _base_beside_a_mapping(base_text)
        init = _checked_mapping(input, "a pattern")
    if base_text is not None:
        init[BASE] = base_text
    return init


def _full_form_of(text: str) -> str:
    """Return what a relative pattern could be instead, with an example."""
    example = "*://*:*/users/:id"
    if text.startswith("/") and len(text) <= _LONGEST_EXAMPLE:
        with suppress(URLPatternError):  # It may be wrong in other ways, too.
            example = str(URLPattern(f"*://*:*{text}"))
    return f"a base, or a full pattern such as {quoted(example)}"


def _checked_mapping(input: object, what: str) -> dict[str, str]:
    """Return a mapping of components, all of them text."""
    if input is None:
        return {}
    if not isinstance(input, Mapping):
        raise TypeError(f"{what} must be text or a mapping, not {type(input).__name__}")
    init: dict[str, str] = {}
    for name, value in input.items():
        if name in _IGNORED_KEYS:
            continue
        if name not in _KEYS:
            raise _not_a_component(name)
        text = text_of(value, "a base") if name == BASE else require_text(value, f"the {name}")
        init[name] = to_scalar_value_string(text)
    return init


def _base_beside_a_mapping(base: str) -> URLPatternError:
    return URLPatternError("A mapping has its base URL as its key 'baseURL'.", base)


def _not_a_component(name: object) -> URLPatternError:
    text = name if isinstance(name, str) else masked_value(name)
    guess = OF_PATTERN.get(text)
    hint = "" if guess is None else f" Write {guess}."
    reason = f"There is no component {masked_value(name)}, only: {', '.join(COMPONENTS)}.{hint}"
    return URLPatternError(reason, text)


def _base_text(base: AnyURL | None) -> str | None:
    """Return a base as text, or None."""
    return None if base is None else to_scalar_value_string(text_of(base, "a base"))


def _compiled(
    patterns: dict[str, str], ignore_case: bool, *, regexp_groups: bool
) -> dict[str, Component]:
    """Return the components, compiled.

    Spec: #url-pattern-create
    """
    protocol = protocol_component(patterns["protocol"], regexp_groups=regexp_groups)
    hostname_encoding = (
        canonicalize_an_ipv6_hostname
        if hostname_pattern_is_an_ipv6_address(patterns["hostname"])
        else canonicalize_a_hostname
    )
    options = attrs.evolve(DEFAULT_OPTIONS, ignore_case=ignore_case)
    pathname_encoding, pathname_options = canonicalize_an_opaque_pathname, options
    if matches_a_special_scheme(protocol):
        pathname_encoding = canonicalize_a_pathname
        pathname_options = attrs.evolve(PATHNAME_OPTIONS, ignore_case=ignore_case)
    others = {
        "username": (canonicalize_a_username, DEFAULT_OPTIONS),
        "password": (canonicalize_a_password, DEFAULT_OPTIONS),
        "hostname": (hostname_encoding, HOSTNAME_OPTIONS),
        "port": (canonicalize_a_port, DEFAULT_OPTIONS),
        "pathname": (pathname_encoding, pathname_options),
        "search": (canonicalize_a_search, options),
        "hash": (canonicalize_a_hash, options),
    }
    components = {"protocol": protocol}
    for name, (encode, options) in others.items():
        text = patterns[name]
        # Most patterns leave most components as they are. Those can share a component.
        compile = _compile_cached if text in ("*", "") else compile_a_component
        components[name] = compile(text, encode, options, name, regexp_groups=regexp_groups)
    return components


_compile_cached: Final = lru_cache(maxsize=256)(compile_a_component)


def hostname_pattern_is_an_ipv6_address(text: str) -> bool:
    """Return whether the pattern of a hostname starts as an IPv6 address does.

    Spec: #hostname-pattern-is-an-ipv6-address
    """
    return len(text) >= 2 and text.startswith(("[", "{[", "\\["))


def components_of(pattern: URLPattern) -> dict[str, Component]:
    """Return the compiled components of a pattern, for the other modules of this room."""
    return pattern._components  # noqa: SLF001  # see the docstring


def pattern_of(input: str | Mapping[str, str]) -> URLPattern:
    """Return the pattern that ``URLPattern(input)`` makes, without its warning."""
    pattern = URLPattern.__new__(URLPattern)
    init = _init_of(input, None, regexp_groups=True, has_keywords=False)
    pattern._set(patterns_of(init), False, regexp_groups=True)  # noqa: SLF001  # see the docstring
    return pattern


def address_in_part(pattern: URLPattern) -> URLPatternError | None:
    """Return an error if a part of the hostname became an IPv4 address that it does not contain.

    The standard encodes each fixed part of a hostname like a whole host.
    """
    hostname = pattern._components["hostname"]  # noqa: SLF001  # for the other modules, as above
    if len(hostname.parts) < 2:
        return None
    text = dict(pattern._init)["hostname"]  # noqa: SLF001  # as above
    for part in hostname.parts:
        for fixed in (part.prefix, part.value * (part.type == "fixed-text"), part.suffix):
            if _IPV4_ADDRESS.fullmatch(fixed) and fixed not in text:
                reason = f"A part of the hostname is read as the IPv4 address {fixed}."
                expected = "a host in full; URLPolicy(networks=…) allows addresses of a network"
                return URLPatternError(reason, text, "hostname", expected=expected)
    return None


def matches(pattern: URLPattern, values: Mapping[str, str]) -> bool:
    """Return whether a pattern matches the components of a URL, for the other modules."""
    return pattern._matches_values(values)  # noqa: SLF001  # see the docstring


def values_of(input: URLPatternInput | None, base: AnyURL | None) -> dict[str, str] | None:
    """Return the components to match, or None if there is no such URL.

    Spec: #url-pattern-match
    """
    if input is None or isinstance(input, Mapping):
        if base is not None:
            raise _base_beside_a_mapping(_base_text(base) or "")
        init = _checked_mapping(input, "a URL")
        try:
            return process_a_url_pattern_init(init, "url")
        except URLPatternError:
            return None
    try:
        return components_of_record(parse(input, base))
    except URLParseError:
        return None


def _input_items(input: URLPatternInput | None, base: AnyURL | None) -> tuple[InputItem, ...]:
    """Return the inputs as a result keeps them."""
    item: InputItem
    if input is None:
        item = ()
    elif isinstance(input, Mapping):
        item = tuple(_checked_mapping(input, "a URL").items())
    else:
        item = text_of(input)
    base_text = _base_text(base)
    return (item,) if base_text is None else (item, base_text)


def _shown(name: str, pattern: str) -> str:
    """Return a pattern for ``repr()``, without what may be a username or a password."""
    if name in ("username", "password"):
        return "…" if pattern else pattern
    # The credentials of "foo:user:password@host" are a part of an opaque path.
    if name == "pathname" and not pattern.startswith("/"):
        return masked_before_at_sign(pattern)
    return without_credentials(pattern)


assert get_args(ComponentName) == COMPONENTS
