"""The playground of the site in Chromium, with weburl itself: Pyodide runs it there.

The browser knows no other host than the site's, and the server notes what is asked of it. `make
test-browser` puts Pyodide and the wheels into the environment by npm and pip. Without them the
tests are skipped; where `CI` is set they fail.
"""

from __future__ import annotations

import functools
import os
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from docs.site.playground import engine
from docs.site.playground.texts import GROUPS
from tests.browser.conftest import OPTIONS, chromium
from tests.browser.test_accessibility import axe, looked_at, violations
from tests.playground import built

__all__ = ["axe"]

# MyST asks Sphinx for what Sphinx 11 will not have: its affair until then.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser.*is deprecated")

TEXTS: Final = [text for texts in GROUPS.values() for text in texts]
LOADED: Final = 120_000
"""How many milliseconds a busy machine may take to load Python, or to answer."""

# The site computed the readings of the list with this Python, and Pyodide reads the texts again.
READ_AGAIN: Final = """async (name) => {
  const details = document.getElementById(`text-${name}`);
  const results = document.getElementById("results");
  const shown = new Promise((resolve) => {
    new MutationObserver((_, observer) => { observer.disconnect(); resolve(); })
      .observe(results, { childList: true });
  });
  details.querySelector(".again button").click();
  await shown;
  const own = (section) => {
    const copy = section.cloneNode(true);
    copy.querySelectorAll(".of-readers").forEach((line) => line.remove()); // of other libraries
    return copy.textContent;
  };
  const texts = (root) => [...root.querySelectorAll(":scope > section:not(.readings)")].map(own);
  return [texts(results), texts(details.querySelector(".results"))];
}"""


class Site(ThreadingHTTPServer):
    """The built site on a port of this machine.

    ``asked`` has the paths of all requests. Files in ``missing`` are not found, and those in
    ``held`` are answered once `release` is set. ``policy`` is a header of all answers.
    """

    daemon_threads = True

    def __init__(self, directory: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(_Handler, directory=str(directory)))
        self.asked: list[str] = []
        self.missing: set[str] = set()
        self.held: set[str] = set()
        self.policy = ""
        self.release = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def origin(self) -> str:
        """The origin of the site."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"{self.origin}/playground.html"


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        site = self.server
        assert isinstance(site, Site)
        path = self.path.partition("?")[0]
        site.asked.append(path)
        name = path.rpartition("/")[2]
        if name in site.held:
            site.release.wait(LOADED / 1000)
        if name in site.missing:
            self.send_error(404)
        else:
            super().do_GET()

    def end_headers(self) -> None:
        site = self.server
        assert isinstance(site, Site)
        if site.policy:
            self.send_header("Content-Security-Policy", site.policy)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Do not write to the output of the tests."""


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Let answers take as long as Python may take to load; Playwright's own limit is 5 seconds."""
    expect.set_options(timeout=LOADED)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of the site, built with Pyodide and the wheels of this checkout."""
    found = engine.found()
    if found is None:
        reason = "no Pyodide here: `make test-browser` installs it where there is npm"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return built(tmp_path_factory.mktemp("playground"), found).parent


@pytest.fixture(scope="module")
def offline(browser: Browser) -> Iterator[Browser]:
    """Give a browser that knows no host but this machine."""
    rule = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
    started = browser.browser_type.launch(executable_path=chromium(), args=[*OPTIONS, rule])
    yield started
    started.close()


@pytest.fixture
def site(directory: Path) -> Iterator[Site]:
    """Give a server of the site."""
    server = Site(directory)
    yield server
    server.release.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(offline: Browser) -> Iterator[Page]:
    """Give an empty page, with a cache of its own."""
    context = offline.new_context()
    context.set_default_timeout(LOADED)
    yield context.new_page()
    context.close()


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """Collect what the console says; there must be nothing."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    yield found
    assert found == []


