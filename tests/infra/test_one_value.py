"""`infra.one_value`: what takes classes apart finds one value, not components."""

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
)
each_value = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)


@attrs.frozen
class Holder:
    """An attrs class of somebody else's."""

    value: Any
    others: tuple[Any, ...] = ()


@dataclasses.dataclass
class Data:
    """A dataclass of somebody else's."""

    value: Any
    others: tuple[Any, ...] = ()


@each_value
def test_attrs_takes_no_value_apart(value: Any) -> None:
    """It says so; the password of a URL stood among the components."""
    assert not attrs.has(type(value))
    for function in (attrs.asdict, attrs.astuple, attrs.evolve):
        with pytest.raises(attrs.exceptions.NotAnAttrsClassError):
            function(value)
    with pytest.raises(attrs.exceptions.NotAnAttrsClassError):
        attrs.fields(type(value))


@each_value
def test_what_holds_a_value_spreads_without_spreading_it(value: Any) -> None:
    """The dictionary of an attrs class or a dataclass has the value itself."""
    others = (value, {"key": value})
    expected = {"value": value, "others": others}
    assert attrs.asdict(Holder(value, others)) == expected
    assert attrs.astuple(Holder(value, others)) == (value, others)
    if not isinstance(value, weburl.OpaqueOrigin):
        assert dataclasses.asdict(Data(value, others)) == expected
    assert attrs.evolve(Holder(1), value=value) == Holder(value)
    for shown in (Holder(value, others), Data(value, others), [value]):
        assert SECRET not in f"{shown!r} {pprint.pformat(shown, width=20)}"


def test_the_text_of_a_value_in_a_dictionary_is_one_line() -> None:
    """A serializer of attrs, as its documentation has it."""

    def as_text(_instance: object, _field: object, value: Any) -> Any:
        return str(value) if isinstance(value, weburl.URLRecord | weburl.Host) else value

    spread = attrs.asdict(Holder(URL, (URL.host,)), value_serializer=as_text)
    assert json.loads(json.dumps(spread)) == {"value": URL.href, "others": ["example.com"]}


@each_value
def test_a_value_is_frozen_copied_and_pickled_as_before(value: Any) -> None:
    """All that attrs gives a frozen class is there, but for the list of its fields."""
    assert not hasattr(value, "__dict__")
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert hash(copy.copy(value)) == hash(value)
    if isinstance(value, weburl.OpaqueOrigin):
        return
    assert pickle.loads(pickle.dumps(value)) == value
    for name in value.__match_args__:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(value, name, getattr(value, name))


@each_value
def test_copy_replace_makes_a_value_that_is_checked(value: Any) -> None:
    """By the constructor; Python 3.13 has the function that calls this."""
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
    """In a fresh interpreter, whether they are installed or not."""
    program = (
        "import sys, weburl; weburl.origin_of(weburl.parse('https://h')); "
        "print(*[name for name in sys.modules if name.partition('.')[0] in "
        "('pydantic', 'pydantic_core', 'msgspec', 'cattrs', 'orjson') or '.integrations' in name])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout.strip() == ""
