"""Tests of the public functions, with their arguments, errors and encodings."""

from __future__ import annotations

import inspect
import pickle
import re
import subprocess
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.core.exceptions import ValidationError as DjangoValidationError

import weburl
import weburl.html
import weburl.public_suffix
from weburl import (
    URL,
    URLParseError,
    URLRecord,
    ValidationErrorType,
    can_parse,
    canonicalize,
    check,
    is_valid_url_string,
    parse,
)
from weburl.standard.infra.guesses import Guess

FUNCTIONS: Final[list[Callable[..., object]]] = [
    parse,
    can_parse,
    canonicalize,
    check,
    is_valid_url_string,
]
# --- arguments


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_arguments_are_named_alike_everywhere(function: Callable[..., object]) -> None:
    """Input and base are given by position or by name, and the encoding only by name."""
    assert function("x", "https://h/") == function(input="x", base="https://h/")
    parameters = inspect.signature(function).parameters
    assert list(parameters)[:2] == ["input", "base"]
    assert parameters["base"].default is None
    if "encoding" in parameters:
        assert parameters["encoding"].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters["encoding"].default == "utf-8"


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_shows_its_types_and_can_be_pickled(function: Callable[..., object]) -> None:
    """In the compiled build, `parse` is a function in C."""
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    assert signature.parameters["input"].annotation == "AnyURL"
    assert "Spec: #" in (inspect.getdoc(function) or "")
    assert (function.__module__, function.__qualname__) == (
        "weburl.standard.url.api",
        function.__name__,
    )
    assert pickle.loads(pickle.dumps(function)) is function


def test_a_subclass_of_str_is_text_and_a_record_of_it_holds_plain_strings() -> None:
    """Examples are Django's safe strings and enumerations of strings."""

    class Marked(str):
        """A string that knows more."""

        __slots__ = ()

        def __str__(self) -> str:
            return "https://else.where/"

        def isascii(self) -> bool:
            return False

    record = parse(Marked("https://h/a?b#c"), Marked("https://h/"))
    assert record == parse("https://h/a?b#c")
    values = [
        *(getattr(record, name) for name in record.__match_args__),
        record.path_text,
        *record.path,
    ]
    assert Marked not in {type(value) for value in values}
    report = check(Marked("https://"))
    assert (type(report.input), report.input) == (str, "https://")
    with pytest.raises(URLParseError) as caught:
        parse("x", Marked("https://"))
    assert (type(caught.value.input), caught.value.input) == (str, "https://")
    assert canonicalize(ValidationErrorType.HOST_MISSING, "https://h/") == "https://h/host-missing"


# --- parse, can_parse, canonicalize


def test_a_base_made_by_hand_is_as_good_as_a_parsed_one() -> None:
    """A record made by hand is a record like others."""
    base = URLRecord("https", host=weburl.Domain("h"), path=("a", "b"))
    assert parse("x?y", base).href == "https://h/a/x?y"


# --- failures


def test_a_failure_says_why_in_three_ways() -> None:
    """It has a sentence for people, a name for programs, and a report."""
    with pytest.raises(URLParseError) as caught:
        parse(" https://h:8o80/ ")
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.type is ValidationErrorType.PORT_INVALID
    assert error.input == " https://h:8o80/ "
    assert error.reason == "The port contains 'o', which is not a digit."
    assert str(error).splitlines() == [
        "The port contains 'o', which is not a digit.",
        "   https://h:8o80/ ",
        "              ^",
    ]
    assert error.report == check(" https://h:8o80/ ")


def test_no_private_exception_is_shown_with_a_failure() -> None:
    """The traceback does not have a "during handling of" with an unknown exception."""
    for arguments in [("x",), ("x", "bad base")]:
        with pytest.raises(URLParseError) as caught:
            parse(*arguments)
        assert caught.value.__suppress_context__


@pytest.mark.parametrize("name", ["reason", "input", "type", "report", "args"])
def test_each_attribute_of_a_failure_can_be_the_first_that_is_read(name: str) -> None:
    """Reading it makes the explanation. Other names behave as for any exception."""
    found: list[Any] = []
    for first in (name, "report"):
        with pytest.raises(URLParseError) as caught:
            parse("http://[::1::]/", "https://u:p@h/")
        error = caught.value
        error.add_note("kept")
        with pytest.raises(AttributeError, match="'URLParseError' object has no attribute 'rea'"):
            getattr(error, "rea")  # noqa: B009
        getattr(error, first)
        assert error.__notes__ == ["kept"]
        found.append((error.reason, error.input, error.type, error.report, error.args))
    assert found[0] == found[1]
    assert found[0][4] == (found[0][0],)


