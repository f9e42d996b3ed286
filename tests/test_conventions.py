"""All public callables follow the rules in `docs/conventions.md`.

Each parameter for a URL is found by its annotation, and is in the table or among the exceptions.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
import warnings
from collections import abc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

import weburl
from docs.site import promised
from weburl import (
    ComparedWithTextWarning,
    URLParseError,
    URLPattern,
    URLPatternList,
    URLPolicy,
    URLRecord,
    URLSearchParams,
    keys,
    origins,
    testing,
    text,
)
from weburl.html import (
    Document,
    EnvironmentSettings,
    LinkInPage,
    absolute_links,
    encoding_parse_and_serialize_url,
    encoding_parse_url,
    links,
    matches_about_blank,
    matches_about_srcdoc,
    page,
    parse_url,
    relative_links,
    rewrite_links,
    set_url,
    with_params,
    without_refused_links,
)
from weburl.html.pages import PageOptions
from weburl.integrations import agreeing, urllib
from weburl.text import misleading_links

TEXT: Final = "https://user@www.example.co.uk:8080/a/b?x=1#f"
RECORD: Final = weburl.parse(TEXT)
PATTERN: Final = URLPattern("https://*.example.co.uk:8080/*?*#*")
POLICY: Final = URLPolicy(schemes=["https"])
PAGE: Final = keys.KeyRules.page()
DOCUMENT: Final = Document("https://a.example/")
SEEN: Final = agreeing.Seen("https", "www.example.co.uk", 8080, "user")
REFERENCE: Final = weburl.RelativeReference("c")


def _as_given(url: Any) -> Any:
    return agreeing.agreed_url(url, "a library", str, lambda _: SEEN)


def _in_full(link: LinkInPage) -> URLRecord | None:
    return link.record


# From the callable and the parameter to a call with a URL in that parameter.
CALLS: Final[dict[str, Callable[[Any], Any]]] = {
    "weburl.parse input": weburl.parse,
    "weburl.parse base": lambda url: weburl.parse("c", url),
    "weburl.can_parse input": weburl.can_parse,
    "weburl.can_parse base": lambda url: weburl.can_parse("c", url),
    "weburl.canonicalize input": weburl.canonicalize,
    "weburl.parse_reference input": weburl.parse_reference,
    "weburl.canonicalize base": lambda url: weburl.canonicalize("c", url),
    "weburl.check input": weburl.check,
    "weburl.check base": lambda url: weburl.check("c", url),
    "weburl.is_valid_url_string input": weburl.is_valid_url_string,
    "weburl.is_valid_url_string base": lambda url: weburl.is_valid_url_string("c", url),
    "weburl.readings text": weburl.readings,
    "weburl.render record": weburl.render,
    "weburl.render_html record": weburl.render_html,
    "weburl.origin_of record": weburl.origin_of,
    "weburl.obtain_a_site origin": weburl.obtain_a_site,
    "weburl.same_origin a": lambda url: weburl.same_origin(url, RECORD),
    "weburl.same_origin b": lambda url: weburl.same_origin(RECORD, url),
    "weburl.same_site a": lambda url: weburl.same_site(url, RECORD),
    "weburl.same_site b": lambda url: weburl.same_site(RECORD, url),
    "weburl.path_from_file_url url": weburl.path_from_file_url,
    "weburl.URL url": weburl.URL,
    "weburl.URL base": lambda url: weburl.URL("c", url),
    "weburl.URL.parse url": weburl.URL.parse,
    "weburl.URL.parse base": lambda url: weburl.URL.parse("c", url),
    "weburl.URL.can_parse url": weburl.URL.can_parse,
    "weburl.URL.can_parse base": lambda url: weburl.URL.can_parse("c", url),
    "weburl.URLRecord.join input": RECORD.join,
    "weburl.URLRecord.relative_to base": RECORD.relative_to,
    "weburl.RelativeReference.resolve base": REFERENCE.resolve,
    "weburl.URLPolicy.allows record": POLICY.allows,
    "weburl.URLPolicy.check record": POLICY.check,
    "weburl.URLPolicy.parse input": POLICY.parse,
    "weburl.URLPolicy.parse base": lambda url: POLICY.parse("c", url),
    "weburl.URLPattern base": lambda url: URLPattern("/a", url),
    "weburl.URLPattern.test input": PATTERN.test,
    "weburl.URLPattern.test base": lambda url: PATTERN.test("c", url),
    "weburl.URLPattern.exec input": PATTERN.exec,
    "weburl.URLPattern.exec base": lambda url: getattr(PATTERN.exec("#f", url), "hash", None),
    "weburl.URLPatternList.test input": URLPatternList([PATTERN]).test,
    "weburl.URLPatternList.test base": lambda url: URLPatternList([PATTERN]).test("c", url),
    "weburl.URLPatternList.first input": URLPatternList([PATTERN]).first,
    "weburl.URLPatternList.first base": lambda url: URLPatternList([PATTERN]).first("c", url),
    "weburl.URLPatternList.all input": URLPatternList([PATTERN]).all,
    "weburl.URLPatternList.all base": lambda url: URLPatternList([PATTERN]).all("c", url),
    "weburl.origins.same_origin_domain a": lambda url: origins.same_origin_domain(url, RECORD),
    "weburl.origins.same_origin_domain b": lambda url: origins.same_origin_domain(RECORD, url),
    "weburl.origins.schemelessly_same_site a": lambda url: origins.schemelessly_same_site(
        url, RECORD
    ),
    "weburl.origins.schemelessly_same_site b": lambda url: origins.schemelessly_same_site(
        RECORD, url
    ),
    "weburl.keys.url_key url": lambda url: keys.url_key(url, PAGE),
    "weburl.keys.surt url": keys.surt,
    "weburl.keys.KeyRules.explain url": PAGE.explain,
    "weburl.keys.KeyRules.same a": lambda url: PAGE.same(url, RECORD),
    "weburl.keys.KeyRules.same b": lambda url: PAGE.same(RECORD, url),
    "weburl.text.format_link url": text.format_link,
    "weburl.html.Document url": Document,
    "weburl.html.Document about_base_url": lambda url: Document("about:blank", about_base_url=url),
    "weburl.html.Document frozen_base_url": lambda url: Document(RECORD, frozen_base_url=url),
    "weburl.html.EnvironmentSettings api_base_url": EnvironmentSettings,
    "weburl.html.encoding_parse_and_serialize_url url": lambda url: (
        encoding_parse_and_serialize_url(url, DOCUMENT)
    ),
    "weburl.html.encoding_parse_url url": lambda url: encoding_parse_url(url, DOCUMENT),
    "weburl.html.parse_url url": lambda url: parse_url(url, DOCUMENT),
    "weburl.html.matches_about_blank url": matches_about_blank,
    "weburl.html.matches_about_srcdoc url": matches_about_srcdoc,
    "weburl.text.misleading_links url": lambda url: list(
        misleading_links("<a href=c>d.com</a>", url)
    ),
    "weburl.html.links url": lambda url: links("<a href=c>", url),
    "weburl.html.links about_base_url": lambda url: links(
        "<a href=c>", "about:blank", about_base_url=url
    ),
    "weburl.html.page url": lambda url: page("<a href=c>", url).links,
    "weburl.html.page about_base_url": lambda url: (
        page("<a href=c>", "about:blank", about_base_url=url).links
    ),
    "weburl.html.rewrite_links base": lambda url: rewrite_links("<a href=c>", url, _in_full),
    "weburl.html.absolute_links base": lambda url: absolute_links("<a href=c>", url),
    "weburl.html.relative_links base": lambda url: relative_links(f"<a href={TEXT}>", url),
    "weburl.html.with_params base": lambda url: with_params("<a href=c>", [], {}, base=url),
    "weburl.html.without_refused_links base": lambda url: without_refused_links(
        "<a href=c>", url, POLICY
    ),
    "weburl.html.set_url url": lambda url: set_url(DOCUMENT, url),
    "weburl.integrations.agreeing.agreed_url record": _as_given,
    "weburl.integrations.urllib.to_urllib record": urllib.to_urllib,
    "weburl.testing.spellings url": lambda url: repr(testing.spellings(url))[:0],
}

ELSEWHERE: Final = re.compile(
    r"weburl\.(columns|history|fetching|viewer)\b"
    r"|weburl\.integrations\.(httpx|httpx2|yarl|rfc3986|pydantic|pydantic_urls|sqlalchemy)\b"
)
"""What takes columns, the texts of older standards, or what another library takes."""

VALUES: Final = {
    "weburl.Report record": "a report is made by `check`",
    "weburl.html.PageLink record": "a link is made by `page`",
    "weburl.html.Change url": "text is written as it is, whatever it is",
    "weburl.html.LinkInPage record": "a link is made by `rewrite_links`",
    "weburl.redirect_uris.Match url": "a match is made by `RedirectURIs.match`",
    "weburl.text.Link url": "a link is made by `find_links`",
}
"""Parameters that are not parsed, most of them of values that our functions return."""

ANSWERS: Final = {
    **dict.fromkeys(
        [
            "weburl.can_parse",
            "weburl.is_valid_url_string",
            "weburl.URL.can_parse",
            "weburl.URLPolicy.allows",
            "weburl.URLPattern.test",
            "weburl.URLPatternList.test",
        ],
        False,
    ),
    **dict.fromkeys(
        ["weburl.URL.parse", "weburl.URLPattern.exec", "weburl.URLPatternList.first"], None
    ),
    "weburl.URLPatternList.all": (),
}
"""What is returned for text that does not parse. All others raise `URLParseError`."""


def parameters() -> Iterator[tuple[str, str]]:
    """Yield each public parameter whose annotation says that it takes a URL, and the annotation."""
    for module, names in promised.names(Path(__file__).resolve().parents[1]).items():
        if not module.startswith("weburl") or ELSEWHERE.match(module):
            continue
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        for name in names:
            value = getattr(found, name)
            if not callable(value):
                continue
            yield from _of(f"{module}.{name}", value)
            if isinstance(value, type):
                for method in dir(value):
                    member = getattr(value, method, None)
                    if not method.startswith("_") and callable(member):
                        yield from _of(f"{module}.{name}.{method}", member)


def _of(path: str, value: Callable[..., object]) -> Iterator[tuple[str, str]]:
    try:
        signature = inspect.signature(value)
    except ValueError:  # `inspect` finds no signature
        return
    for parameter in signature.parameters.values():
        annotation = str(parameter.annotation)
        if annotation.startswith("Callable"):  # what it is called with is a record
            continue
        if parameter.name != "self" and re.search(
            r"AnyURL|\bURLRecord\b|URLPatternInput|\bURL\b", annotation
        ):
            yield f"{path} {parameter.name}", annotation


def test_every_public_parameter_for_a_url_is_in_the_table() -> None:
    """And says in its annotation that it takes text, a record and a `URL`."""
    of_options = str(inspect.get_annotations(PageOptions)["about_base_url"])
    found = dict(parameters())
    found |= {f"weburl.html.{name} about_base_url": of_options for name in ("links", "page")}
    assert found.keys() - VALUES.keys() == CALLS.keys()
    narrow = [
        path
        for path, annotation in found.items()
        if path in CALLS and not re.search("AnyURL|URLPatternInput", annotation)
    ]
    assert narrow == []


def shown(value: object) -> str:
    """Return what can be compared of a result: opaque values compare by identity."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