def enter_the_field(page: Page) -> None:
    """Make the page load weburl."""
    page.get_by_label("URL", exact=True).focus()


def wait_for_weburl(page: Page) -> None:
    """Enter the field, and wait until weburl reads what people type."""
    enter_the_field(page)
    line = page.locator("#playground-engine")
    expect(line).to_contain_text("runs in your browser")


def test_weburl_answers_beside_the_browser(page: Page, site: Site, complaints: list[str]) -> None:
    """Errors, parts and readings of a typed text; nothing is loaded from elsewhere."""
    requested: list[str] = []
    page.on("request", lambda asked: requested.append(asked.url))
    page.goto(site.address)
    wait_for_weburl(page)
    expect(page.locator("#playground-progress")).to_be_hidden()
    page.get_by_label("URL", exact=True).press_sequentially("https://Bücher.example:443\\a b")
    results = page.locator("#results")
    expect(results.locator("p.verdict")).to_have_text("This opens bücher.example.")
    expect(results.locator(".findings")).to_contain_text("2 validation errors")
    expect(results.locator(".error-name a")).to_have_text(
        ["invalid-reverse-solidus", "invalid-URL-unit"]
    )
    href = "https://xn--bcher-kva.example/a%20b"
    row = results.locator("[data-attribute=href] td")
    expect(row).to_have_text([href, href])
    readers = results.locator(".readings tbody")
    for name in ("URL Standard of 2020", "RFC 3986", "urllib.parse"):
        expect(readers).to_contain_text(name)
    expect(results.locator(".browser-verdict")).to_have_text(
        "This browser reads every part the same."
    )
    expect(page.locator("#status")).to_contain_text("This opens")  # for screen readers
    expect(page.locator("#playground-alone")).to_be_hidden()
    page.get_by_label("URL", exact=True).fill("file:///C|/a/../..")
    expect(results.locator(".browser-verdict")).to_contain_text("≠ This browser reads a different")
    page.get_by_label("URL", exact=True).fill("")
    expect(results.locator("section")).to_have_count(0)
    assert page.url == site.address
    elsewhere = [
        url for url in requested if not url.startswith((site.origin, "blob:" + site.origin))
    ]
    assert elsewhere == []
    pyodide = [path for path in site.asked if "/pyodide/" in path]
    assert sorted(pyodide) == sorted(set(pyodide))
    assert len(pyodide) == 5


def test_weburl_reads_there_as_it_does_here(page: Page, site: Site, complaints: list[str]) -> None:
    """Every text of the list, with other Unicode data and another Python, also with escapes."""
    page.goto(site.address)
    wait_for_weburl(page)
    for text in TEXTS:
        there, here = page.evaluate(READ_AGAIN, text.name)
        assert there == here, text
        assert len(here) >= 2
        expect(page.get_by_label("URL", exact=True)).to_be_focused()
    page.locator("#text-surrogate summary").click()
    page.locator("#text-surrogate").get_by_role("button", name="Change this text").click()
    expect(page.get_by_label("URL", exact=True)).to_have_value(r"https://example.com/\ud83d?\ude00")
    expect(page.get_by_label("as escapes")).to_be_checked()


