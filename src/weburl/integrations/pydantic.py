"""pydantic: URLs, references, hosts, origins and sites as types, and rules for URL fields.

``class Link(BaseModel): url: weburl.URLRecord`` does not need an import from here: pydantic calls
the class, which imports this module. Our errors never show a username or a password, because the
value that pydantic calls the input is masked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

import attrs
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, Tag, ValidationError
from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    PydanticSerializationUnexpectedValue,
    core_schema,
)

from weburl import (
    URL,
    Host,
    Report,
    URLParseError,
    URLPolicy,
    URLRecord,
    ValidationErrorType,
    check,
    parse,
)
from weburl.fields import starts_with_host_and_port
from weburl.infra.credentials import masked, masked_before_at_sign
from weburl.infra.strings import exact, to_scalar_value_string
from weburl.integrations import texts
from weburl.integrations.schemas import JSON_SCHEMAS

__all__ = ["AnyHost", "URLRules"]

_Refusals: TypeAlias = Iterable[tuple[str, str]]
"""The reasons why a value is refused, as pairs of a code and a sentence."""

_RULES: Final = "weburl_rules"  # The key in the metadata of a schema.
_PLAIN: Final = (int, float, type(None))
_KINDS: Final = (*texts.KINDS, URL)
# People fix a few mistakes at a time.
_MOST_REFUSALS: Final = 10

# Text that is relative on purpose, rather than a host without its scheme.
_RELATIVE: Final = re.compile(r"/(?!/)|[\\?#]|\.\.?(?:[/\\?#]|\Z)")
_C0_CONTROLS_AND_SPACE: Final = "".join(map(chr, range(0x21)))


class _Refused(Exception):  # It becomes pydantic's own error.
    """A value is refused, for one or more reasons."""

    def __init__(self, refusals: _Refusals) -> None:
        self.refusals = refusals


# The schemas that pydantic requests from our classes.


def core_schema_of(kind: type) -> CoreSchema:
    """Return pydantic's schema of one of our classes."""
    if kind is URLRecord:
        return _url_schema(())
    noun, code = texts.KINDS[kind]
    return _text_schema(kind, kind.__name__, noun, code, lambda text: texts.read(kind, text))


def json_schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of one of our classes."""
    return dict(JSON_SCHEMAS[kind])


def _text_schema(
    kind: Any,  # noqa: ANN401  # a class or a union
    name: str,
    noun: str,
    code: str,
    read: Callable[[str], object],
) -> CoreSchema:
    def converted(value: object) -> object:
        if isinstance(value, kind):
            return value
        if isinstance(value, str):
            return read(value)
        raise _Refused([_wrong_type(noun, value)])

    return _schema(kind, name, noun, code, converted)


def _url_schema(rules: tuple[URLRules, ...]) -> CoreSchema:
    noun, code = texts.KINDS[URLRecord]
    schema: Any
    schema = _schema(URLRecord, "URLRecord", noun, code, lambda value: _ruled_url(value, rules))
    schema["metadata"][_RULES] = rules
    return cast("CoreSchema", schema)


def _schema(
    kind: Any,  # noqa: ANN401
    name: str,
    noun: str,
    code: str,
    converted: Callable[[object], object],
) -> CoreSchema:
    """Return pydantic's schema of values of ``kind``.

    In strict mode, only text from JSON is converted.

    Args:
        kind: A class or a union of classes.
        name: The name of ``kind``, for messages.
        noun: What messages call a value, such as "a host".
        code: The code of an error without a code of its own.
        converted: Converts an input to a value of ``kind``.
    """

    def validated(value: object) -> object:
        try:
            return converted(value)
        except _Refused as error:
            refusals = error.refusals
        except URLParseError as error:
            refusals = [(code if error.type is None else str(error.type), error.reason)]
        raise _error(name, refusals, _shown(value, kind))

    def validated_strictly(value: object) -> object:
        if isinstance(value, kind):
            return validated(value)
        refusal = _wrong_type(f"{noun} of the type {name}", value, text="")
        raise _error(name, [refusal], _shown(value, kind))

    def written(value: object, info: core_schema.SerializationInfo[Any]) -> object:
        if isinstance(value, kind):
            return str(value) if _asks_for_text(info) else value
        raise PydanticSerializationUnexpectedValue(
            f"Expected {noun} of the type {name}, not {type(value).__name__}"
        )

    plain = core_schema.no_info_plain_validator_function
    schema = core_schema.lax_or_strict_schema(
        lax_schema=plain(validated),
        strict_schema=core_schema.json_or_python_schema(
            plain(validated), plain(validated_strictly)
        ),
        serialization=core_schema.plain_serializer_function_ser_schema(written, info_arg=True),
    )
    # With the tag, errors of a union name the type that refused the value: ("host", "Domain").
    return Tag(name).__get_pydantic_core_schema__(kind, cast("Any", lambda _kind: schema))


def _asks_for_text(info: core_schema.SerializationInfo[Any]) -> bool:
    # django-ninja dumps its responses as Python values, but its encoder does not know ours. Only
    # the context shows that a response is being dumped.
    return info.mode != "python" or (
        isinstance(info.context, Mapping) and "response_status" in info.context
    )


def _wrong_type(noun: str, value: object, *, text: str = "text or ") -> tuple[str, str]:
    return "wrong-type", f"Expected {text}{noun}, not a value of the type {type(value).__name__}."


def _error(name: str, refusals: _Refusals, shown: object) -> ValidationError:
    # pydantic would turn our own exception into an error that shows the whole value.
    details: list[InitErrorDetails] = [
        {"type": PydanticCustomError(cast("Any", code), cast("Any", reason)), "input": shown}
        for code, reason in refusals
    ]
    return ValidationError.from_exception_data(name, details)


def _shown(value: object, kind: object) -> object:
    """Return what an error shows of a value that is not a ``kind``, without credentials."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, str):
        text = to_scalar_value_string(value)  # JSON in UTF-8 cannot contain a lone surrogate.
        return masked(text) if kind is URLRecord else masked_before_at_sign(text)
    return repr(value) if isinstance(value, _KINDS) else f"<{type(value).__name__}>"


