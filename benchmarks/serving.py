"""Whether the memory of a web server stays flat under load: ``python -m benchmarks.serving``.

One process serves a small Django project, and this process is its clients: threads that send
requests one after another for ``--minutes``. The project saves, reads and queries rows with URL
fields, validates forms, renders templates with the filters, answers a REST interface, redirects,
finds links in text and in pages, and fetches from a server in this process by `PolicyTransport`.

Each minute a line says how much memory the server has in use, without what caches with a bound
hold. What it has after a tenth of the time is compared with the end. In the end, a minute is
traced, and the lines whose objects stay are printed. The exit status is 1 if memory grows or if a
request fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from random import Random
from socketserver import ThreadingMixIn
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Any, Final
from urllib.parse import urlencode
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from attrs import asdict

from benchmarks.leaks import PARTS, URLS, Reading, counted
from weburl.standard.infra.build import COMPILED

MOST_ROWS: Final = 300
"""The table never has many more rows than this, so that the last request is like the first."""

MOST_BLOCKS: Final = 2000
MOST_BLOCKS_EACH: Final = 1 / 100
"""Memory grows if there are more new blocks than this, and this for each request."""

MOST_RESIDENT: Final = 16 << 20

_HAS_REST: Final = find_spec("rest_framework") is not None
_HAS_HTML: Final = find_spec("turbohtml") is not None

_FINE: Final = ("200", "201", "302", "400")

_PAGE: Final = """{% load whatwg_url %}<form>{{ form }}</form>{% for row in rows %}
<a href="{{ row.url|url_href }}">{{ row.url|url_display:60 }}</a> {{ row.url|url_host }}
{{ row.url|url_registrable_domain }} {{ row.url|url_origin }} {{ row.url|url_param:"id" }}
{{ row.url|url_without_param:"id"|url_href }} {{ row.url|url_display_html }} {{ row.text|url_text }}
{{ row.url|url_join:"../x" }} {% url_set_param row.url page=2 %} {{ row.exact|url_href }}
{{ row.title|url_linkify }}{% endfor %}"""

_HEADING: Final = (
    f"{'minutes':>8}{'requests':>10}{'RSS, MB':>9}{'blocks':>9}{'large, KB':>11}{'cached':>8}"
)


# --- the server ----------------------------------------------------------------------------------


def serve(database: str, target: str) -> None:
    """Serve the project on a port that the system chooses, and print the port."""
    _configure(database)
    from django.core.wsgi import get_wsgi_application

    urls = _project(target)
    sys.modules["benchmarks.serving"] = sys.modules[__name__]
    globals()["urlpatterns"] = urls
    server = make_server("127.0.0.1", 0, get_wsgi_application(), _Server, _Quiet)
    print(server.server_port, flush=True)
    server.serve_forever()


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 128


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


def _configure(database: str) -> None:
    import django
    from django.conf import settings

    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": database,
                "OPTIONS": {"timeout": 60, "transaction_mode": "IMMEDIATE"},
            }
        },
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=["django_whatwg_url", *(["rest_framework"] if _HAS_REST else [])],
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None},
        ROOT_URLCONF="benchmarks.serving",
        SECRET_KEY="for the benchmark only",
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
        USE_TZ=True,
    )
    django.setup()


def _project(target: str) -> list[Any]:
    """Make the table, and return the addresses of the project."""
    from django.db import connection
    from django.urls import path

    model = _model()
    with connection.schema_editor() as editor:
        editor.create_model(model)
    views = {**_pages_of(model), **_other_pages(target), **_measuring()}
    if _HAS_REST:
        views["api/"] = _interface(model)
    return [path(address, view) for address, view in views.items()]


def _model() -> Any:
    from django.db import models

    from django_whatwg_url import fields
    from weburl import URLPolicy

    class Row(models.Model):
        url = fields.CanonicalURLField(unique=True)
        text = fields.CanonicalURLField(as_text=True, null=True, blank=True)
        hook = fields.CanonicalURLField(policy=URLPolicy.webhook(), null=True, blank=True)
        exact = fields.ExactURLField(null=True, blank=True)
        reference = fields.URLReferenceField(null=True, blank=True)
        origin = fields.OriginField(default="https://example.com")
        pattern = fields.URLPatternField(null=True, blank=True)
        title = models.TextField(blank=True)
        key = fields.URLKeyField("url")
        site = fields.RegistrableDomainField("url")
        item = fields.QueryParamField("url", "id", max_length=100)

        class Meta:
            app_label = "django_whatwg_url"

    return Row


def _pages_of(model: Any) -> dict[str, Callable[..., Any]]:
    from django import forms
    from django.core.exceptions import ValidationError
    from django.db.models import Q
    from django.http import HttpRequest, HttpResponse
    from django.template import engines

    template = engines["django"].from_string(_PAGE)
    form_class = forms.modelform_factory(
        model,
        fields=("url", "text", "hook", "exact", "reference", "origin", "pattern", "title"),
    )

    def shelf(request: HttpRequest) -> HttpResponse:
        form = form_class(request.POST or None)
        if request.method == "POST" and form.is_valid():
            form.save()
            kept = model.objects.order_by("-pk").values("pk")[:MOST_ROWS]
            model.objects.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()
        rows = model.objects.order_by("-pk")[:20]
        return HttpResponse(template.render({"rows": rows, "form": form}, request))

    def search(request: HttpRequest) -> HttpResponse:
        word = request.GET.get("q", "")
        found: list[Any] = []
        for wanted in (
            {"url": word}, {"url__holds": word}, {"url__host__under": word},
            {"url__host": word}, {"key__same_as": word}, {"url__origin": word}, {"item": word},
            {"url__query_params__has": word}, {"url__path__startswith": word},
        ):  # fmt: skip
            with suppress(ValidationError, ValueError):
                found += model.objects.filter(Q(**wanted)).values_list("url", "text")[:5]
        changed = model.objects.filter(pk=len(word)).update(title=word.replace("\0", ""))
        return HttpResponse(f"{len(found)} {changed}")

    return {"": shelf, "search/": search}


def _interface(model: Any) -> Callable[..., Any]:
    from rest_framework import generics, renderers, serializers

    from django_whatwg_url.integrations.rest_framework import URLPartField

    class RowSerializer(serializers.ModelSerializer[Any]):
        host = URLPartField(source="url.host")

        class Meta:
            model: Any
            fields = ("url", "text", "hook", "exact", "origin", "site", "item", "host")
            read_only_fields = ("site", "item")

    RowSerializer.Meta.model = model

    class Rows(generics.ListCreateAPIView[Any]):
        queryset = model.objects.order_by("-pk")[:20]
        serializer_class = RowSerializer
        renderer_classes = (renderers.JSONRenderer,)

    return Rows.as_view()


def _other_pages(target: str) -> dict[str, Callable[..., Any]]:
    import httpx
    from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

    import weburl
    from django_whatwg_url.redirects import safe_redirect_url
    from weburl.fetching.httpx import PolicyTransport, URLFetchError
    from weburl.text import find_links

    policy = weburl.URLPolicy.internal(networks=["127.0.0.0/8"])
    limits = httpx.Limits(max_connections=8)
    shared = httpx.Client(transport=PolicyTransport(policy, limits=limits), follow_redirects=True)

    def leave(request: HttpRequest) -> HttpResponse:
        url = safe_redirect_url(request, request.GET.get("next"))
        return HttpResponse("stay") if url is None else HttpResponseRedirect(url.href)

    def fetch(request: HttpRequest) -> HttpResponse:
        address = request.GET.get("url") or target + request.GET.get("path", "/")
        try:
            if request.GET.get("new"):
                own = PolicyTransport(policy, redirect_policy="same-origin", verify=False)
                with httpx.Client(transport=own, follow_redirects=True) as client:
                    return HttpResponse(client.get(address).content)
            return HttpResponse(shared.get(address).content)
        except (URLFetchError, httpx.HTTPError, httpx.InvalidURL) as error:
            return HttpResponse(str(error))

    def links(request: HttpRequest) -> HttpResponse:
        text = request.POST.get("text", "")
        found: list[object] = [*find_links(text)]
        if _HAS_HTML:
            from weburl.html import PageLimitError
            from weburl.html import links as links_of

            with suppress(PageLimitError):
                found += links_of(text, "https://example.com/a")
        return HttpResponse(f"{len(found)}")

    return {"go/": leave, "fetch/": fetch, "links/": links}


def _measuring() -> dict[str, Callable[..., Any]]:
    from django.http import HttpRequest, HttpResponse, JsonResponse

    snapshots: list[tracemalloc.Snapshot] = []

    def memory(_request: HttpRequest) -> HttpResponse:
        cached, reading = counted()
        return JsonResponse({"cached": cached, **asdict(reading)})

    def trace(_request: HttpRequest) -> HttpResponse:
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        counted()
        snapshots.append(tracemalloc.take_snapshot().filter_traces(
            [tracemalloc.Filter(False, tracemalloc.__file__)]
        ))  # fmt: skip
        if len(snapshots) == 1:
            return HttpResponse("")
        tracemalloc.stop()
        compared = snapshots[1].compare_to(snapshots[0], "lineno")[:10]
        return HttpResponse("\n".join(map(str, compared)))

    return {"memory/": memory, "trace/": trace}


# --- the clients ---------------------------------------------------------------------------------


class _Target(BaseHTTPRequestHandler):
    """What the server fetches from: it answers, or redirects to a good place or a bad one."""

    def do_GET(self) -> None:
        number = sum(self.path.encode()) % 4
        self.send_response(302 if number else 200)
        if number:
            self.send_header("Location", ("/ok", "http://10.0.0.1/", "https://[")[number - 1])
        body = b"" if number else b"hello" * 1000
        self.send_header("Content-Length", f"{len(body)}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


class Load:
    """Threads that send requests until they are told to stop, and what was answered."""

    def __init__(self, port: int, clients: int) -> None:
        self.answers: Counter[str] = Counter()
        self._port = port
        self._lock = Lock()
        self._ended = Event()
        self._threads = [Thread(target=self._client, args=(at, clients)) for at in range(clients)]

    def start(self) -> None:
        """Let the clients begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Wait until the last answers have come."""
        self._ended.set()
        for thread in self._threads:
            thread.join()

    @property
    def requests(self) -> int:
        """How many were answered until now."""
        with self._lock:
            return sum(self.answers.values())

    def failures(self) -> dict[str, int]:
        """Return which requests the server could not answer."""
        return {kind: count for kind, count in self.answers.items() if kind[-3:] not in _FINE}

    def _client(self, first: int, step: int) -> None:
        random, number = Random(first), first
        while not self._ended.is_set():
            kind, method, path, fields = _request(random, number)
            try:
                status, _ = ask(self._port, method, path, fields)
                outcome = str(status)
            except OSError as error:
                outcome = type(error).__name__
            with self._lock:
                self.answers[f"{kind} {outcome}"] += 1
            number += step


def _request(random: Random, number: int) -> tuple[str, str, str, dict[str, str]]:
    """Return one of the requests that a client sends: its kind, method, path and form."""
    url, other = (random.choice(URLS)(number).encode("utf-8", "replace").decode() for _ in "12")
    part = random.choice(PARTS)(number).encode("utf-8", "replace").decode()
    fine = f"https://www{number}.example.com/a/{number}?id={number}&utm_source=x"
    row = {
        "url": fine, "text": f"HTTPS://Example.com/{number}", "hook": f"https://a{number}.com/",
        "exact": fine, "reference": f"/a/{number}", "origin": f"https://a{number}.example",
        "pattern": f"https://*.example/{number}/:a", "title": part,
    }  # fmt: skip
    for name in random.sample(list(row)[1:], 3):
        row[name] = ""
    if random.random() < 0.5:
        row[random.choice(list(row))] = random.choice((url, other, part))
    choices: tuple[tuple[str, str, str, dict[str, str]], ...] = (
        ("form", "POST", "/", row),
        ("page", "GET", "/", {}),
        ("search", "GET", "/search/", {"q": random.choice((url, part, fine, f"www{number}"))}),
        ("redirect", "GET", "/go/", {"next": random.choice((url, f"/a/{number}"))}),
        ("fetch", "GET", "/fetch/", {"path": f"/{number}"}),
        ("fetch, a new client", "GET", "/fetch/", {"path": f"/{number}", "new": "1"}),
        ("fetch elsewhere", "GET", "/fetch/", {"url": f"http://192.0.2.{number % 256}/{number}"}),
        ("links", "POST", "/links/", {"text": f"{part} {url} <a href='{other}'>{part}</a>"}),
        ("REST in", "POST", "/api/", {key: row[key] for key in ("url", "text", "exact")}),
        ("REST out", "GET", "/api/", {}),
    )
    return random.choice(choices if _HAS_REST else choices[:-2])


def ask(port: int, method: str, path: str, fields: dict[str, str]) -> tuple[int, bytes]:
    """Send one request on a connection of its own, and return the status and the body."""
    connection = HTTPConnection("127.0.0.1", port, timeout=300)
    try:
        form = urlencode(fields)
        if method == "GET":
            connection.request(method, f"{path}?{form}")
        else:
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request(method, path, form, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def memory_of(port: int) -> tuple[int, Reading]:
    """Return how many blocks the caches of the server held, and what it has in use besides."""
    told: dict[str, int] = json.loads(ask(port, "GET", "/memory/", {})[1])
    return told.pop("cached"), Reading(**told)


@contextmanager
def serving() -> Iterator[int]:
    """Start a server with an empty table, and what it fetches from. Yields its port."""
    target = ThreadingHTTPServer(("127.0.0.1", 0), _Target)
    Thread(target=target.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as directory:
        database = str(Path(directory, "rows.sqlite3"))
        address = f"http://127.0.0.1:{target.server_port}"
        command = [sys.executable, "-m", "benchmarks.serving", "--serve", database, address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                yield int(process.stdout.readline())
            finally:
                process.terminate()
    target.shutdown()
    target.server_close()


def run(minutes: float, clients: int, tracing: float, pause: float = 60) -> list[str]:
    """Run the server for so many minutes, print what it has in use, and return what is wrong.

    ``tracing``: for how many minutes the last part is traced. ``pause``: seconds between two lines.
    """
    with serving() as port:
        load = Load(port, clients)
        load.start()
        start = monotonic()
        print(_HEADING)
        try:
            readings = [
                _line(port, load, start)
                for _ in _pauses(start, minutes * 60, pause)
            ]  # fmt: skip
            lines = _traced(port, tracing * 60) if tracing else ""
        finally:
            load.stop()
    print(lines)
    print(dict(load.answers))
    return [*_growth(readings), *(f"{count} of {kind}" for kind, count in load.failures().items())]


def _pauses(start: float, seconds: float, pause: float) -> Iterator[None]:
    """Wait, and yield after each pause; the first time after a tenth of the time."""
    sleep(seconds / 10)
    while True:
        yield
        left = start + seconds - monotonic()
        if left <= 0:
            return
        sleep(min(pause, left))


def _line(port: int, load: Load, start: float) -> tuple[int, Reading]:
    cached, reading = memory_of(port)
    requests = load.requests
    print(
        f"{(monotonic() - start) / 60:8.1f}{requests:10,}{reading.resident / 1e6:9.1f}"
        f"{reading.blocks:9,}{reading.large / 1024:11,.0f}{cached:8,}",
        flush=True,
    )
    return requests, reading


def _traced(port: int, seconds: float) -> str:
    """Return the lines of the server whose objects stay, after a while of the same requests."""
    ask(port, "GET", "/trace/", {})
    sleep(seconds)
    return ask(port, "GET", "/trace/", {})[1].decode()


def _growth(readings: list[tuple[int, Reading]]) -> list[str]:
    """Return what has grown between the first reading and the last one."""
    (early, before), (late, after) = readings[0], readings[-1]
    wrong = []
    blocks, resident = after.blocks - before.blocks, after.resident - before.resident
    print(
        f"{late - early:,} requests: {blocks:+,} blocks, {after.large - before.large:+,} bytes in"
        f" large blocks, {resident / 1024:+,.0f} KB resident"
    )
    if blocks > MOST_BLOCKS + MOST_BLOCKS_EACH * (late - early):
        wrong.append(f"{blocks:,} more blocks")
    if resident > MOST_RESIDENT:
        wrong.append(f"{resident:,} more bytes resident")
    return wrong


def main() -> int:
    """Serve, or let clients talk to a server and print what it has in use."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.serving",
        description="Load a web server for a while, and see whether its memory stays flat.",
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=4, help="threads that send requests")
    parser.add_argument("--trace", type=float, default=1, metavar="MINUTES", help="at the end")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(*options.serve)
        return 0
    print(
        f"Python {sys.version.split()[0]}, {'compiled' if COMPILED else 'interpreted'} build,"
        f" {options.clients} clients on {os.cpu_count()} processors"
    )
    wrong = run(options.minutes, options.clients, options.trace)
    print("; ".join(wrong) if wrong else "memory is flat, and every request was answered")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