def test_the_browser_answers_alone_until_python_is_there(
    page: Page, site: Site, complaints: list[str]
) -> None:
    """The line says what is loaded, and how large it is; what was typed stays."""
    site.held = {"pyodide.asm.wasm"}
    page.goto(site.address)
    line = page.locator("#playground-engine")
    found = engine.found()
    assert found is not None
    size = f"{sum(package.size for package in found.packages) / 1_000_000:.1f}"
    expect(line).to_contain_text(f"{size} MB from this site")
    expect(page.locator("#playground-count")).to_contain_text("This browser reads")
    assert not any("/pyodide/" in path for path in site.asked)
    enter_the_field(page)
    expect(line).to_contain_text(f"Pyodide {found.packages[0].version}, which is Python 3.14")
    expect(page.locator("#playground-progress")).to_be_visible()
    expect(page.locator("#playground-loaded")).to_have_text(
        re.compile(rf"[1-9].*\sMB of {re.escape(size)}\sMB")
    )
    page.get_by_label("URL", exact=True).fill("https://EXAMPLE.com/a b")
    expect(page.locator("#playground-own-verdict")).to_have_text("This browser reads it.")
    expect(page.locator("[data-own=href]")).to_have_text("https://example.com/a%20b")
    page.get_by_text("More: a base, a pattern, escapes").click()
    expect(page.get_by_label("URL pattern (optional)")).to_be_hidden()
    expect(page.locator(".again")).to_have_count(0)
    site.release.set()
    wait_for_weburl(page)
    expect(page.locator("#results .findings")).to_contain_text("1 validation error")
    expect(page.get_by_label("URL", exact=True)).to_have_value("https://EXAMPLE.com/a b")
    expect(page.locator("#playground-alone")).to_be_hidden()
    expect(page.get_by_label("URL pattern (optional)")).to_be_visible()


def test_everything_of_the_viewer_works(page: Page, site: Site, complaints: list[str]) -> None:
    """The base, patterns, escapes, and the query as a table, by keyboard too."""
    page.goto(site.address)
    wait_for_weburl(page)
    url = page.get_by_label("URL", exact=True)
    results = page.locator("#results")
    url.focus()
    page.keyboard.type("../users/7?a=1")
    page.get_by_text("More: a base, a pattern, escapes").click()
    page.get_by_label("Base URL (optional)").fill("https://api.example.com/x/y/")
    expect(results.locator("[data-attribute=href] td").first).to_have_text(
        "https://api.example.com/x/users/7?a=1"
    )
    page.get_by_label("URL pattern (optional)").fill("/y/:id")
    expect(results.locator(".pattern-verdict")).to_have_text(
        "The URL does not match: see pathname."
    )
    page.get_by_label("Value, row 1").fill("ä&b")
    page.get_by_label("Name, new row").fill("tag")
    expect(url).to_have_value("../users/7?a=%C3%A4%26b&tag=")
    page.get_by_role("button", name="Remove row 1").click()
    expect(url).to_have_value("../users/7?tag=")
    page.get_by_label("Base URL (optional)").fill("")
    page.get_by_label("URL pattern (optional)").fill("")
    url.fill(r"https://example.com/\0b")
    page.get_by_label("as escapes").check()
    expect(results.locator("[data-attribute=pathname] td").first).to_have_text("/%00b")
    url.press("Enter")
    expect(results.locator("p.verdict")).to_contain_text("This opens")
    assert page.url == site.address


@pytest.mark.parametrize(
    ("field", "text", "place"),
    [
        ("URL", 'https://h/"><img src=x onerror=alert(1)>?<u>=</textarea><i>#<b>', ".marked"),
        ("Base URL (optional)", "https://<img src=x onerror=alert(1)>/", ".marked"),
        ("URL pattern (optional)", "https://{<img src=x onerror=alert(1)>", ".pattern"),
    ],
)
def test_what_people_type_never_becomes_html(
    page: Page, site: Site, complaints: list[str], field: str, text: str, place: str
) -> None:
    """In the results, in the errors, and in the table of the query."""
    page.goto(site.address)
    wait_for_weburl(page)
    page.get_by_label("URL", exact=True).fill("https://example.com/?<b>x</b>=<b>")
    page.get_by_text("More: a base, a pattern, escapes").click()
    page.get_by_label(field, exact=True).fill(text)
    expect(page.locator(f"#results {place}").first).to_contain_text("onerror=alert(1)")
    ours = page.locator("#playground-own")
    expect(ours.locator("img, script, b, u, i")).to_have_count(0)
    links = ours.locator("a").evaluate_all("links => links.map((a) => a.getAttribute('href'))")
    assert all(link.startswith(("#", "https://url.spec.whatwg.org/#")) for link in links)
    assert links


