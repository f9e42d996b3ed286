"""Whether time and memory grow with the length alone: ``python -m benchmarks.complexity``.

Every public function that takes text is given every hostile shape, from 4 kB to 4 MB, and the
products of two shapes. The table has for each function the steepest growth of its time (1.0 is
linear) and the most memory for each byte, with the shapes that they are of. What is steeper than
linear, or takes more than twenty bytes a byte, is marked; ``docs/trust.md`` names its bound.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from json import dumps
from pathlib import Path
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Final, get_args

from attrs import frozen

from benchmarks.shapes import SHAPES, TEXT_SHAPES, Shape, utf8_size

if TYPE_CHECKING:
    from django.template.base import Template

    import weburl
    from weburl.keys import KeyRules

SIZES: Final = tuple(4096 << shift for shift in (0, 2, 4, 6, 8, 10))
"""4 kB to 4 MB, each four times the one before."""

STEEP: Final = 1.35
"""An exponent beyond this is no noise: n log n over these sizes is at 1.15."""
MOST_MEMORY: Final = 20
_SHORTEST_TIME: Final = 0.004  # seconds; less is mostly noise
_MEMORY_SIZE: Final = 1 << 14
_DEMO: Final = Path(__file__).resolve().parents[1] / "docs" / "demo"


@frozen
class Task:
    """A function: its name, what is called with a text, and whether that is a whole URL."""

    name: str
    run: Callable[[str], object]
    takes_url: bool = True


@frozen
class Result:
    """What was measured of a task and a shape: seconds by size, and bytes for each byte."""

    task: str
    shape: str
    seconds: tuple[float, ...]
    memory: float

    @property
    def exponent(self) -> float:
        """How steeply time grows between the last sizes that took long enough to tell."""
        told = [(at, time) for at, time in enumerate(self.seconds) if time >= _SHORTEST_TIME]
        if len(told) < 2:
            return 0.0
        (first, early), (last, late) = told[max(len(told) - 3, 0)], told[-1]
        return math.log(late / early) / math.log(SIZES[last] / SIZES[first])


def tasks() -> Iterator[Task]:
    """Yield every public function that takes text from outside."""
    yield from _of_urls()
    yield from _of_parts()
    yield from _of_records()
    yield from _of_other_rooms()
    yield from _of_text()
    yield from _of_keys()
    yield from _of_patterns()
    yield from _of_safety()
    yield from _of_columns()
    yield from _of_the_django_app()


def _of_urls() -> Iterator[Task]:
    import weburl

    base = weburl.parse("http://user@host:8080/a/b?c#d")
    yield Task("parse", weburl.parse)
    yield Task("can_parse", weburl.can_parse)
    yield Task("canonicalize", weburl.canonicalize)
    yield Task("check", lambda text: str(weburl.check(text)))
    yield Task("is_valid_url_string", weburl.is_valid_url_string)
    yield Task("join", base.join)
    yield Task("join to the root", lambda text: weburl.parse(text).join("../" * (len(text) // 6)))
    yield Task("parse in gbk", lambda text: weburl.parse(text, encoding="gbk"))
    yield Task("repr", lambda text: repr(weburl.parse(text)))
    yield Task("render", lambda text: weburl.render(weburl.parse(text)))
    yield Task("render, 60", lambda text: weburl.render(weburl.parse(text), max_length=60))
    yield Task("render_html", lambda text: weburl.render_html(weburl.parse(text)))
    yield Task("origin_of", lambda text: weburl.origin_of(weburl.parse(text)))
    yield Task(
        "same_site", lambda text: weburl.same_site(weburl.origin_of(weburl.parse(text)),
                                                   weburl.origin_of(base))
    )  # fmt: skip
    yield Task("path, query_pairs", lambda text: _read(weburl.parse(text)))


def _read(record: object) -> object:
    return getattr(record, "path", None), getattr(record, "query_pairs", None)


def _of_parts() -> Iterator[Task]:
    import weburl
    from tests.wpt import ATTRIBUTES
    from weburl import URL, URLSearchParams

    base = weburl.parse("http://user@host:8080/a/b?c#d")

    def setter(name: str) -> Callable[[str], object]:
        def run(text: str) -> object:
            url = URL(base.href)
            setattr(url, name, text)
            return url.href

        return run

    for name in ATTRIBUTES:
        yield Task(f"URL.{name} =", setter(name), takes_url=False)
    for name in ("scheme", "username", "password", "host", "hostname", "port", "path", "query"):
        yield Task(f"with_{name}", getattr(base, f"with_{name}"), takes_url=False)
    yield Task("URLSearchParams", lambda text: str(URLSearchParams(text)), takes_url=False)

    def changed(text: str) -> object:
        params = URLSearchParams(text)
        params.append(text, text)
        params.set(text, "x")
        params.sort()
        params.delete("a")
        return params.get_all(text), params.has(text), list(params)

    yield Task("its methods", changed, takes_url=False)


def _of_other_rooms() -> Iterator[Task]:
    import weburl
    import weburl.html
    from weburl.history import decomposition, html5_urls, rfc3986, url_standard_2020, web_addresses
    from weburl.history.readings import history

    page = "https://example.com/a"
    yield Task("html.links, as a page", lambda text: weburl.html.links(text, page), takes_url=False)
    yield Task("html.links, one link", lambda text: weburl.html.links(f"<a href='{text}'>", page))
    yield Task(
        "html.links, a srcset", lambda text: weburl.html.links(f"<img srcset='{text}'>", page)
    )
    yield Task(
        "file_url_from_path",
        lambda text: weburl.file_url_from_path(f"/{text}", windows=False),
        takes_url=False,
    )
    yield Task(
        "path_from_file_url",
        lambda text: weburl.path_from_file_url(weburl.parse(f"file:///{text}"), windows=True),
        takes_url=False,
    )
    yield Task("legacy.history", history)
    yield Task("legacy.decompose", decomposition.decompose)
    yield Task("legacy.html5_urls.resolve", lambda text: html5_urls.resolve(text, page))
    yield Task("legacy.web_addresses.resolve", lambda text: web_addresses.resolve(text, page))
    yield Task("legacy.rfc3986.parse", lambda text: rfc3986.parse(text, page))
    yield Task("legacy.url_standard_2020.parse", url_standard_2020.parse)


def _of_text() -> Iterator[Task]:
    import weburl
    from weburl.text import find_links, find_readings, format_link, split

    yield Task("text.find_links", lambda text: list(find_links(text)))
    yield Task("text.find_links, of a part", lambda text: list(find_links(text)), takes_url=False)
    yield Task("text.find_readings", lambda text: list(find_readings(text)), takes_url=False)
    yield Task("text.split", lambda text: list(split(text)), takes_url=False)
    yield Task("text.format_link", lambda text: format_link(weburl.parse(text)))


def _of_records() -> Iterator[Task]:
    """Yield what changes a record by one argument, and what reads a long record."""
    import weburl
    from weburl.integrations import building_blocks as fields

    base = weburl.parse("http://user@host:8080/a/b?c#d")

    def query_of(text: str) -> weburl.URLRecord:
        return base.with_query(text)

    for name in ("name", "suffix", "fragment"):
        yield Task(f"with_{name}", getattr(base, f"with_{name}"), takes_url=False)
    yield Task("joinpath", lambda text: base.joinpath(text, text), takes_url=False)
    yield Task("/", lambda text: base / text, takes_url=False)
    yield Task("build", lambda text: base.build(
        scheme="http", host="h", segments=[text], query={text: text}, fragment=text
    ), takes_url=False)  # fmt: skip
    yield Task("build, a host", lambda text: base.build(scheme="http", host=text), takes_url=False)
    yield Task("segments, name, parent", lambda text: _read_path(weburl.parse(text)))
    yield Task("redacted", lambda text: str(weburl.parse(text).redacted()))
    yield Task("relative_to", lambda text: weburl.parse(text).relative_to(base))
    yield Task(
        "relative_to, a long one",
        lambda text: weburl.parse(text).relative_to(weburl.parse(f"{text}/x?y")),
    )
    yield Task("query_params", lambda text: dict(query_of(text).query_params), takes_url=False)
    yield Task("with_query_param", lambda text: query_of(text).with_query_param("a", text),
               takes_url=False)  # fmt: skip
    yield Task("add_query_param", lambda text: query_of(text).add_query_param(text, text),
               takes_url=False)  # fmt: skip
    yield Task("without_query_params", lambda text: query_of(text).without_query_params("a", "b"),
               takes_url=False)  # fmt: skip
    yield Task("without_query_params, names",
               lambda text: query_of(text).without_query_params(*text.split("&")),
               takes_url=False)  # fmt: skip
    yield Task("update_query", lambda text: query_of(text).update_query({"a": text, text: "b"}),
               takes_url=False)  # fmt: skip
    yield Task("sort_query_params", lambda text: query_of(text).sort_query_params(),
               takes_url=False)  # fmt: skip
    yield Task("RelativeReference", lambda text: _referred(weburl.RelativeReference(text), base),
               takes_url=False)  # fmt: skip
    yield Task("fields.normalized_scheme", fields.normalized_scheme, takes_url=False)
    yield Task("fields.starts_with_host_and_port", fields.starts_with_host_and_port,
               takes_url=False)  # fmt: skip


def _read_path(record: weburl.URLRecord) -> object:
    return record.segments, record.name, record.suffix, record.parent


def _referred(reference: weburl.RelativeReference, base: weburl.URLRecord) -> object:
    return reference.kind, reference.names_a_host, reference.resolve(base), repr(reference)


def _of_keys() -> Iterator[Task]:
    from weburl import keys
    from weburl.public_suffix import parse_list

    for name in keys.RULE_NAMES:
        rules = keys.KeyRules.named(name)
        yield Task(f"url_key, {name}", partial(_key, rules, ""))
        yield Task(f"url_key of params, {name}", partial(_key, rules, "https://h/?"),
                   takes_url=False)  # fmt: skip
    yield Task("explain", lambda text: str(keys.KeyRules.named("crawl").explain(text)))
    for profile in get_args(keys.SURTProfile):
        yield Task(f"surt, {profile}", partial(keys.surt, profile=profile))
    rule = keys.ParamRule(["a"], prefixes=["utm_"], patterns=["[ab]+c", "x[0-9]*"])
    yield Task("url_key, patterns of params",
               lambda text: keys.url_key(f"https://h/?{text}", keys.KeyRules(drop_params=[rule])),
               takes_url=False)  # fmt: skip
    yield Task("ParamRule, names",
               lambda text: keys.url_key("https://h/?a&b=c", keys.KeyRules(
                   drop_params=[keys.ParamRule(text.split("&"), ignore_case=True)])),
               takes_url=False)  # fmt: skip
    for read in (keys.params_from_clearurls, keys.linear_pattern, parse_list):
        yield Task(read.__name__, read, takes_url=False)
    yield Task("params_from_clearurls, rules",
               lambda text: keys.params_from_clearurls(dumps(_clearurls(text))),
               takes_url=False)  # fmt: skip


def _key(rules: KeyRules, start: str, text: str) -> str:
    from weburl.keys import url_key

    return url_key(start + text, rules)


def _clearurls(text: str) -> object:
    provider = {"urlPattern": f"^https?://{text}", "rules": [text, *text.split("&")[:500]]}
    return {"providers": {"x": provider}}


def _of_patterns() -> Iterator[Task]:
    from weburl import URLPattern, URLPatternList

    yield Task("URLPattern", lambda text: str(URLPattern(text)))
    yield Task("URLPattern, a path", lambda text: repr(URLPattern(pathname=text)), takes_url=False)
    yield Task("URLPattern, a host", lambda text: URLPattern(hostname=text), takes_url=False)
    yield Task("URLPattern, on itself", lambda text: URLPattern(pathname=text).exec(
        {"pathname": text}), takes_url=False)  # fmt: skip
    pattern = URLPattern({"protocol": "http{s}?", "hostname": "{*.}?:a.:b", "pathname": "/:a*/*/b",
                          "search": "*a=:b*", "hash": ":c{:d}?*e"})  # fmt: skip
    yield Task("test", pattern.test)
    yield Task("exec", pattern.exec)
    yield Task("exec, a path", lambda text: pattern.exec({"pathname": text}), takes_url=False)
    yield Task("generate", lambda text: URLPattern(pathname="/:a/x").generate(
        "pathname", {"a": text}), takes_url=False)  # fmt: skip
    regexp = URLPattern(pathname=r"/(a|b|%)+x/(\d*\w*)y")
    yield Task("test, a regular expression", lambda text: regexp.test({"pathname": text}),
               takes_url=False)  # fmt: skip
    several = URLPatternList(["https://*.example/*", "*://*/a/:b", pattern])
    yield Task("URLPatternList", several.first)


def _of_safety() -> Iterator[Task]:
    import weburl
    from weburl.fetching import URLFetchError
    from weburl.fetching.guard import Guard
    from weburl.redirect_uris import RedirectURIs
    from weburl.viewer import report

    for name in ("webhook", "public_link", "image"):
        policy = getattr(weburl.URLPolicy, name)()
        yield Task(f"URLPolicy.{name}().parse", policy.parse)
    internal = weburl.URLPolicy.internal(names=["a.corp"], networks=["10.0.0.0/8"])
    yield Task("URLPolicy.internal().parse", internal.parse)
    hosts = weburl.HostList(["*.evil.example", "a.example"])
    yield Task("in a HostList", lambda text: text in hosts, takes_url=False)
    yield Task("in a HostList, below",
               lambda text: f"{text}.evil.example" in hosts, takes_url=False)  # fmt: skip
    yield Task("HostList of a text", lambda text: weburl.HostList([text]), takes_url=False)
    yield Task("readings", weburl.readings)
    yield Task("parse_host", weburl.parse_host, takes_url=False)
    yield Task("origin_problems", lambda text: weburl.origin_problems(text, schemes=None))
    yield Task("parse_origins", lambda text: weburl.parse_origins([text]))
    yield Task("RedirectURIs", lambda text: RedirectURIs([text], allow_http=True).match(text))
    yield Task("RedirectURIs, many", lambda text: RedirectURIs.from_stored(text.split("&")),
               takes_url=False)  # fmt: skip
    uris = RedirectURIs(["https://app.example/cb", "http://127.0.0.1/cb"])
    yield Task("RedirectURIs.match", lambda text: str(uris.match(text)))
    yield Task("RedirectURIs.problem", lambda text: str(uris.problem(text)))
    guard = Guard(
        weburl.URLPolicy.webhook(), redirect_policy="same-site", bounds=None,
        credential_headers=(), resolve=None, error=URLFetchError,
    )  # fmt: skip

    def fetched(text: str) -> None:
        hop = guard.hop(None, "https://a.example/", ("https", "a.example", None))
        with suppress(URLFetchError):
            hop.answered(302, [(b"location", text.encode(errors="replace"))], weburl.parse)
            guard.hop(hop.chain, "https://a.example/", ("https", "a.example", None))

    yield Task("fetching, a redirect", fetched)
    yield Task("viewer.report", lambda text: report(text, text))


def _of_columns() -> Iterator[Task]:
    """Yield the functions of columns, for one long text and for many short ones."""
    try:
        import pyarrow as pa
    except ImportError:
        print("columns are not measured: pyarrow is not installed", file=sys.stderr)
        return
    from weburl import columns

    base = "https://base.example/a/b?c"
    for name in (
        "can_parse", "canonical_host", "canonicalize", "check", "file_extension", "file_name",
        "host", "is_ip", "key", "origin", "parse", "path_depth", "path_segments", "public_suffix",
        "registrable_domain", "registrable_domain_of_host", "render", "search_params", "site",
        "subdomain", "surt",
    ):  # fmt: skip
        yield Task(f"columns.{name}", partial(_column, getattr(columns, name)))
    for name, options in (
        ("part", ("path",)), ("resolve", (base,)), ("same_site", (base,)), ("search_param", ("a",)),
        ("without_query_params", ("a", "b")), ("matches", ("https://*.example/:a/*",)),
    ):  # fmt: skip
        yield Task(f"columns.{name}", partial(_column, getattr(columns, name), *options))
    yield Task("columns.canonical_host, of a part",
               partial(_column, columns.canonical_host), takes_url=False)  # fmt: skip
    yield Task("columns.key, of many",
               lambda text: columns.key(pa.array(utf8(text).split("/"))))  # fmt: skip
    yield Task("columns.registrable_domain_of_host, of many",
               lambda text: columns.registrable_domain_of_host(pa.array(utf8(text).split("."))),
               takes_url=False)  # fmt: skip


def utf8(text: str) -> str:
    """Return the text without lone surrogates, which Arrow cannot hold."""
    return text.encode("utf-8", "replace").decode()


def _column(function: Callable[..., object], *arguments: str) -> object:
    import pyarrow as pa

    *options, text = arguments
    return function(pa.array([utf8(text)]), *options)


def _of_the_django_app() -> Iterator[Task]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.django.settings")
    sys.path.append(str(_DEMO))
    import django

    django.setup()
    from django.template import Engine
    from django.test import RequestFactory, override_settings

    import weburl
    from django_whatwg_url import forms
    from django_whatwg_url.forms import CanonicalURLField
    from django_whatwg_url.linkify import LinksValidator, linkify, linkify_html
    from django_whatwg_url.query.operands import TEXT_PARTS, operand_forms
    from django_whatwg_url.redirects import safe_redirect_url
    from django_whatwg_url.validators import (
        RedirectURIValidator,
        URLPolicyValidator,
        URLStrictnessValidator,
        validate_origin,
        validate_url_pattern,
    )

    yield Task("form field, clean", CanonicalURLField(max_length=None).clean)
    yield Task("form field, 2048", CanonicalURLField(max_length=2048).clean)
    yield Task("linkify", linkify, takes_url=False)
    yield Task("linkify_html", linkify_html, takes_url=False)
    for name in ("ExactURLField", "URLReferenceField"):
        yield Task(f"forms.{name}", getattr(forms, name)(max_length=None).clean)
    yield Task("links validator", LinksValidator(max_links=None), takes_url=False)
    yield Task("origin validator", validate_origin, takes_url=False)
    yield Task("pattern validator", validate_url_pattern, takes_url=False)
    yield Task("strictness validator", URLStrictnessValidator("valid"))
    yield Task("policy validator", URLPolicyValidator(weburl.URLPolicy.webhook()))
    yield Task("redirect URI validator", RedirectURIValidator())
    request = RequestFactory().get("/")

    @override_settings(ALLOWED_HOSTS=["testserver"])
    def redirected(text: str) -> object:
        return safe_redirect_url(request, text, max_length=1 << 24)

    yield Task("safe_redirect_url", redirected)
    engine = Engine(libraries={"whatwg_url": "django_whatwg_url.templatetags.whatwg_url"})
    for name in ("url_display", "url_display_html", "url_host", "url_without_fragment"):
        template = engine.from_string(f"{{% load whatwg_url %}}{{{{ url|{name} }}}}")
        yield Task(f"|{name}", partial(_shown, template))
    for part in TEXT_PARTS:
        yield Task(f"operand of {part}", partial(operand_forms, part), takes_url=False)


def _shown(template: Template, text: str) -> str:
    from django.template import Context

    return template.render(Context({"url": text}))


def products(count: int) -> list[Shape]:
    """Return so many of the products of two shapes, chosen at random but always the same."""
    pairs = [(a, b) for a, b in product(SHAPES, SHAPES) if a is not b]
    chosen = Random(12).sample(pairs, min(count, len(pairs)))
    return [
        Shape(
            f"{a.name} × {b.name}",
            a.before,
            partial(_half_and_half, a, b),
            a.after,
            a.setter,
        )
        for a, b in chosen
    ]


def _half_and_half(first: Shape, second: Shape, size: int) -> str:
    return first.middle(size // 2) + second.middle(size // 2)


def measure(task: Task, shape: Shape, seconds: float, largest: int) -> Result:
    """Return what a task takes with a shape; larger texts are not tried after ``seconds``."""
    make = shape.url if task.takes_url else shape.middle
    times: list[float] = []
    for size in SIZES:
        if size > largest:
            break
        text = make(size)
        gc.collect()
        start = process_time()
        _run(task, text)
        times.append(process_time() - start)
        if times[-1] > seconds:
            break
    text = make(min(SIZES[len(times) - 1], _MEMORY_SIZE))
    gc.collect()
    tracemalloc.start()
    _run(task, text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Result(task.name, shape.name, tuple(times), peak / max(utf8_size(text), 1))


def _run(task: Task, text: str) -> None:
    from django.core.exceptions import ValidationError

    with suppress(ValueError, ValidationError):
        task.run(text)


def table(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of a table: for each function, its worst shapes."""
    yield f"| {'function':32} | growth | of the shape {'':28} | memory | of the shape"
    yield "|---|---|---|---|---|"
    for name in dict.fromkeys(result.task for result in results):
        own = [result for result in results if result.task == name]
        slow = max(own, key=lambda result: result.exponent)
        large = max(own, key=lambda result: result.memory)
        mark = " (!)" if slow.exponent > STEEP else ""
        many = " (!)" if large.memory > MOST_MEMORY else ""
        yield (
            f"| {name:32} | {slow.exponent:.2f}{mark} | {slow.shape[:40]:41} |"
            f" {large.memory:.0f}{many} | {large.shape[:60]} |"
        )


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--functions", nargs="+", default=[""], help="parts of their names")
    parser.add_argument("--shapes", nargs="+", default=[""], help="parts of their names")
    parser.add_argument("--without", nargs="+", default=[], help="parts of shapes' names")
    parser.add_argument("--products", type=int, default=200, help="how many products of two shapes")
    parser.add_argument("--seconds", type=float, default=2.0, help="after which to stop growing")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="bytes")
    arguments = parser.parse_args()
    shapes = [*SHAPES, *TEXT_SHAPES, *products(arguments.products)]
    shapes = [shape for shape in shapes if any(word in shape.name for word in arguments.shapes)]
    shapes = [shape for shape in shapes if not any(w in shape.name for w in arguments.without)]
    results = []
    for task in tasks():
        if any(word in task.name for word in arguments.functions):
            _run(task, "http://é/%C3%A9")  # Tables are loaded at first use.
            # Each measurement collects garbage, and would look through all that is loaded.
            gc.collect()
            gc.freeze()
            own = [measure(task, shape, arguments.seconds, arguments.largest) for shape in shapes]
            results += own
            print(*list(table(own))[-1:], flush=True)
    print(*table(results), sep="\n")
    print(f"{len(results)} of functions and shapes; (!) beyond {STEEP} or {MOST_MEMORY} times")
    return 0


if __name__ == "__main__":
    sys.exit(main())
