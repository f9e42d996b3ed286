"""Tests of `URLSearchParams` without a URL. `test_url` has those with a URL."""

from __future__ import annotations

import copy
import pickle
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from weburl import URLSearchParams
from weburl.standard.url.params import QueryPairs

Pairs = list[tuple[str, str]]

HIGH: Final = "\ud83e"
LOW: Final = "\udd8a"
FOX: Final = "\U0001f98a"


def pairs(params: URLSearchParams) -> Pairs:
    """Return the pairs in order."""
    return list(params)


# --- made of nothing, of text


def test_without_an_argument_there_are_no_params() -> None:
    """The list is empty, and so is its text."""
    params = URLSearchParams()
    assert (pairs(params), str(params), params.size) == ([], "", 0)


# --- made of pairs, a mapping, another


def a_generator() -> Iterator[list[str]]:
    """Yield pairs that are lists."""
    yield ["tea", "green"]
    yield ["milk", ""]


@pytest.mark.parametrize(
    "init",
    [
        [("tea", "green"), ("milk", "")],
        (("tea", "green"), ("milk", "")),
        [["tea", "green"], ["milk", ""]],
        [iter(["tea", "green"]), ("milk", "")],
        a_generator(),
        iter([("tea", "green"), ("milk", "")]),
        {"tea": "green", "milk": ""},
        {"tea": "green", "milk": ""}.items(),
        OrderedDict([("tea", "green"), ("milk", "")]),
        MappingProxyType({"tea": "green", "milk": ""}),
        URLSearchParams("tea=green&milk"),
    ],
    ids=lambda init: type(init).__name__,
)
def test_pairs_come_from_any_iterable_or_mapping(init: QueryPairs) -> None:
    """Sequences, iterators, dicts and another `URLSearchParams` give the same."""
    assert pairs(URLSearchParams(init)) == [("tea", "green"), ("milk", "")]


@pytest.mark.parametrize(
    "init", ["", "?", "&", "?&", "&&&", "?&&", [], (), {}, iter([]), URLSearchParams()]
)
def test_text_without_a_pair_and_empty_collections_make_no_params(init: QueryPairs) -> None:
    """Empty sequences are skipped. An empty list or mapping is like no argument."""
    assert pairs(URLSearchParams(init)) == []


def test_pairs_are_taken_as_they_are() -> None:
    """The characters "?", "+" and "%" have no meaning in a pair, and names may repeat."""
    given_pairs = [("?a", "+"), ("%41", "a=b&c"), ("?a", "#"), ("", "")]
    params = URLSearchParams(given_pairs)
    assert pairs(params) == given_pairs
    assert str(params) == "%3Fa=%2B&%2541=a%3Db%26c&%3Fa=%23&="


def test_pairs_and_mappings_hold_scalar_values_in_the_end() -> None:
    """Lone surrogates become U+FFFD, and pairs are joined."""
    params = URLSearchParams([("\ud800a", f"{HIGH}{LOW}"), ("b\udfff", "c")])
    assert pairs(params) == [("\ufffda", FOX), ("b\ufffd", "c")]
    params = URLSearchParams({"a\0b": "1", "c\ud83d": "\udc00", "\u1234": "x"})
    assert pairs(params) == [("a\0b", "1"), ("c\ufffd", "\ufffd"), ("\u1234", "x")]


def test_keys_of_a_mapping_that_become_the_same_name_are_one_param() -> None:
    """It has the place of the first key, and the value of the last."""
    params = URLSearchParams({"\ud835x": "1", "x": "2"} | {"\ud83dx": "3"})
    assert pairs(params) == [("\ufffdx", "3"), ("x", "2")]


def test_a_copy_is_independent() -> None:
    """Changes of the copy do not change the original, and vice versa."""
    original = URLSearchParams("a=b")
    duplicate = URLSearchParams(original)
    original.append("c", "d")
    duplicate.delete("a")
    assert (str(original), str(duplicate)) == ("a=b&c=d", "")


def test_the_callers_list_is_copied() -> None:
    """Params neither change the list nor notice its changes."""
    source = [("a", "b")]
    params = URLSearchParams(source)
    params.append("c", "d")
    source.append(("x", "y"))
    assert (str(params), source) == ("a=b&c=d", [("a", "b"), ("x", "y")])