# Rules.


def _schemes(schemes: Iterable[str] | None) -> tuple[str, ...] | None:
    return URLPolicy(schemes=schemes).schemes


def _base(base: str | URLRecord | None) -> URLRecord | None:
    return base if base is None or isinstance(base, URLRecord) else parse(base)


def _normalized(strictness: Collection[str]) -> str | tuple[str, ...]:
    if isinstance(strictness, str):
        if strictness not in ("browser", "valid"):
            raise ValueError(
                f"strictness must be 'browser', 'valid' or names of errors, not {strictness!r}"
            )
        return strictness
    names = tuple(sorted({str(ValidationErrorType(name)) for name in strictness}))
    return names or "browser"


@attrs.frozen(kw_only=True)
class URLRules:
    """Rules for a URL field: ``Annotated[URLRecord, URLRules(…)]``.

    If a field has several, all of them apply. The code of an error is the standard's name of a
    validation error, or that of a policy ("scheme-not-allowed", "too-long").

    Args:
        allowed_schemes: An iterable of schemes. None allows every scheme, even ``javascript:``.
        max_length: The maximum length of the text, which is checked before parsing, and of the
            canonical form, which may be longer.
        policy: A `weburl.URLPolicy`.
        strictness: "browser" accepts what a browser accepts. "valid" refuses text that is not a
            valid URL string. Names of validation errors refuse text with one of these errors.
        assume_scheme: The scheme for text without one, such as "example.com" or "localhost:8000".
        base: The URL to which text is joined, so that it may be relative.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: An argument is invalid.
        URLParseError: The base does not parse.
    """

    allowed_schemes: tuple[str, ...] | None = attrs.field(default=None, converter=_schemes)
    max_length: int | None = None
    policy: URLPolicy | None = attrs.field(
        default=None,
        validator=attrs.validators.optional(attrs.validators.instance_of(URLPolicy)),
    )
    strictness: Literal["browser", "valid"] | Collection[str] = attrs.field(
        default="browser", converter=_normalized
    )
    assume_scheme: str | None = None
    base: URLRecord | None = attrs.field(default=None, converter=_base)
    _whole_policy: URLPolicy = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.assume_scheme is not None:
            (scheme,) = URLPolicy(schemes=[self.assume_scheme]).schemes or ()
            object.__setattr__(self, "assume_scheme", scheme)
            if self.base is not None:
                raise ValueError("assume_scheme and base cannot be combined")
        own = URLPolicy(schemes=self.allowed_schemes, max_length=self.max_length)
        whole = own if self.policy is None else own & self.policy
        object.__setattr__(self, "_whole_policy", whole)

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        rules = schema.get("metadata", {}).get(_RULES)
        if rules is None:
            raise TypeError(
                "URLRules must come directly after URLRecord, before other annotations:"
                " Annotated[URLRecord, URLRules(…)] | None"
            )
        new: Any = _url_schema((*rules, self))
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
    """Return ``value`` as a URL, if all rules allow it. Raises `_Refused` or `URLParseError`."""
    text = None
    base = next((rule.base for rule in reversed(rules) if rule.base is not None), None)
    if isinstance(value, str):
        text = exact(value)
        longest = min(filter(None, (rule.longest for rule in rules)), default=None)
        if longest is not None and len(text) > longest:
            reason = f"The text has {len(text)} characters, and at most {longest} are allowed."
            raise _Refused([("too-long", reason)])
        record, text = (parse(text, base), text) if base is not None else _parsed(text, rules)
    elif isinstance(value, (URLRecord, URL)):
        record = value.record if isinstance(value, URL) else value
    else:
        raise _Refused([_wrong_type("a URLRecord", value)])
    refusals = [refusal for rule in rules for refusal in rule.refusals(record, text, base)]
    if refusals:
        raise _Refused(dict.fromkeys(refusals))
    return record


def _parsed(text: str, rules: tuple[URLRules, ...]) -> tuple[URLRecord, str]:
    """Return the record of ``text``, and the text with its scheme, which may be assumed."""
    scheme = next((rule.assume_scheme for rule in reversed(rules) if rule.assume_scheme), None)
    bare = text.lstrip(_C0_CONTROLS_AND_SPACE)
    try:
        record = parse(text)
    except URLParseError as error:
        if (
            scheme is None
            or error.type is not ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL
            or _RELATIVE.match(bare)
            or bare.startswith((f"{scheme}//", "http//", "https//"))
        ):
            raise
    else:
        if scheme is None or not starts_with_host_and_port(bare):
            return record, text
    text = f"{scheme}:{bare}" if bare.startswith("//") else f"{scheme}://{bare}"
    return parse(text), text


# The union of hosts, with one error instead of five.


@attrs.frozen
class _AnyHost:
    """Gives a field of the type `Host` a single error."""

    def __get_pydantic_core_schema__(
        self, _source: object, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return _text_schema(Host, "Host", "a host", "not-a-host", texts.read_host)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string"}


AnyHost: TypeAlias = Annotated[Host, _AnyHost()]
"""The union of hosts as the type of a field, with one error where `weburl.Host` gives five."""
