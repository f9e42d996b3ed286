"""`infra.one_value` lets attrs find the fields of a value, and makes copies return the value."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import pprint
import subprocess
import sys
from typing import Any, Final

import attrs
import pytest

import weburl
import weburl.keys

SECRET: Final = "hunter2"
URL: Final = weburl.parse(f"https://user:{SECRET}@example.com:8080/a?b#c")
VALUES: Final[tuple[Any, ...]] = (
    URL,
    weburl.Domain("example.com"),
    weburl.IPv4Address(5),
    weburl.IPv6Address(5),
    weburl.OpaqueHost("a%20b"),
    weburl.EmptyHost(),
    weburl.origin_of(URL),
    weburl.OpaqueOrigin(),
    weburl.obtain_a_site(URL),
    weburl.RelativeReference("//user@h/a"),
)
each_value = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)


@attrs.frozen
class Holder:
    """An attrs class of another project."""

    value: Any
    others: tuple[Any, ...] = ()


@dataclasses.dataclass
class Data:
    """A dataclass of another project."""

    value: Any
    others: tuple[Any, ...] = ()


PATTERN: Final = weburl.URLPattern("https://h/:id")
RESULT: Final = PATTERN.exec("https://h/1")
assert RESULT is not None
OTHER_VALUES: Final[tuple[Any, ...]] = (
    weburl.check("https://h:99999"),
    weburl.check("https://h:99999").errors[0],
    weburl.URLPolicy.public_link(),
    weburl.PolicyViolation("scheme", "ftp"),
    weburl.readings("https://h"),
    weburl.readings("https://h").readings[0],
    weburl.SPECIAL_SCHEMES["https"],
    weburl.origin_problems("https://h/")[0],
    PATTERN,
    weburl.URLPatternList([PATTERN]),
    RESULT,
    RESULT.pathname,
    weburl.HostList(["evil.example"]),
    weburl.HostList.read(["evil.example", "exa mple"])[1][0],
)
every_value = pytest.mark.parametrize(
    "value", [*VALUES, *OTHER_VALUES], ids=lambda value: type(value).__name__
)


@every_value
def test_all_of_the_functions_of_attrs_work_with_a_value(value: Any) -> None:
    """This holds for each public class, even without components."""
    kind = type(value)
    fields = attrs.fields(kind)
    assert attrs.has(kind)
    assert attrs.fields_dict(kind) == {field.name: field for field in fields}
    components = attrs.asdict(value, recurse=False)
    assert components == {field.name: getattr(value, field.name) for field in fields}
    assert attrs.astuple(value, recurse=False) == tuple(components.values())
    assert attrs.resolve_types(kind) is kind
    assert not any(isinstance(field.type, str) for field in attrs.fields(kind))
    if not isinstance(value, (weburl.OpaqueOrigin, weburl.HostList)):
        assert attrs.evolve(value) == value
        assert kind(**components) == value


def test_every_public_class_of_frozen_values_is_among_the_values() -> None:
    """So a new class is tested too."""
    public = [getattr(weburl, name) for name in (*weburl.__all__, "ValidationError")]
    known = {type(value) for value in (*VALUES, *OTHER_VALUES)}
    assert {kind for kind in public if isinstance(kind, type) and attrs.has(kind)} == known


def test_the_fields_of_a_record_say_what_they_are() -> None:
    """They have types, a sentence each, and a mark for the secret one."""
    fields = attrs.fields(attrs.resolve_types(weburl.URLRecord))
    assert [field.name for field in fields] == list(weburl.URLRecord.__match_args__)
    assert fields.port.type == int | None
    assert fields.host.type == weburl.Host | None
    assert all(field.metadata["doc"] for field in fields)
    assert [field.name for field in fields if field.metadata.get("secret")] == ["password"]
    assert [field.name for field in fields if not field.repr] == ["password"]


def test_evolve_checks_what_the_constructor_checks() -> None:
    """So it returns only records that the parser could return."""
    assert attrs.evolve(URL, port=443, scheme="http").port == 443
    assert attrs.evolve(URL, path=("a", "b")).path_text == "/a/b"
    for changes in ({"port": 443}, {"port": "80"}, {"path": ("..",)}, {"host": None}):
        with pytest.raises(ValueError, match=r"port|path|record|host") as caught:
            attrs.evolve(URL, **changes)
        assert SECRET not in str(caught.value)
    with pytest.raises(TypeError):
        attrs.evolve(URL, path_text="/a")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        (weburl.parse("https://h/").host, ("evil.example",)),
        (weburl.Domain("h"), ("evil.example",)),
        (weburl.IPv4Address(5), (6,)),
        (weburl.IPv6Address(5), (6,)),
        (weburl.OpaqueHost("a"), ("b",)),
        (weburl.parse("https://h/a"), ("http", "", "", weburl.Domain("evil.example"))),
        (weburl.URLRecord("https", host=weburl.Domain("h")), ("foo",)),
        (weburl.origin_of("https://h"), ("http", weburl.Domain("evil.example"))),
        (weburl.obtain_a_site("https://h"), ("http", weburl.Domain("evil.example"))),
        (weburl.RelativeReference("a"), ("b",)),
        (weburl.check("https:h"), ("b", None, (), 0, True)),
        (weburl.URLPattern("https://h/"), ("https://evil.example/",)),
        (weburl.URLPatternList(["https://h/"]), (["https://evil.example/"],)),
        (weburl.HostList(["h"]), (["evil.example"],)),
        (weburl.URLPolicy.public_link(), ()),
        (weburl.keys.KeyRules.page(), ()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_that_is_filled_refuses_to_be_filled_again(
    value: Any, arguments: tuple[Any, ...]
) -> None:
    """Many records share one host, and sets find a value by its hash."""
    before = pickle.dumps(value), repr(value)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        value.__init__(*arguments)
    for state in (value.__getstate__(), "evil.example", arguments):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            value.__setstate__(state)
    assert (pickle.dumps(value), repr(value)) == before
    assert pickle.loads(before[0]) == value  # our own
    if type(value).__hash__ is not None:
        assert hash(pickle.loads(before[0])) == hash(value)


@each_value
def test_what_holds_a_value_keeps_it_if_attrs_does_not_recurse(value: Any) -> None:
    """By default, attrs takes the value apart. A dataclass never does."""
    others = (value, {"key": value})
    expected = {"value": value, "others": others}
    assert attrs.asdict(Holder(value, others), recurse=False) == expected
    assert attrs.astuple(Holder(value, others), recurse=False) == (value, others)
    if not isinstance(value, weburl.OpaqueOrigin):
        assert dataclasses.asdict(Data(value, others)) == expected
    assert attrs.evolve(Holder(1), value=value) == Holder(value)
    for shown in (Holder(value, others), Data(value, others), [value]):
        assert SECRET not in f"{shown!r} {pprint.pformat(shown, width=20)}"


def test_the_text_of_a_value_in_a_dictionary_is_one_line() -> None:
    """It is made by a value serializer, as in the documentation of attrs."""

    def as_text(_instance: object, _field: object, value: Any) -> Any:
        return str(value) if isinstance(value, weburl.URLRecord | weburl.Host) else value

    spread = attrs.asdict(Holder(URL), value_serializer=as_text)
    assert json.loads(json.dumps(spread)) == {"value": URL.href, "others": []}


@every_value
def test_a_copy_of_a_value_is_the_value(value: Any) -> None:
    """No copy is needed, because the value cannot change."""
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value
    assert copy.deepcopy([value])[0] is value


@every_value
def test_a_value_is_frozen_and_pickled(value: Any) -> None:
    """No component can be set, and there is no ``__dict__``."""
    assert not hasattr(value, "__dict__")
    if isinstance(value, weburl.OpaqueOrigin):
        return
    assert pickle.loads(pickle.dumps(value)) == value
    for name in value.__match_args__:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(value, name, getattr(value, name))


@each_value
def test_copy_replace_makes_a_value_that_is_checked(value: Any) -> None:
    """The constructor checks it. `copy.replace` exists since Python 3.13."""
    if isinstance(value, weburl.OpaqueOrigin):
        assert not hasattr(value, "__replace__")
        return
    assert value.__replace__() == value
    if hasattr(value, "value"):
        with pytest.raises(ValueError, match="must be"):
            value.__replace__(value=b"")
    with pytest.raises(TypeError):
        value.__replace__(nothing_of_the_kind=1)
    if sys.version_info >= (3, 13):
        assert vars(copy)["replace"](value) == value


def test_importing_and_parsing_loads_none_of_the_libraries_that_know_the_values() -> None:
    """It runs in a new interpreter, and the libraries may be installed."""
    program = (
        "import sys, weburl; weburl.origin_of(weburl.parse('https://h')); "
        "print(*[name for name in sys.modules if name.partition('.')[0] in "
        "('pydantic', 'pydantic_core', 'msgspec', 'cattrs', 'orjson') or '.integrations' in name])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout.strip() == ""