@pytest.mark.parametrize(
    "init",
    [None, 5, 2.5, object(), b"a=b", bytearray(b"a=b"), [("a", b"b")], [("a", 1.5)], [(None, "b")],
     {"a": True}, {"a": {"b"}}, {"a": [None]}, {1: "a"}, {b"a": "b"}, [1], [None], [2.5], [b"ab"],
     memoryview(b"ab")],
    ids=lambda init: "memory" if isinstance(init, memoryview) else type(init).__name__,
)  # fmt: skip
def test_what_is_not_text_pairs_or_a_mapping_raises_type_error(init: Any) -> None:
    """Nothing is converted by guessing. The message is about names and values, not iteration."""
    with pytest.raises(TypeError, match=r"name|value|pair"):
        URLSearchParams(init)


@pytest.mark.parametrize(
    "init",
    [[("a",)], [("a", "b", "c")], [()], ["ab"], [["a", "b"], ["c"]], ["a", "b"]],
    ids=repr,
)
def test_an_item_that_is_no_pair_raises_value_error(init: Any) -> None:
    """It needs two items, and a string of two letters does not count."""
    with pytest.raises(ValueError, match="pair"):
        URLSearchParams(init)


# --- get, get_all, has


def test_get_all_gives_every_value_in_order_in_a_list_of_its_own() -> None:
    """Changing the list does not change the params."""
    params = URLSearchParams("a=1&b=2&a=3&a=&a=1")
    values = params.get_all("a")
    assert values == ["1", "3", "", "1"]
    values.clear()
    assert params.get_all("a") == ["1", "3", "", "1"]
    assert params.get_all("nobody") == []


def test_names_are_looked_up_as_they_would_be_stored() -> None:
    """Surrogates in the name become U+FFFD first."""
    params = URLSearchParams([(f"{HIGH}{LOW}", "\ud800"), ("\udfff", "x")])
    assert params.get(FOX) == "\ufffd"
    assert params.get(f"{HIGH}{LOW}") == "\ufffd"
    assert params.has(f"{HIGH}{LOW}", "\udc00")
    assert params.get_all("\ud812") == ["x"]
    assert "\ud812" in params
    params.set("\ud812", "y\udc00")
    params.delete(f"{HIGH}{LOW}", "\udfff")
    assert pairs(params) == [("\ufffd", "y\ufffd")]


def test_the_size_cannot_be_set() -> None:
    """It equals `len`."""
    params = URLSearchParams("a=1&b=2&a=3&&")
    assert params.size == len(params) == 3
    with pytest.raises(AttributeError):
        params.size = 7  # type: ignore[misc]


@pytest.mark.parametrize("value", [None, 5, b"a", ["a"], ("a",), True, 1.5, {"a"}], ids=repr)
@pytest.mark.parametrize("query", ["", "b=1", "a=1"])
def test_names_and_values_that_are_not_text_raise_type_error(value: Any, query: str) -> None:
    """The list does not change, and may be empty. An int is a value, and None is "not given"."""
    calls: list[Callable[[URLSearchParams], object]] = [
        lambda params: params.append(value, "x"),
        lambda params: params.set(value, "x"),
        lambda params: params.get(value),
        lambda params: params.get_all(value),
        lambda params: params.has(value),
        lambda params: params.delete(value),
    ]
    if type(value) is not int:
        calls += [lambda params: params.append("a", value), lambda params: params.set("a", value)]
    if value is not None and type(value) is not int:
        calls += [lambda params: params.has("a", value), lambda params: params.delete("a", value)]
    for call in calls:
        params = URLSearchParams(query)
        with pytest.raises(TypeError):
            call(params)
        assert str(params) == str(URLSearchParams(query))


# --- iteration


def test_iteration_gives_pairs_in_order() -> None:
    """Each is a tuple of two strings. `keys` and `values` give one of them."""
    params = URLSearchParams("b=1&a=2&b=3")
    assert list(params) == [("b", "1"), ("a", "2"), ("b", "3")]
    assert list(params.items()) == list(params)
    assert list(params.keys()) == ["b", "a", "b"]
    assert list(params.values()) == ["1", "2", "3"]
    assert all(type(pair) is tuple for pair in params)


def test_two_iterations_do_not_disturb_each_other() -> None:
    """Each call starts from the beginning."""
    params = URLSearchParams("a=1&b=2")
    first, second = iter(params), iter(params)
    assert next(first) == ("a", "1")
    assert next(second) == ("a", "1")
    assert next(first) == ("b", "2")
    assert [pair for pair in params for _ in params] == [("a", "1")] * 2 + [("b", "2")] * 2


def test_iteration_reaches_a_pair_that_is_appended_meanwhile() -> None:
    """A list and the web's class do the same."""
    params = URLSearchParams("a=1")
    seen = []
    for name, _ in params:
        seen.append(name)
        if len(params) < 4:
            params.append(f"{name}{name}", "")
    assert seen == ["a", "aa", "aaaa", "aaaaaaaa"]