@pytest.mark.parametrize("path", CALLS)
def test_a_url_goes_in_as_text_or_as_a_value(path: str) -> None:
    """With the same result."""
    url = "file:///a/b" if "file_url" in path else TEXT
    expected = shown(CALLS[path](weburl.parse(url)))
    assert shown(CALLS[path](weburl.URL(url))) == expected
    assert shown(CALLS[path](url)) == expected


@pytest.mark.parametrize("wrong", [5, b"https://example.com/", ["https://h/"], object()], ids=type)
@pytest.mark.parametrize("path", CALLS)
def test_other_types_raise_type_error(path: str, wrong: object) -> None:
    """Which says what is taken."""
    with pytest.raises(TypeError) as caught:
        CALLS[path](wrong)
    assert re.search("text, a URLRecord or a URL|has no origin", str(caught.value))


@pytest.mark.parametrize("path", CALLS)
def test_text_that_does_not_parse_has_one_answer(path: str) -> None:
    """An error, but for questions about one text, whose answer is no."""
    name, parameter = path.split()
    if name == "weburl.check":
        assert CALLS[path]("https://").record is None
    elif name == "weburl.readings":
        assert CALLS[path]("https://").readings[0].failure
    elif name in ANSWERS and not path.startswith("weburl.URLPattern base"):
        assert CALLS[path]("https://") == ANSWERS[name], parameter
    else:
        with pytest.raises((URLParseError, weburl.URLPatternError)):
            CALLS[path]("https://")


