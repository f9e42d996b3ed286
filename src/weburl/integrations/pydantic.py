"""pydantic: URLs, references, hosts, origins and sites as types, and rules for URL fields.

``class Link(BaseModel): url: weburl.URLRecord`` does not need an import from here. Our errors never
show a username or a password, because the value that pydantic calls the input is masked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

import attrs

from weburl.standard.support.releases import required

with required("pydantic>=2.11"):
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

from weburl import (
    Host,
    Report,
    URLPolicy,
    URLRecord,
    ValidationErrorType,
    check,
    parse,
)
from weburl.integrations import texts
from weburl.integrations.pydantic_schemas import (
    RULES,
    Refused,
    record_in,
    text_schema,
    url_schema,
)
from weburl.policies.policy import require_policy
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.strings import exact, require_text
from weburl.standard.support.typed_text import read_typed_text

__all__ = ["AnyHost", "URLRules"]

# People fix a few mistakes at a time.
_MOST_REFUSALS: Final = 10


# Rules.


def _schemes(schemes: Iterable[str] | None) -> tuple[str, ...] | None:
    return URLPolicy(schemes=schemes).schemes


def _base(base: str | URLRecord | None) -> URLRecord | None:
    return base if base is None or isinstance(base, URLRecord) else parse(base)


def _normalized(strictness: Collection[str]) -> str | tuple[str, ...]:
    if isinstance(strictness, str):
        if strictness not in ("browser", "valid"):
            raise ValueError(
                "strictness must be 'browser', 'valid' or names of errors, not"
                f" {masked_value(strictness)}"
            )
        return strictness
    types = {ValidationErrorType(require_text(name, "a name")) for name in strictness}
    names = tuple(sorted(map(str, types)))
    return names or "browser"


@attrs.frozen(kw_only=True)
class URLRules:
    """Rules for a URL field: ``Annotated[URLRecord, URLRules(…)]``.

    If a field has several, all of them apply. The code of an error is the standard's name of a
    validation error, or the name of a violation ("scheme-not-allowed", "too-long").

    Args:
        schemes: An iterable of schemes. None allows every scheme, even ``javascript:``.
        max_length: The maximum length of the text, which is checked before parsing, and of the
            canonical form, which may be longer.
        policy: A `weburl.URLPolicy`, or a function without arguments that returns one. The function
            is called for each URL.
        strictness: "browser" accepts what a browser accepts. "valid" refuses text that is not a
            valid URL string. Names of validation errors refuse text with one of these errors.
        assume_scheme: The scheme for text without one, such as "example.com" or "localhost:8000".
            Text that is something else, such as an e-mail address, is refused. See
            `weburl.integrations.building_blocks.TypedText`.
        base: The URL to which text is joined, so that it may be relative.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument is invalid.
        URLParseError: The base does not parse.
    """

    schemes: tuple[str, ...] | None = attrs.field(default=None, converter=_schemes)
    max_length: int | None = None
    policy: URLPolicy | Callable[[], URLPolicy] | None = None
    strictness: Literal["browser", "valid"] | Collection[str] = attrs.field(
        default="browser", converter=_normalized
    )
    assume_scheme: str | None = None
    base: URLRecord | None = attrs.field(default=None, converter=_base)
    _fixed_policy: URLPolicy = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.assume_scheme is not None:
            (scheme,) = URLPolicy(schemes=[self.assume_scheme]).schemes or ()
            object.__setattr__(self, "assume_scheme", scheme)
            if self.base is not None:
                raise ValueError("assume_scheme and base cannot be combined")
        own = URLPolicy(schemes=self.schemes, max_length=self.max_length)
        if self.policy is not None and not callable(self.policy):
            own &= require_policy(self.policy)
        object.__setattr__(self, "_fixed_policy", own)

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        rules = schema.get("metadata", {}).get(RULES)
        if rules is None:
            raise TypeError(
                "URLRules must come directly after URLRecord, before other annotations:"
                " Annotated[URLRecord, URLRules(…)] | None"
            )
        rules = (*rules, self)
        new = url_schema(lambda value: _ruled_url(value, rules), rules)
        # Keep what other annotations have added, such as Strict().
        metadata = schema["metadata"] | new["metadata"]
        return cast("CoreSchema", schema | new | {"metadata": metadata})

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        json_schema = handler(schema)
        if self.longest is not None:
            json_schema["maxLength"] = self.longest
        if handler.mode == "validation" and (self.assume_scheme or self.base is not None):
            json_schema["format"] = "uri-reference"
        return json_schema

    @property
    def _whole_policy(self) -> URLPolicy:
        if callable(self.policy):
            return self._fixed_policy & require_policy(self.policy())
        return self._fixed_policy

    @property
    def longest(self) -> int | None:
        """The smaller of ``max_length`` and the policy's maximum length."""
        return self._whole_policy.max_length

    def refusals(
        self, record: URLRecord, text: str | None, base: URLRecord | None
    ) -> Iterator[tuple[str, str]]:
        """Yield the reasons why a URL is refused.

        ``text`` and ``base`` are what it was parsed from, if known.
        """
        written = text if base is None else None
        for violation in self._whole_policy.check(record, written=written):
            yield violation.code, violation.message
            if violation.code == "scheme-not-allowed":
                return  # Other rules may rely on the scheme, for example on a host.
        if self.strictness != "browser":
            report = check(record.href) if text is None else check(text, base)
            yield from self._refusals_of_writing(report)

    def _refusals_of_writing(self, report: Report) -> Iterator[tuple[str, str]]:
        if self.strictness == "valid" and report.is_valid_url_string:
            return
        errors = [
            (str(error.type), error.message)
            for error in report.errors
            if self.strictness == "valid" or error.type in self.strictness
        ]
        if errors:
            yield from list(dict.fromkeys(errors))[:_MOST_REFUSALS]
        elif self.strictness == "valid":
            yield "invalid-URL-string", "It is not written as the URL Standard requires."
        elif report.error_count > len(report.errors):
            yield "too-many-errors", "It has too many mistakes to list."


