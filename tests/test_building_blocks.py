"""Tests of `weburl.integrations.building_blocks`: what the URL fields of all frameworks share."""

# Pickles of our own.

from __future__ import annotations

import copy
import pickle
import unicodedata
from typing import Any

import pytest

from weburl import URLParseError, URLRecord, can_parse, parse
from weburl.integrations.building_blocks import (
    LazyAttribute,
    UnparsableURL,
    is_visible,
    normalized_scheme,
    starts_with_host_and_port,
)
from weburl.standard.infra.unicode_data import COMPLETE

SECRET = "s3cret"


def unparsable(text: str) -> Any:  # Its parts are not there for a type checker.
    """Return ``text`` as a field gives it."""
    with pytest.raises(URLParseError) as caught:
        parse(text)
    return UnparsableURL(text, caught.value)


def test_unparsable_text_has_no_part_and_shows_no_password() -> None:
    """Every public attribute of a record raises an error that says why, except `redacted()`."""
    broken = unparsable(f"https://user:{SECRET}@a b/")
    assert SECRET not in broken.redacted() and "a b" in broken.redacted()
    names = [name for name in dir(URLRecord) if not name.startswith("_") and name not in dir(str)]
    names = [name for name in names if hasattr(URLRecord, name) and name != "redacted"]
    assert len(names) > 20
    for name in names:
        with pytest.raises(AttributeError, match="is not a URL") as caught:
            getattr(broken, name)
        assert caught.value.name == name
        assert SECRET not in str(caught.value)
    with pytest.raises(AttributeError, match="There is no 'join'"):
        broken.join("a")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = broken.nothing
    assert SECRET not in repr(broken)
    assert broken == f"https://user:{SECRET}@a b/"


def test_unparsable_text_keeps_its_error_in_copies_and_pickles() -> None:
    """Sessions, caches and queues copy values."""
    broken = unparsable("https://example.com:99999/")
    for again in (pickle.loads(pickle.dumps(broken)), copy.copy(broken), copy.deepcopy(broken)):
        assert type(again) is UnparsableURL
        assert (again, str(again.error)) == (broken, str(broken.error))


def test_the_classes_of_the_integrations_are_kinds_of_it() -> None:
    """One check finds such text, whichever field gave it, and old pickles name the old paths."""
    from django_whatwg_url.fields import UnparsableURL as OfDjango

    assert issubclass(OfDjango, UnparsableURL)
    value = OfDjango("x", unparsable("x").error)
    assert b"django_whatwg_url.fields" in pickle.dumps(value)
    assert type(pickle.loads(pickle.dumps(value))) is OfDjango


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("https", "https"),
        ("HTTPS", "https"),
        ("web+x-1.0", "web+x-1.0"),
        ("", None),
        ("https:", None),
        ("1a", None),
        ("a b", None),
        ("\u212a", None),  # KELVIN SIGN, which str.lower turns into "k"
        ("http\n", None),
        ("\ud800", None),
    ],
)
def test_a_scheme_is_lowercased_and_anything_else_is_none(text: str, scheme: str | None) -> None:
    """Only ASCII counts, and the parser agrees."""
    assert normalized_scheme(text) == scheme
    if scheme is not None:
        assert parse(f"{text}:x").scheme == scheme


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("example.com:8080", True),
        ("EXAMPLE.com:1/path", True),
        ("localhost:80?q", True),
        ("localhost:80\\x", True),
        (".:1#", True),
        ("example.com:", False),
        ("example.com:123456", False),
        ("example.com:80x", False),
        ("example:80", False),
        ("mailto:80", False),
        ("b\u00fccher.example:80", False),
        ("example.com:\u0661", False),  # ARABIC-INDIC DIGIT ONE
        (" example.com:80", False),
        ("https://example.com:80", False),
    ],
)
def test_a_host_and_a_port_are_told_from_a_scheme(text: str, is_one: bool) -> None:
    """The parser takes "example.com" for a scheme there."""
    assert starts_with_host_and_port(text) is is_one
    if is_one and text[0] != ".":
        assert can_parse(text)