@pytest.mark.parametrize("deleted", ["p", "q"])
def test_deleting_a_pair_during_iteration_skips_the_one_that_takes_the_next_place(
    deleted: str,
) -> None:
    """The pair is the current one or the next one, and the others move up."""
    params = URLSearchParams("p=0&q=1&r=2")
    seen = []
    for pair in params:
        if pair == ("p", "0"):
            params.delete(deleted)
        seen.append(pair)
    assert seen == [("p", "0"), ("r", "2")]


@pytest.mark.parametrize("method", ["keys", "values", "items"])
def test_the_three_views_follow_changes_too(method: str) -> None:
    """An iterator that has started sees a pair that is appended."""
    params = URLSearchParams("a=1")
    begun = getattr(params, method)()
    next(begun)
    params.append("a", "1")
    assert len(list(begun)) == 1


def test_clearing_the_params_ends_an_iterator_that_was_begun() -> None:
    """Its index is beyond the end of the list."""
    params = URLSearchParams("a=1&b=2&c=3")
    begun = iter(params)
    next(begun)
    for name in ("a", "b", "c"):
        params.delete(name)
    assert list(begun) == []


# --- Python's own operators


def test_in_looks_for_a_name() -> None:
    """It is like `has`, but other types are never in the params."""
    params: Collection[object] = URLSearchParams("a=1&b")
    assert "a" in params
    assert "b" in params
    assert "1" not in params
    assert "A" not in params
    assert 5 not in params
    assert None not in params


def test_truth_is_whether_there_is_a_pair() -> None:
    """Python's collections do the same."""
    assert not URLSearchParams()
    assert not URLSearchParams("?")
    assert URLSearchParams("=")


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_equal_lists_make_equal_params() -> None:
    """Order and repetition count, and the spelling does not. No other type is equal."""
    assert URLSearchParams("a=%62&c") == URLSearchParams([("a", "b"), ("c", "")])
    assert URLSearchParams("a=1&b=2") != URLSearchParams("b=2&a=1")
    assert URLSearchParams("a=1&a=1") != URLSearchParams("a=1")
    assert URLSearchParams("a=1") != cast("object", "a=1")
    assert URLSearchParams("a=1") != cast("object", [("a", "1")])
    assert URLSearchParams("a=1") != cast("object", {"a": "1"})


