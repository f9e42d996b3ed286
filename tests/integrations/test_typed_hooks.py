"""`weburl.integrations.msgspec`, `.cattrs` and `.orjson` write text and read values."""

from __future__ import annotations

import json
import traceback
from typing import Any, TypeVar

import attrs
import cattrs
import cattrs.preconf.json
import cattrs.preconf.msgspec
import cattrs.preconf.orjson
import msgspec
import orjson
import pytest

import weburl
import weburl.integrations.cattrs
import weburl.integrations.msgspec
import weburl.integrations.orjson
from tests.integrations.values import (
    SECRET,
    VALUES,
    AttrsLink,
    DataLink,
    StructLink,
    each_value,
)
from weburl import Host, Origin, Site, URLRecord
from weburl.integrations.msgspec import dec_hook, enc_hook, schema_hook

T = TypeVar("T")
RECORD: URLRecord = VALUES[0]


STAND_INS: dict[type, Any] = {
    type(value): getattr(weburl.integrations.msgspec, type(value).__name__) for value in VALUES
}
LINKS: tuple[Any, ...] = tuple(
    kind(RECORD, VALUES[1]) for kind in (AttrsLink, DataLink, StructLink)
)
AS_TEXT = {"url": RECORD.href, "host": "xn--bcher-kva.example", "home": None}
each_link = pytest.mark.parametrize("link", LINKS, ids=lambda link: type(link).__name__)


def decoded(text: str | bytes, kind: type[T]) -> T:
    """Return what msgspec reads from JSON."""
    return msgspec.json.decode(text, type=kind, dec_hook=dec_hook)


def is_same(made: object, value: object) -> bool:
    """Return whether two values are equal, or are both opaque origins."""
    return made == value or isinstance(made, weburl.OpaqueOrigin) is isinstance(
        value, weburl.OpaqueOrigin
    )


@each_value
@pytest.mark.parametrize(
    "write",
    [
        msgspec.json.encode,
        msgspec.msgpack.encode,
        msgspec.to_builtins,
        msgspec.yaml.encode,
        orjson.dumps,
        json.dumps,
    ],
)
def test_without_a_hook_a_value_is_an_error(value: Any, write: Any) -> None:
    """It is never written as a dict of its components, and the message does not show it."""
    for shown in (value, [value], DataLink(value, value)):
        if isinstance(shown, DataLink) and write is json.dumps:
            continue
        with pytest.raises((TypeError, ImportError)) as caught:
            write(shown)
        assert SECRET not in str(caught.value)


@each_value
def test_msgspec_writes_and_reads_each_class(value: Any) -> None:
    """This holds for JSON, MessagePack and Python. Other types are refused."""
    stand_in = STAND_INS[type(value)]
    text = json.dumps(str(value))
    assert msgspec.json.encode(value, enc_hook=enc_hook) == text.encode()
    made = decoded(text, stand_in)
    assert type(made) is type(value)
    assert is_same(made, value)
    packed = msgspec.msgpack.encode([value], enc_hook=enc_hook)
    assert is_same(msgspec.msgpack.decode(packed, type=list[stand_in], dec_hook=dec_hook), [value])  # type: ignore[valid-type]
    assert msgspec.convert(value, stand_in, dec_hook=dec_hook) is value
    assert msgspec.json.schema(stand_in, schema_hook=schema_hook)["type"] == "string"
    for wrong in ("5", "null", "{}", '"https://\\u0000:hunter2@ "'):
        with pytest.raises(msgspec.ValidationError) as caught:
            decoded(wrong, stand_in)
        assert SECRET not in str(caught.value)


@each_value
def test_a_stand_in_is_used_like_the_class(value: Any) -> None:
    """It works with ``isinstance()``, ``issubclass()``, calls and class methods."""
    kind = type(value)
    stand_in = STAND_INS[kind]
    assert isinstance(value, stand_in)
    assert not isinstance("text", stand_in)
    assert issubclass(kind, stand_in)
    assert not issubclass(str, stand_in)
    assert type(stand_in(**attrs.asdict(value, recurse=False))) is kind
    assert stand_in.__match_args__ == kind.__match_args__ if attrs.fields(kind) else True
    assert dec_hook(kind, str(value)) is not None  # the hook takes both
    assert schema_hook(kind) == schema_hook(stand_in)
    assert {stand_in.__name__ for stand_in in STAND_INS.values()} < set(
        weburl.integrations.msgspec.__all__
    )


@each_link
def test_msgspec_writes_and_reads_what_holds_values(link: Any) -> None:
    """Values may be in classes, and be keys of dicts."""
    text = msgspec.json.encode(link, enc_hook=enc_hook)
    assert json.loads(text) == AS_TEXT
    if not isinstance(link, StructLink):
        return
    assert decoded(text, StructLink) == link
    keys = {RECORD: 1}
    written = msgspec.json.encode(keys, enc_hook=enc_hook)
    assert decoded(written, dict[weburl.integrations.msgspec.URLRecord, int]) == keys
    bad = json.dumps(AS_TEXT | {"url": f"https://user:{SECRET}@h:99999"})
    with pytest.raises(msgspec.ValidationError, match=r"99999(.|\n)*at `\$\.url`") as caught:
        decoded(bad, StructLink)
    assert SECRET not in str(caught.value)