def test_the_policy_holds_for_the_page_and_for_python(
    page: Page, site: Site, directory: Path
) -> None:
    """Neither connects to another origin, nor evaluates text; the worker has the page's policy."""
    other = Site(directory)
    page.goto(site.address)
    wait_for_weburl(page)
    ask = "url => fetch(url).then(() => 'loaded', (error) => error.name)"
    worker = page.workers[0]
    for place in (page, worker):
        assert place.evaluate(ask, f"{site.origin}/llms.txt") == "loaded"
        assert place.evaluate(ask, f"{other.origin}/llms.txt") == "TypeError"
        assert place.evaluate(ask, "https://example.com/") == "TypeError"
    for refused in (
        "document.createElement('p').innerHTML = '<b>'",
        "new Worker('playground/worker.js')",
        "trustedTypes.createPolicy('weburl-worker', {})",
    ):
        name = page.evaluate(f"() => {{ try {{ {refused}; }} catch (e) {{ return e.name; }} }}")
        assert name == "TypeError", refused
    assert other.asked == []
    other.shutdown()
    other.server_close()


@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        ("worker.js", "Its script does not load."),
        ("pyodide.mjs", "weburl stopped: "),
        ("pyodide.asm.wasm", "weburl stopped: "),
        ("python_stdlib.zip", "weburl stopped: "),
        ("answering.py", "weburl stopped: "),
    ],
)
def test_where_a_file_is_not_there_the_browser_answers_alone(
    page: Page, site: Site, missing: str, reason: str
) -> None:
    """The line says so."""
    site.missing = {missing}
    page.goto(site.address)
    enter_the_field(page)
    line = page.locator("#playground-engine")
    expect(line).to_contain_text(f"Only your browser reads what you type. {reason}")
    expect(page.locator("#playground-progress")).to_be_hidden()
    page.get_by_label("URL", exact=True).fill("https://EXAMPLE.com/")
    expect(page.locator("[data-own=href]")).to_have_text("https://example.com/")
    expect(page.locator("#playground-alone")).to_be_visible()


@pytest.mark.parametrize(
    "policy", ["script-src 'self' 'unsafe-inline'", "worker-src 'self'", "connect-src 'none'"]
)
def test_where_a_policy_of_the_server_blocks_it_the_browser_answers_alone(
    page: Page, site: Site, policy: str
) -> None:
    """WebAssembly, the worker, or what it loads."""
    site.policy = policy
    page.goto(site.address)
    enter_the_field(page)
    line = page.locator("#playground-engine")
    expect(line).to_contain_text("Only your browser reads what you type. ")
    page.get_by_label("URL", exact=True).fill("https://EXAMPLE.com/")
    expect(page.locator("[data-own=href]")).to_have_text("https://example.com/")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("delete globalThis.WebAssembly;", "This browser does not have WebAssembly."),
        ("delete globalThis.Worker;", "This browser does not have workers."),
        (
            "globalThis.Worker = class { constructor() { throw Error('no'); } };",
            "does not start: no",
        ),
    ],
)
def test_a_browser_that_cannot_run_it_answers_alone(
    page: Page, site: Site, complaints: list[str], script: str, reason: str
) -> None:
    """Nothing is loaded for nothing."""
    page.add_init_script(script)
    page.goto(site.address)
    enter_the_field(page)
    expect(page.locator("#playground-engine")).to_contain_text(reason)
    page.get_by_label("URL", exact=True).fill("https://EXAMPLE.com/")
    expect(page.locator("[data-own=href]")).to_have_text("https://example.com/")
    assert not any("/pyodide/" in path for path in site.asked)


def test_a_page_that_is_opened_as_a_file_says_why(page: Page, directory: Path) -> None:
    """Browsers load no worker from a file."""
    page.goto((directory / "playground.html").as_uri())
    expect(page.locator("#playground-engine")).to_contain_text("opened as a file")
    page.get_by_label("URL", exact=True).fill("https://EXAMPLE.com/")
    expect(page.locator("[data-own=href]")).to_have_text("https://example.com/")