def test_params_are_unhashable() -> None:
    """They can change."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(URLSearchParams("a=1"))


def test_str_and_repr() -> None:
    """`str` gives the query without "?", and `repr` an expression for the same params."""
    params = URLSearchParams("?a=b c&é=%26")
    assert str(params) == "a=b+c&%C3%A9=%26"
    assert f"{params}" == str(params)
    assert repr(params) == "URLSearchParams([('a', 'b c'), ('é', '&')])"
    assert eval(repr(params), {"URLSearchParams": URLSearchParams}) == params


def test_a_dictionary_is_made_of_items() -> None:
    """The last value wins, and a Counter counts the names."""
    params = URLSearchParams("a=1&b=2&a=3")
    assert dict(params.items()) == {"a": "3", "b": "2"}
    assert Counter(params.keys()) == {"a": 2, "b": 1}


class Tagged(URLSearchParams):
    """A subclass of `URLSearchParams`."""


@pytest.mark.parametrize("kind", [URLSearchParams, Tagged])
@pytest.mark.parametrize(
    "duplicate",
    [
        copy.copy,
        copy.deepcopy,
        *(
            lambda params, protocol=protocol: pickle.loads(pickle.dumps(params, protocol))
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
)
def test_copies_are_equal_and_apart(duplicate: Any, kind: type[URLSearchParams]) -> None:
    """The list is kept, even where its text would be ambiguous, and so is the type."""
    params = kind([("a", "1"), ("", "?&="), (FOX, "\0")])
    other = duplicate(params)
    assert other == params
    assert type(other) is kind
    other.append("b", "2")
    assert len(params) == 3


def test_no_attribute_can_be_added_by_mistake() -> None:
    """The object has slots, so a misspelled name is an error."""
    with pytest.raises(AttributeError):
        URLSearchParams().sise = 3  # type: ignore[attr-defined]


def test_a_hundred_thousand_pairs_are_set_read_and_sorted() -> None:
    """Each call takes linear time, except sorting."""
    params = URLSearchParams([(str(number % 1000), "x") for number in range(100_000)])
    params.set("0", "y")
    params.delete("1")
    params.sort()
    assert (params.size, params.get("0"), params.has("1")) == (100_000 - 99 - 100, "y", False)


class AgainstAModel(RuleBasedStateMachine):
    """Compares the params with a plain list of pairs, after any sequence of changes."""

    names = st.sampled_from(["a", "b", "", "\ufffd", "\ud800", FOX, "\uffee"])
    values = st.sampled_from(["1", "2", "", "\udc00"])

    def __init__(self) -> None:
        super().__init__()
        self.params = URLSearchParams()
        self.model: Pairs = []

    @staticmethod
    def scalar(text: str) -> str:
        """Return ``text`` with its surrogates replaced. All of them are lone here."""
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)

    @rule(name=names, value=values)
    def append(self, name: str, value: str) -> None:
        """Append to both."""
        self.params.append(name, value)
        self.model.append((self.scalar(name), self.scalar(value)))

    @rule(name=names, value=values)
    def set(self, name: str, value: str) -> None:
        """Set in both."""
        self.params.set(name, value)
        name, value = self.scalar(name), self.scalar(value)
        changed: Pairs = []
        done = False
        for pair in self.model:
            if pair[0] != name:
                changed.append(pair)
            elif not done:
                changed.append((name, value))
                done = True
        self.model = changed if done else [*self.model, (name, value)]

    @rule(name=names, value=st.none() | values)
    def delete(self, name: str, value: str | None) -> None:
        """Delete from both."""
        self.params.delete(name, value)
        name = self.scalar(name)
        self.model = [
            pair
            for pair in self.model
            if pair[0] != name or (value is not None and pair[1] != self.scalar(value))
        ]

    @rule()
    def sort(self) -> None:
        """Sort both, the model by the code units themselves."""
        self.params.sort()

        def code_units(pair: tuple[str, str]) -> list[int]:
            units: list[int] = []
            for char in pair[0]:
                value = ord(char)
                if value > 0xFFFF:
                    value -= 0x10000
                    units += [0xD800 + (value >> 10), 0xDC00 + (value & 0x3FF)]
                else:
                    units.append(value)
            return units

        self.model.sort(key=code_units)

    @invariant()
    def both_say_the_same(self) -> None:
        """Compare every way to read the params with the list."""
        assert list(self.params) == self.model
        assert len(self.params) == self.params.size == len(self.model)
        for name in {name for name, _ in self.model}:
            values = [value for key, value in self.model if key == name]
            assert self.params.get_all(name) == values
            assert self.params.get(name) == values[0]
            assert self.params.has(name) and self.params.has(name, None)
            assert self.params.has(name, values[-1]) and not self.params.has(name, "absent")
        assert self.params.get("absent") is None and not self.params.has("absent")
        assert URLSearchParams(str(self.params)) == self.params


AgainstAModel.TestCase.settings = settings(max_examples=40, stateful_step_count=15, deadline=None)
TestAgainstAModel: Final = AgainstAModel.TestCase


def test_params_are_a_collection_but_not_a_mapping() -> None:
    """A name may repeat, so they must not be taken for a dict."""
    params: object = URLSearchParams("a=1&a=2")
    assert isinstance(params, Collection)
    assert not isinstance(params, Mapping)


def test_a_pair_is_looked_for_as_has_does() -> None:
    """A lone surrogate is U+FFFD, and other values are never in the params."""
    params = URLSearchParams([("\ud800", "é"), ("a", "1")])
    assert ("\ud800", "é") in params
    assert ("a", "1") in params
    for absent in (("a", "2"), ("a",), ("a", "1", "1"), ("a", 1), 1, None, b"a"):
        assert absent not in params


class Marked(str):
    """A subclass of `str`, such as text that is safe in HTML."""

    __slots__ = ()


def test_names_and_values_become_plain_strings() -> None:
    """The type of the text does not matter."""
    marked: Any = Marked("<b>")
    params = URLSearchParams([(marked, marked)])
    params.append(marked, marked)
    params.set(Marked("c"), marked)
    for made in (params, URLSearchParams({marked: marked}), URLSearchParams(marked)):
        assert {type(text) for pair in made for text in pair} == {str}
    assert pairs(params) == [("<b>", "<b>"), ("<b>", "<b>"), ("c", "<b>")]


def test_from_bytes_reads_the_bytes_of_a_form() -> None:
    """They are the body of a request. The constructor takes only text, as on the web."""
    assert pairs(URLSearchParams.from_bytes(b"a=\xe2%98%83&b+c")) == [("a", "\u2603"), ("b c", "")]
    assert pairs(URLSearchParams.from_bytes(bytearray(b"?a"))) == [("?a", "")]
    assert pairs(URLSearchParams.from_bytes(memoryview(b"a=\xff"))) == [("a", "\ufffd")]
    text: Any = "a=b"
    with pytest.raises(TypeError, match="a form's data must be bytes, not str"):
        URLSearchParams.from_bytes(text)