def test_msgspec_needs_the_stand_ins() -> None:
    """A union cannot have two of them, as the documentation says."""
    with pytest.raises(TypeError, match="more than one"):
        decoded('"https://h/"', URLRecord)
    with pytest.raises(msgspec.ValidationError, match="Expected `object`, got `str`"):
        decoded('"h"', weburl.Domain)
    both = STAND_INS[weburl.Domain] | STAND_INS[weburl.OpaqueHost]
    with pytest.raises(TypeError, match="more than one custom type"):
        decoded('"h"', both)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (weburl.Domain, '{"value": "A b"}'),
        (weburl.IPv4Address, '{"value": -1}'),
        (weburl.OpaqueHost, '{"value": ""}'),
    ],
)
def test_an_object_in_the_place_of_a_host_is_checked(kind: type, text: str) -> None:
    """Msgspec does not call the constructor of an attrs class."""
    with pytest.raises(msgspec.ValidationError, match="must be"):
        decoded(text, kind)


def test_the_hooks_of_msgspec_leave_other_types_alone() -> None:
    """They raise NotImplementedError, as a project's own hook may."""
    for call in (
        lambda: enc_hook(object()),
        lambda: dec_hook(complex, "1"),
        lambda: schema_hook(complex),
    ):
        with pytest.raises(NotImplementedError, match=r"object|complex"):
            call()
    assert enc_hook(weburl.URL("https://h")) == "https://h/"


def converters() -> list[cattrs.BaseConverter]:
    """Return a converter of each kind, with the hooks."""
    made: list[cattrs.BaseConverter] = [
        cattrs.Converter(),
        cattrs.Converter(detailed_validation=False),
        cattrs.BaseConverter(),
        cattrs.preconf.json.make_converter(),
        cattrs.preconf.orjson.make_converter(),
        cattrs.preconf.msgspec.make_converter(),
    ]
    for converter in made:
        weburl.integrations.cattrs.register(converter)
    return made


@each_value
def test_cattrs_writes_and_reads_each_class(value: Any) -> None:
    """This holds for every kind of converter."""
    for converter in converters():
        assert converter.unstructure(value) == str(value)
        made = converter.structure(str(value), type(value))
        assert type(made) is type(value)
        assert is_same(made, value)
        assert converter.structure(value, type(value)) is value
        with pytest.raises(TypeError, match="must be text"):
            converter.structure(5, type(value))


def test_cattrs_without_register_takes_a_value_apart() -> None:
    """It does so with every attrs class, as the documentation says."""
    spread = cattrs.Converter().unstructure(RECORD)
    assert list(spread) == list(URLRecord.__match_args__)
    with pytest.raises(TypeError, match="disambiguate"):
        cattrs.Converter().structure(RECORD.href, URLRecord)


@pytest.mark.parametrize(
    ("union", "values"),
    [(Host, VALUES[1:6]), (Origin, VALUES[6:8]), (Site, VALUES[7:9])],
)
def test_cattrs_reads_a_union(union: Any, values: tuple[Any, ...]) -> None:
    """The unions are those of hosts, origins and sites."""
    for converter in converters():
        for value in values:
            assert is_same(converter.structure(str(value), union), value)
            assert converter.structure(value, union) is value
        with pytest.raises(weburl.URLParseError):
            converter.structure("a b", union)


def test_cattrs_writes_and_reads_what_holds_values() -> None:
    """Values may be in attrs classes, dataclasses and lists, and be keys of dicts."""
    for converter in converters():
        for link in LINKS[:2]:
            assert converter.unstructure(link) == AS_TEXT
            assert converter.structure(AS_TEXT, type(link)) == link
        keys = {RECORD: [RECORD]}
        assert converter.unstructure(keys) == {RECORD.href: [RECORD.href]}
        assert (
            converter.structure({RECORD.href: [RECORD.href]}, dict[URLRecord, list[URLRecord]])
            == keys
        )
        bad = AS_TEXT | {"url": f"https://user:{SECRET}@h:99999"}
        with pytest.raises((cattrs.ClassValidationError, weburl.URLParseError)) as caught:
            converter.structure(bad, AttrsLink)
        assert SECRET not in "".join(traceback.format_exception(caught.value))
        assert SECRET not in f"{cattrs.transform_error(caught.value)}"


@each_value
def test_orjson_and_json_write_each_class(value: Any) -> None:
    """A value may be in a dataclass or a list. Other types are still errors."""
    default = weburl.integrations.orjson.default
    for shown, expected in (
        (value, str(value)),
        ([value], [str(value)]),
        (DataLink(value, value), {"url": str(value), "host": str(value), "home": None}),
    ):
        assert orjson.loads(orjson.dumps(shown, default=default)) == expected
        if not isinstance(shown, DataLink):
            assert json.loads(json.dumps(shown, default=default)) == expected
    for other in (object(), {1, 2}):
        with pytest.raises(TypeError, match=type(other).__name__):
            orjson.dumps(other, default=default)
    with pytest.raises(TypeError):
        orjson.dumps({value: 1}, default=default, option=orjson.OPT_NON_STR_KEYS)