def test_a_visitor_who_saves_data_is_asked_first(
    page: Page, site: Site, complaints: list[str]
) -> None:
    """And nothing is loaded until they press the button."""
    page.add_init_script(
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
    )
    page.goto(site.address)
    expect(page.locator("#playground-engine")).to_contain_text("set to save data")
    expect(page.locator("#playground-count")).to_be_visible()
    assert not any("/pyodide/" in path for path in site.asked)
    page.get_by_role("button", name="Load weburl").click()
    expect(page.get_by_role("button", name="Load weburl")).to_be_hidden()
    wait_for_weburl(page)


def test_if_python_stops_the_browser_answers_alone(page: Page, site: Site) -> None:
    """Its last words are on the line, and what was typed stays."""
    page.goto(site.address)
    wait_for_weburl(page)
    page.get_by_label("URL", exact=True).fill("https://EXAMPLE.com/")
    expect(page.locator("#results section").first).to_be_visible()
    page.workers[0].evaluate("postMessage({ failure: '<b>out of memory' })")
    expect(page.locator("#playground-engine")).to_contain_text("stopped: <b>out of memory")
    expect(page.locator("#results")).to_be_hidden()
    expect(page.locator("[data-own=href]")).to_have_text("https://example.com/")
    page.get_by_label("URL", exact=True).fill("https://EXAMPLE.com/b")
    expect(page.locator("[data-own=href]")).to_have_text("https://example.com/b")


def test_of_the_waiting_questions_the_newest_is_answered(
    page: Page, site: Site, complaints: list[str]
) -> None:
    """However fast they come, what is shown in the end belongs to what the fields have."""
    page.goto(site.address)
    wait_for_weburl(page)
    url = page.get_by_label("URL", exact=True)
    for number in range(20):
        url.fill(f"https://example.com/{number}")
        url.press("Enter")
    href = page.locator("#results [data-attribute=href] td").first
    expect(href).to_have_text("https://example.com/19")
    page.wait_for_timeout(1_000)
    expect(href).to_have_text("https://example.com/19")


def test_the_live_playground_breaks_no_rule(page: Page, site: Site, axe: str) -> None:
    """With results and a table of the query, in light and dark; it does not scroll sideways."""
    page.goto(site.address)
    wait_for_weburl(page)
    url = page.get_by_label("URL", exact=True)
    url.fill("https://me@раураl.example:0443\\a b?q=ä&x=" + "y" * 300)
    page.get_by_text("More: a base, a pattern, escapes").click()
    page.get_by_label("URL pattern (optional)").fill("https://*.example/:page")
    expect(page.locator("#results .pattern table")).to_be_visible()
    page.evaluate("document.querySelectorAll('.group').forEach((group) => group.remove())")
    for how in looked_at(page, lambda: expect(url).to_be_visible()):
        assert violations(page, axe, {"include": [[".twin"]]}) == [], how
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not too_wide, f"{how}: it scrolls sideways"
    page.set_viewport_size({"width": 390, "height": 844})
    boxes = page.locator("#url, #results, #query").evaluate_all(
        "parts => parts.map((part) => part.getBoundingClientRect().right)"
    )
    assert len(boxes) == 3
    assert max(boxes) <= 390


SHIFTS: Final = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shifted += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_while_the_page_loads(page: Page, site: Site, width: int) -> None:
    """Nor while weburl does; what appears has its place from the start."""
    page.set_viewport_size({"width": width, "height": 800})
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.address)
    expect(page.locator("#playground-count")).to_contain_text("This browser reads")
    place = page.locator(".place")
    before = place.bounding_box()
    wait_for_weburl(page)
    assert place.bounding_box() == before
    assert page.evaluate("window.shifted") < 0.01