# --- comparing with text -----------------------------------------------------------------------

NOT_TEXT: Final[list[Any]] = [
    RECORD,
    RECORD.host,
    weburl.parse("https://1.2.3.4").host,
    weburl.parse("https://[::1]").host,
    weburl.parse("foo://a").host,
    weburl.EmptyHost(),
    weburl.origin_of(RECORD),
    weburl.OpaqueOrigin(),
    weburl.obtain_a_site(RECORD),
    PATTERN,
    REFERENCE,
    weburl.URL(RECORD),
    URLSearchParams("a=1"),
]


@pytest.mark.parametrize("value", NOT_TEXT, ids=lambda value: type(value).__name__)
def test_comparing_with_text_warns(value: Any) -> None:
    """On either side, and in a list; and names the type and not the value."""
    for compare in (
        lambda: value == "example.com",
        lambda: value != "example.com",
        lambda: "example.com" == value,  # noqa: SIM300
        lambda: value in [1, "example.com"],
        lambda: "example.com" in (1, value),
    ):
        with pytest.warns(ComparedWithTextWarning, match=type(value).__name__) as caught:
            compare()
        assert [each.filename for each in caught] == [__file__]
        assert "user" not in str(caught[0].message)


@pytest.mark.parametrize("value", NOT_TEXT, ids=lambda value: type(value).__name__)
def test_other_comparisons_do_not_warn(value: Any) -> None:
    """The suite makes every warning an error."""
    assert value == value  # noqa: PLR0124
    assert value != ""
    assert value not in (None, 1, b"example.com", [], weburl.parse("https://other.example"))


