"""`weburl.integrations.msgspec`, `.cattrs` and `.orjson`: text out and values in."""

from __future__ import annotations

import json
import subprocess
import sys
import traceback
from typing import Any, TypeVar

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


LINKS: tuple[Any, ...] = tuple(
    kind(RECORD, VALUES[1]) for kind in (AttrsLink, DataLink, StructLink)
)
AS_TEXT = {"url": RECORD.href, "host": "xn--bcher-kva.example", "home": None}
each_link = pytest.mark.parametrize("link", LINKS, ids=lambda link: type(link).__name__)


def decoded(text: str | bytes, kind: type[T]) -> T:
    """Return what msgspec reads from JSON."""
    return msgspec.json.decode(text, type=kind, dec_hook=dec_hook)


def is_same(made: object, value: object) -> bool:
    """Return whether two values are the same, as far as opaque origins can be."""
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
    """Never a dictionary of its components. The message does not show it."""
    for shown in (value, [value], DataLink(value, value)):
        if isinstance(shown, DataLink) and write is json.dumps:
            continue
        with pytest.raises((TypeError, ImportError)) as caught:
            write(shown)
        assert SECRET not in str(caught.value)


@each_value
def test_msgspec_writes_and_reads_each_class(value: Any) -> None:
    """In JSON, MessagePack and Python; strict in what it reads."""
    text = json.dumps(str(value))
    assert msgspec.json.encode(value, enc_hook=enc_hook) == text.encode()
    made = decoded(text, type(value))
    assert type(made) is type(value)
    assert is_same(made, value)
    packed = msgspec.msgpack.encode([value], enc_hook=enc_hook)
    assert is_same(
        msgspec.msgpack.decode(packed, type=list[type(value)], dec_hook=dec_hook),  # type: ignore[misc]
        [value],
    )
    assert msgspec.convert(value, type(value), dec_hook=dec_hook) is value
    assert msgspec.json.schema(type(value), schema_hook=schema_hook)["type"] == "string"
    for wrong in ("5", "null", "{}", '"//\\u0000:hunter2@ "'):
        with pytest.raises(msgspec.ValidationError) as caught:
            decoded(wrong, type(value))
        assert SECRET not in str(caught.value)


@each_link
def test_msgspec_writes_and_reads_what_holds_values(link: Any) -> None:
    """In dictionaries too, as keys."""
    text = msgspec.json.encode(link, enc_hook=enc_hook)
    assert json.loads(text) == AS_TEXT
    assert decoded(text, type(link)) == link
    keys = {RECORD: 1}
    written = msgspec.json.encode(keys, enc_hook=enc_hook)
    assert decoded(written, dict[URLRecord, int]) == keys
    bad = json.dumps(AS_TEXT | {"url": f"https://user:{SECRET}@h:99999"})
    with pytest.raises(msgspec.ValidationError, match=r"99999(.|\n)*at `\$\.url`") as caught:
        decoded(bad, type(link))
    assert SECRET not in str(caught.value)


def test_what_msgspec_cannot_do() -> None:
    """Two classes with a hook in one union: the documentation says so."""
    with pytest.raises(TypeError, match="more than one custom type"):
        decoded('"h"', Host)  # type: ignore[arg-type]


def test_the_hooks_of_msgspec_leave_other_types_alone() -> None:
    """It asks for them after all that it knows, and so can a hook of one's own."""
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
    """With every kind of converter."""
    for converter in converters():
        assert converter.unstructure(value) == str(value)
        made = converter.structure(str(value), type(value))
        assert type(made) is type(value)
        assert is_same(made, value)
        assert converter.structure(value, type(value)) is value
        with pytest.raises(TypeError, match="must be text"):
            converter.structure(5, type(value))
    plain = cattrs.Converter()
    assert plain.unstructure([value]) == [value]
    with pytest.raises(cattrs.StructureHandlerNotFoundError):
        plain.structure(str(value), type(value))


@pytest.mark.parametrize(
    ("union", "values"),
    [(Host, VALUES[1:6]), (Origin, VALUES[6:8]), (Site, VALUES[7:9])],
)
def test_cattrs_reads_a_union(union: Any, values: tuple[Any, ...]) -> None:
    """Of hosts, of origins and of sites, also where it may be None."""
    for converter in converters():
        for value in values:
            assert is_same(converter.structure(str(value), union), value)
            assert converter.structure(value, union) is value
        with pytest.raises(weburl.URLParseError):
            converter.structure("a b", union)


def test_cattrs_writes_and_reads_what_holds_values() -> None:
    """Attrs classes and dataclasses, lists and keys."""
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
    """Alone, in a dataclass and in a list; other types stay errors."""
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


def test_importing_weburl_imports_none_of_the_libraries_that_are_installed() -> None:
    """In a fresh interpreter; asking for a schema does."""
    program = (
        "import sys, weburl; weburl.parse('https://h').origin; "
        "names = ('pydantic', 'pydantic_core', 'msgspec', 'cattrs', 'orjson'); "
        "print(*[name for name in names if name in sys.modules]); "
        "import pydantic; pydantic.TypeAdapter(weburl.URLRecord); "
        "print('weburl.integrations.pydantic' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout.splitlines() == ["", "True"]