def test_the_arguments_of_a_failure_can_be_changed() -> None:
    """They can for any exception. The other attributes do not change."""
    with pytest.raises(URLParseError) as caught:
        parse("x")
    caught.value.args = ("other", 1)
    assert caught.value.args == ("other", 1)
    assert caught.value.reason != "other"
    assert caught.value.args == ("other", 1)


@pytest.mark.parametrize("base", ["", "x", "https://h:99999/", " //h "])
@pytest.mark.parametrize("input", ["x", "https://h/", "https://a b/", ""])
def test_a_bad_base_is_what_is_reported_whatever_the_input(input: str, base: str) -> None:
    """The offsets are in the base, and the sentence says so."""
    assert not can_parse(input, base)
    assert not is_valid_url_string(input, base)
    report = check(input, base)
    assert report.is_about_base
    assert (report.input, report.record) == (base, None)
    of_base_alone = check(base)
    assert not of_base_alone.is_about_base
    assert report.errors == of_base_alone.errors
    with pytest.raises(URLParseError) as caught:
        parse(input, base)
    error = caught.value
    assert error.report == report
    assert error.input == base
    assert error.type is of_base_alone.errors[-1].type
    assert error.reason == f"In the base URL: {of_base_alone.errors[-1].message}"


# --- encodings


@pytest.mark.parametrize(
    "label", ["", " ", "utf-9", "utf_8", "cp1252x", "idna", "punycode", "rot13", "utf\u22128", "\0"]
)
@pytest.mark.parametrize("function", [parse, check], ids=lambda function: function.__name__)
def test_an_unknown_label_raises_value_error(function: Callable[..., object], label: str) -> None:
    """Names of Python's codecs are not labels. It is an error even without a query."""
    for input in ("https://h/?ü", "https://h/", "no url"):
        with pytest.raises(ValueError, match="label"):
            function(input, encoding=label)


@pytest.mark.parametrize("label", [None, 5, b"utf-8", ["utf-8"]], ids=repr)
@pytest.mark.parametrize("function", [parse, check], ids=lambda function: function.__name__)
def test_a_label_that_is_not_text_raises_type_error(
    function: Callable[..., object], label: object
) -> None:
    """The message has the type."""
    with pytest.raises(TypeError, match=type(label).__name__):
        function("https://h/?ü", encoding=label)


def test_an_encoded_query_is_not_changed_again() -> None:
    """It is ASCII, so the encoding does not matter when it is read again."""
    record = parse("https://h/?ü≡\u00a5~\\'", encoding="iso-2022-jp")
    assert parse(record.href) == parse(record.href, encoding="gbk") == record


# --- hostile input


def test_a_value_that_is_refused_is_not_repeated_at_full_length() -> None:
    """Errors are for people, so they stay short."""
    record = parse("https://h/")
    long = "x" * 100_000
    changes: list[Callable[[], object]] = [
        lambda: record.with_scheme(f"!{long}"),
        lambda: record.with_scheme(f"http:{long}"),
        lambda: record.with_scheme(long),
        lambda: record.with_host(f"h/{long}"),
        lambda: record.with_host(f"{long} "),
        lambda: record.with_hostname(f"h?{long}"),
        lambda: record.with_port(f"8{long}"),
        lambda: record.with_port("8" * 100_000),
        lambda: parse("k:x").with_path(long),
    ]
    for change in changes:
        with pytest.raises(URLParseError) as caught:
            change()
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("mark", "\u200e\u200f\u061c\u202a\u202e\u2066\u2069\u200b\ufeff\u2028")
def test_bidi_marks_and_invisible_code_points_never_reach_the_canonical_text(mark: str) -> None:
    """They are encoded, and neither stripped nor shown in messages."""
    encoded = "".join(f"%{byte:02X}" for byte in mark.encode())
    assert canonicalize(f"https://h/{mark}") == f"https://h/{encoded}"
    assert canonicalize(f"https://u{mark}@h/?{mark}#{mark}") == (
        f"https://u{encoded}@h/?{encoded}#{encoded}"
    )
    assert not can_parse(f"{mark}https://h/")
    report = check(f"{mark}https://h:x{mark}/{mark}")
    assert mark not in str(report)
    with pytest.raises(URLParseError) as caught:
        parse(f"https://h:{mark}/")
    assert mark not in str(caught.value)


# --- what is public


def public_callables() -> Iterator[tuple[str, Any]]:
    """Yield every public function, class, method and property, with its dotted name."""
    for name in (*weburl.__all__, "ValidationError"):
        value = getattr(weburl, name)
        if isinstance(value, bool | types.UnionType | types.MappingProxyType):  # not a callable
            continue
        yield name, value
        if inspect.isclass(value):
            for attribute, member in vars(value).items():
                is_member = inspect.isfunction(member) or isinstance(
                    member, (property, classmethod, staticmethod)
                )
                if not attribute.startswith("_") and is_member:
                    yield f"{name}.{attribute}", member