def test_a_line_warns_once_and_can_be_silenced() -> None:
    """By Python's own means."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for name in ("a.example", "b.example"):
            assert RECORD.host != name
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparedWithTextWarning)
        assert RECORD.host != "a.example"


# --- names and actions that people guess --------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "hint"),
    [
        (lambda: RECORD.domain, "url.registrable_domain"),  # type: ignore[attr-defined]
        (lambda: RECORD.netloc, "url.host_port"),  # type: ignore[attr-defined]
        (lambda: RECORD.params, "url.query_params"),  # type: ignore[attr-defined]
        (lambda: RECORD.replace, "a method such as url.with_path"),  # type: ignore[attr-defined]
        (lambda: RECORD.copy_with, "a method such as url.with_path"),  # type: ignore[attr-defined]
        (lambda: RECORD._replace, "a method such as url.with_path"),  # type: ignore[attr-defined]
        (lambda: RECORD.without_query, "url.with_query(None)"),  # type: ignore[attr-defined]
        (lambda: RECORD.startswith, "str(url).startswith(…)"),  # type: ignore[attr-defined]
        (lambda: urlsplit(RECORD), "str(url), or the parts"),  # type: ignore[call-overload]
        (lambda: REFERENCE.query, "reference.resolve(base).query"),  # type: ignore[attr-defined]
        (lambda: REFERENCE.with_query, "reference.edited(lambda url: url.with_query(…))"),  # type: ignore[attr-defined]
        (lambda: REFERENCE.normalize, "reference.canonical()"),  # type: ignore[attr-defined]
        (lambda: weburl.urldefrag, "url.without_fragment()"),  # type: ignore[attr-defined]
        (lambda: weburl.URL(RECORD).path, "url.pathname"),  # type: ignore[attr-defined]
        (lambda: weburl.join, "weburl.parse(text, base)"),  # type: ignore[attr-defined]
        (lambda: weburl.urljoin, "weburl.parse(text, base)"),  # type: ignore[attr-defined]
        (lambda: weburl.build, "weburl.URLRecord.build"),  # type: ignore[attr-defined]
        (lambda: weburl.normalize, "weburl.canonicalize"),  # type: ignore[attr-defined]
    ],
)
def test_a_name_that_people_guess_says_what_it_is_called_here(
    ask: Callable[[], object], hint: str
) -> None:
    """In an AttributeError, as Python's own."""
    with pytest.raises(AttributeError, match=re.escape(f": write {hint}")) as caught:
        ask()
    assert caught.value.name
    assert caught.value.obj is not None


