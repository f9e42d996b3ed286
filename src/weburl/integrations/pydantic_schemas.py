"""pydantic's schemas of our classes, and the errors that never show a username or a password.

pydantic calls a class, which calls this module. Rules for fields are in `pydantic`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

from pydantic import Tag, ValidationError
from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    PydanticSerializationUnexpectedValue,
    core_schema,
)

from weburl.integrations import texts
from weburl.integrations.texts import json_schema_of as json_schema_of  # noqa: PLC0414
from weburl.standard.infra.credentials import masked, masked_before_at_sign
from weburl.standard.infra.guesses import url_of_type
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.interface.url import URL
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

Refusals: TypeAlias = Iterable[tuple[str, str]]
"""The reasons why a value is refused, as pairs of a code and a sentence."""

RULES: Final = "weburl_rules"
"""The key in the metadata of the schema of URLs."""

_PLAIN: Final = (int, float, type(None))


class Refused(Exception):  # It becomes pydantic's own error.
    """A value is refused, for one or more reasons."""

    def __init__(self, refusals: Refusals) -> None:
        self.refusals = refusals


def core_schema_of(kind: type) -> CoreSchema:
    """Return pydantic's schema of one of our classes."""
    if kind is URLRecord:
        return cast("CoreSchema", url_schema(_url))
    noun, code, _ = texts.KINDS[kind]
    return text_schema(kind, kind.__name__, noun, code, lambda text: texts.read(kind, text))


def text_schema(
    kind: Any,  # noqa: ANN401  # a class or a union
    name: str,
    noun: str,
    code: str,
    read: Callable[[str], object],
) -> CoreSchema:
    """Return pydantic's schema of values that are read from text by ``read``; see `_schema`."""

    def converted(value: object) -> object:
        if isinstance(value, kind):
            return value
        if isinstance(value, str):
            return read(value)
        raise Refused([wrong_type(noun, value)])

    return _schema(kind, name, noun, code, converted)


def url_schema(
    converted: Callable[[object], object], rules: tuple[object, ...] = ()
) -> dict[str, Any]:
    """Return pydantic's schema of URLs, which ``converted`` makes of an input by these rules."""
    noun, code, _ = texts.KINDS[URLRecord]
    schema: Any = _schema(URLRecord, "URLRecord", noun, code, converted)
    schema["metadata"][RULES] = rules
    return dict(schema)


def record_in(value: object) -> URLRecord:
    """Return the URL that is an input. Raises `Refused` if it is not a record or a `URL`."""
    if isinstance(value, URL):
        return value.record
    if isinstance(value, URLRecord):
        return value
    raise Refused([wrong_type("a URLRecord", value)])


def _url(value: object) -> URLRecord:
    return parse(value) if isinstance(value, str) else record_in(value)


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
        except Refused as error:
            refusals = error.refusals
        except URLParseError as error:
            refusals = [(code if error.type is None else str(error.type), error.reason)]
        raise _error(name, refusals, _shown(value, kind))

    def validated_strictly(value: object) -> object:
        if isinstance(value, kind):
            return validated(value)
        refusal = wrong_type(f"{noun} of the type {name}", value, text="")
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


def wrong_type(noun: str, value: object, *, text: str = "text or ") -> tuple[str, str]:
    """Return the refusal of a value of the wrong type. ``noun``: what was expected."""
    given = url_of_type(value) if noun.startswith("a URL") else type(value).__name__
    return "wrong-type", f"Expected {text}{noun}, not a value of the type {given}."


def _error(name: str, refusals: Refusals, shown: object) -> ValidationError:
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
    return repr(value) if isinstance(value, texts.WRITTEN) else f"<{type(value).__name__}>"