# What Python has and the standard has not: nothing there to point to. The first are whole classes.
OURS: Final = {
    *("ComparedWithTextWarning", "HostList", "HostListProblem", "OriginError", "PolicyViolation"),
    *("Reading", "Readings", "Report", "URLParseError", "URLPatternError"),
    *("URLPatternList", "URLPolicy", "URLPolicyError", "address_classes", "check_addresses"),
    *("file_url_from_path", "path_from_file_url"),
}
OUR_MEMBERS: Final = {
    *(f"{kind}.from_ipaddress" for kind in ("IPv4Address", "IPv6Address")),
    *(f"{kind}.to_ipaddress" for kind in ("IPv4Address", "IPv6Address")),
    *("OriginProblem.is_spelling", "OriginProblem.message", "URL.record", "URLRecord.redacted"),
    *("URLPattern.compare_component", "URLPattern.component_test"),
    *("URLPattern.deconstruct", "URLPattern.generate", "ValidationError.spec_url"),
    *("URLSearchParams.items", "URLSearchParams.keys", "URLSearchParams.values"),
}


def test_all_names_are_there_in_order_and_once() -> None:
    """Everything public is in `__all__`, except modules."""
    assert sorted(set(weburl.__all__)) == sorted(weburl.__all__)
    for name in weburl.__all__:
        assert hasattr(weburl, name)
    visible = {
        name
        for name, value in vars(weburl).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert visible | {"ValidationError"} == {*weburl.__all__, "ValidationError"}


def test_a_star_import_brings_the_public_names_and_no_other() -> None:
    """`ValidationError` is left out, because Django has one too."""
    names: dict[str, object] = {}
    exec("from django.core.exceptions import ValidationError; from weburl import *", names)
    assert names.pop("ValidationError") is DjangoValidationError
    assert weburl.ValidationError is type(weburl.check(" a:").errors[0])
    assert set(names) - {"__builtins__"} == set(weburl.__all__)


def test_everything_public_says_what_it_does_and_where_the_standard_does() -> None:
    """Docstrings end with an anchor, if the standard defines the thing."""
    found = dict(public_callables())
    assert len(found) > 60
    without = set()
    for name, value in found.items():
        text = inspect.getdoc(value) or ""
        assert text, name
        assert text.split("\n")[0].endswith((".", "?")), name
        if re.search(r"^Spec: (#|https://)[\w./:#-]+$", text.splitlines()[-1]) is None:
            assert "Spec:" not in text, name
            without.add(name)
    ours = {name for name in found if name.partition(".")[0] in OURS}
    assert ours >= OURS
    assert without == ours | OUR_MEMBERS


def test_what_is_public_has_only_what_is_meant_to_be_public() -> None:
    """Names for internal use begin with "_"."""

    def names(value: type) -> set[str]:
        return {
            name
            for name, member in vars(value).items()
            if not name.startswith("_") and not isinstance(member, Guess)
        }

    assert names(weburl.URLSearchParams) == {
        *("append", "delete", "get", "get_all", "has", "set", "sort", "size"),
        *("from_bytes", "keys", "values", "items"),
    }
    assert names(URL) == {
        *("href", "origin", "protocol", "username", "password", "host", "hostname", "port"),
        *("pathname", "search", "search_params", "hash", "to_json", "parse", "can_parse"),
        "record",
    }
    assert list(inspect.signature(weburl.URLSearchParams).parameters) == ["init"]


PUBLIC_CLASSES = [
    (package.__name__, name)
    for package in (weburl, weburl.html, weburl.public_suffix)
    for name in package.__all__
    if isinstance(getattr(package, name), type)
]


@pytest.mark.parametrize(("package", "name"), PUBLIC_CLASSES)
def test_a_public_class_shows_where_people_import_it_from(package: str, name: str) -> None:
    """Tracebacks and pickles show it, and its annotations can be resolved there."""
    program = (
        "import pickle, sys, typing, importlib; "
        "cls = getattr(importlib.import_module(sys.argv[1]), sys.argv[2]); "
        "typing.get_type_hints(cls); "
        "print(cls.__module__, cls.__qualname__, sys.argv[1].encode() in pickle.dumps(cls), "
        "pickle.loads(pickle.dumps(cls)) is cls)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, package, name], check=True, capture_output=True, text=True
    )
    assert result.stdout.split() == [package, name, "True", "True"]


def test_an_error_is_called_by_its_public_name_in_a_traceback() -> None:
    """Readers of a log can import it by that name."""
    try:
        weburl.parse("https://example.com:99999/")
    except weburl.URLParseError as error:
        lines = traceback.format_exception_only(error)
    assert lines[0].startswith("weburl.URLParseError: The port")