@pytest.mark.parametrize("name", ["update_query", "with_query"])
def test_names_and_values_as_keywords_say_how_they_are_written(name: str) -> None:
    """In both builds. A mapping in a keyword works, because it is the name of the parameter."""
    method = getattr(RECORD, name)
    for given, named in (((), {}), (({},), {}), ((), {"query": ""})):
        with pytest.raises(TypeError, match=re.escape(f'write {name}({{"page": …}})')):
            method(*given, **named, page=2)
    assert method(query={"page": 2}) == method({"page": 2})
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'query'"):
        method()


def test_a_component_that_people_guess_says_what_it_is_called_here() -> None:
    """Of a pattern, whose components have the names of browsers."""
    with pytest.raises(TypeError, match=r"URLPattern\(\) has no argument 'path': write pathname"):
        URLPattern(path="/a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"has no argument 'x'$"):
        URLPattern(x="/a")  # type: ignore[arg-type]
    with pytest.raises(weburl.URLPatternError, match=r"no component 'path', .* Write pathname"):
        URLPattern({"path": "/a"})


@pytest.mark.parametrize("name", ["weburl.text", "weburl.redirect_uris", "weburl.columns.html"])
def test_a_module_that_is_not_imported_yet_says_so(name: str) -> None:
    """In a fresh interpreter: here, another test may have imported it."""
    package, _, module = name.rpartition(".")
    code = f"import {package}\n{package}.{module}"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.stderr.endswith(f"has no attribute {module!r}: import {name} first\n")


@pytest.mark.parametrize(
    "table", ["OF_RECORD", "OF_URL", "OF_MODULE", "OF_PATTERN", "OF_REFERENCE"]
)
def test_no_guess_is_a_name_that_there_is(table: str) -> None:
    """And what is written instead exists."""
    guesses = vars(importlib.import_module("weburl.standard.infra.guesses"))[table]
    owner, known = {
        "OF_RECORD": ("url", RECORD),
        "OF_URL": ("url", weburl.URL(RECORD)),
        "OF_MODULE": ("weburl", weburl),
        "OF_PATTERN": ("", PATTERN),
        "OF_REFERENCE": ("reference", REFERENCE),
    }[table]
    for name, hint in guesses.items():
        assert name not in dir(known)
        if table == "OF_PATTERN":
            assert all(hasattr(known, each) for each in hint.split(" and "))
        for each in re.findall(rf"\b{owner}\.(record\.)?(\w+)", hint) if owner else ():
            inner = RECORD if each[0] or (table == "OF_MODULE" and owner == "url") else known
            if not hasattr(inner, each[1]):
                importlib.import_module(f"weburl.{each[1]}")  # a room


@pytest.mark.parametrize(
    ("act", "hint"),
    [
        (lambda url: url + "x", 'url / "segment"'),
        (lambda url: "x" + url, 'url / "segment"'),
    ],
)
@pytest.mark.parametrize("value", NOT_TEXT[:9], ids=lambda value: type(value).__name__)
def test_what_needs_text_says_what_to_write(
    value: Any, act: Callable[[Any], object], hint: str
) -> None:
    """A record prints as text, so people try."""
    with pytest.raises(TypeError, match=re.escape(hint)):
        act(value)


@pytest.mark.parametrize("value", NOT_TEXT[:11], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "kind",
    [os.PathLike, abc.Sized, abc.Container, abc.Iterable, abc.Callable],
    ids=lambda kind: kind.__name__,
)
def test_a_value_is_not_taken_for_a_path_or_a_container(value: Any, kind: type) -> None:
    """Libraries choose what to do with an object by these classes."""
    assert not isinstance(value, kind)
    assert value  # as every object without a length


def test_a_record_that_a_library_wants_to_change_says_what_to_write() -> None:
    """`urlopen` sets an attribute of what is not text."""
    from urllib.request import urlopen

    with pytest.raises(AttributeError, match=r"'timeout' cannot be set: .* takes str\(value\)"):
        urlopen(RECORD)  # type: ignore[call-overload]


def test_a_record_is_not_made_of_a_whole_url() -> None:
    """The error says what is."""
    with pytest.raises(ValueError, match=r"use weburl\.parse"):
        URLRecord(TEXT)


# --- values of a query ---------------------------------------------------------------------------

QUERY_CALLS: Final[list[Callable[[Any], Any]]] = [
    lambda value: URLRecord.build(scheme="https", host="h", query={"a": value}).query,
    lambda value: weburl.parse("https://h/").with_query({"a": value}).query,
    lambda value: weburl.parse("https://h/").with_query([("a", value)]).query,
    lambda value: weburl.parse("https://h/").update_query({"a": value}).query,
    lambda value: weburl.parse("https://h/").update_query([("a", value)]).query,
    lambda value: weburl.parse("https://h/").with_query_param("a", value).query,
    lambda value: weburl.parse("https://h/").add_query_param("a", value).query,
    lambda value: str(URLSearchParams({"a": value})) or None,
    lambda value: str(URLSearchParams([("a", value)])) or None,
]


@pytest.mark.parametrize("call", QUERY_CALLS)
def test_all_that_takes_query_values_takes_the_same(call: Callable[[Any], Any]) -> None:
    """Text, an int, and lists and tuples of them."""
    for value, query in [
        ("b c", "a=b+c"),
        (-5, "a=-5"),
        (10**30, f"a={10**30}"),
        (["x", 1], "a=x&a=1"),
        (("x",), "a=x"),
        ([], None),
    ]:
        assert call(value) == query
    for wrong in (1.5, True, None, b"x", {"x"}, ["x", None], [["x"]], object()):
        with pytest.raises(TypeError, match="the value of the parameter 'a' must be text, an int"):
            call(wrong)


def test_all_values_of_a_mapping_with_lists_go_in() -> None:
    """`items` of Django's QueryDict has the last value of a name alone."""
    from django.http import QueryDict

    given = QueryDict("a=1&a=2&b=3")
    assert weburl.parse("https://h/").with_query(given).query == "a=1&a=2&b=3"
    assert str(URLSearchParams(given)) == "a=1&a=2&b=3"
    url = weburl.parse("https://h/?a=1&b=2&a=3")
    assert url.with_query(url.query_params).query == "a=1&a=3&b=2"


# --- unknown names -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "accepted"),
    [
        (lambda: keys.KeyRules.named("pages"), "browser, page, crawl"),
        (lambda: weburl.parse("a:", encoding="klingon"), "utf-8, ibm866"),
        (lambda: RECORD.relative_to(RECORD, prefer="x"), "scheme-relative"),  # type: ignore[arg-type]
        (lambda: weburl.render(RECORD, only="path"), "'host', 'registrable_domain'"),  # type: ignore[arg-type]
        (lambda: keys.surt(RECORD, profile="x"), "'archive' or 'careful'"),  # type: ignore[arg-type]
        (lambda: URLPolicy(address_classes=["x"]), "loopback"),  # type: ignore[list-item]
        (lambda: PATTERN.generate("path"), "pathname"),  # type: ignore[arg-type]
        (lambda: links("", RECORD, kinds=["x"]), "resource"),
    ],
)
def test_an_unknown_name_is_a_value_error_with_the_accepted_names(
    call: Callable[[], object], accepted: str
) -> None:
    """Of rules, encodings, kinds, classes and components."""
    with pytest.raises(ValueError, match=accepted):
        call()