def _ruled_url(value: object, rules: tuple[URLRules, ...]) -> URLRecord:
    """Return ``value`` as a URL, if all rules allow it. Raises `Refused` or `URLParseError`."""
    text = None
    base = next((rule.base for rule in reversed(rules) if rule.base is not None), None)
    if isinstance(value, str):
        text = exact(value)
        longest = min(filter(None, (rule.longest for rule in rules)), default=None)
        if longest is not None and len(text) > longest:
            reason = f"The text has {len(text)} characters, and at most {longest} are allowed."
            raise Refused([("too-long", reason)])
        record, text = (parse(text, base), text) if base is not None else _parsed(text, rules)
    else:
        record = record_in(value)
    refusals = [refusal for rule in rules for refusal in rule.refusals(record, text, base)]
    if refusals:
        raise Refused(dict.fromkeys(refusals))
    return record


def _parsed(text: str, rules: tuple[URLRules, ...]) -> tuple[URLRecord, str]:
    """Return the record of ``text``, and the text with its scheme, which may be assumed."""
    scheme = next((rule.assume_scheme for rule in reversed(rules) if rule.assume_scheme), None)
    if scheme is not None:
        typed = read_typed_text(text, scheme, single_labels=True)
        if typed.problem is not None:
            raise Refused([(typed.code, typed.reason)])
        text = typed.text
    return parse(text), text


# The union of hosts, with one error instead of five.


@attrs.frozen
class _AnyHost:
    """Gives a field of the type `Host` a single error."""

    def __get_pydantic_core_schema__(
        self, _source: object, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return text_schema(Host, "Host", "a host", "not-a-host", texts.read_host)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string"}


AnyHost: TypeAlias = Annotated[Host, _AnyHost()]
"""The union of hosts as the type of a field, with one error where `weburl.Host` gives five."""