def test_code_points_that_do_not_show_are_not_visible() -> None:
    """Controls, bidi marks, blank letters and surrogates are not; letters and a space are."""
    hidden = "\0\n\x7f\u200b\u202e\u2066\u115f\u1160\u3164\uffa0\u2800\ud800\u00a0\u3000"
    assert not any(map(is_visible, hidden))
    assert all(map(is_visible, "a \u00e9\u65e5\U0001f600"))
    controls = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) in ("Cc", "Cf")]
    assert len(controls) > 200
    assert not any(map(is_visible, controls))


@pytest.mark.skipif(not COMPLETE, reason="needs unicodedata2")
def test_visible_characters_do_not_depend_on_the_version_of_python() -> None:
    """The first is of Unicode 17, which no Python had in 2025; the second is not assigned."""
    assert is_visible("\u20c1")
    assert not is_visible("\u0378")


class Row:
    """An object with an attribute that is a number when it is read."""

    number = LazyAttribute("number", int)


class _Doubling(LazyAttribute):
    def load(self, instance: object, owner: type | None) -> object:
        assert isinstance(instance, owner or object)
        return "loaded"

    def assigned(self, instance: object, value: object) -> object:
        assert type(instance) is Other
        return (value, value)


class Other:
    """An object whose attribute has both methods of its own."""

    number = _Doubling("number", int)


def test_text_is_converted_once_and_when_it_is_read() -> None:
    """Only plain text: other values, and text of another class, are returned as they are."""
    row: Any = Row()
    row.number = "12"
    assert vars(row) == {"number": "12"}
    assert row.number == vars(row)["number"] == 12
    for value in (None, 1.5, b"2", ["3"], unparsable("https://a b/")):
        row.number = value
        assert row.number is vars(row)["number"] is value
    assert isinstance(Row.number, LazyAttribute)
    assert Row.__dict__["number"].__get__(row) is row.number


def test_an_error_of_the_conversion_leaves_the_text() -> None:
    """So that it is raised again the next time, and can be looked at."""
    row: Any = Row()
    row.number = "twelve"
    for _ in range(2):
        with pytest.raises(ValueError, match="twelve"):
            _ = row.number
    assert vars(row) == {"number": "twelve"}


def test_an_attribute_can_be_deleted() -> None:
    """It is missing then, as any other."""
    row: Any = Row()
    row.number = "12"
    del row.number
    assert vars(row) == {}
    with pytest.raises(AttributeError, match="number"):
        _ = row.number
    with pytest.raises(AttributeError, match="number"):
        del row.number


def test_a_subclass_loads_what_is_missing_and_changes_what_is_assigned() -> None:
    """As the URL attribute of a model does."""
    other: Any = Other()
    assert other.number == "loaded"
    other.number = 3
    assert other.number == (3, 3)
    other.number = "4"
    assert other.number == 4


def test_an_object_without_a_dictionary_has_no_such_attribute() -> None:
    """And a class that was not initialized has no name."""

    class Slotted:
        __slots__ = ()
        number = LazyAttribute("number", int)

    slotted: Any = Slotted()
    with pytest.raises(AttributeError):
        _ = slotted.number
    with pytest.raises(AttributeError):
        slotted.number = "1"
    with pytest.raises(AttributeError):
        del slotted.number
    nameless: Any = LazyAttribute.__new__(LazyAttribute)
    with pytest.raises(AttributeError):
        nameless.__get__(Row())
    with pytest.raises(AttributeError):
        nameless.__delete__(Row())


def test_a_conversion_may_change_the_object_meanwhile() -> None:
    """What it returns is the value, whatever it did to the text."""

    def convert(text: str) -> object:
        vars(changing).clear()
        vars(changing)["number"] = "another text"
        return len(text)

    class Changing:
        number = LazyAttribute("number", convert)

    changing: Any = Changing()
    changing.number = f"{1 << 70}"  # Nothing else holds it.
    assert changing.number == 22
    assert vars(changing) == {"number": 22}


def test_a_subclass_says_itself_what_is_missing() -> None:
    """With an error of its own."""

    class Broken(UnparsableURL):
        def missing_part(self, name: str) -> AttributeError:
            return AttributeError(f"no {name} here")

    with pytest.raises(URLParseError) as caught:
        parse("https:")
    with pytest.raises(AttributeError, match="no host here"):
        _ = Broken("https:", caught.value).host  # type: ignore[attr-defined]
