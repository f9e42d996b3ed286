"""The URL viewer in Chromium: as people type, link, edit the query, and bring lists."""

from __future__ import annotations

import csv
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import override_settings
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, expect

from bookmarks import settings as demo_settings
from tests.wpt import wpt_path
from weburl.viewer.report import ATTRIBUTES, report
from weburl.viewer.server import Server


@pytest.fixture(scope="module")
def viewer() -> Iterator[str]:
    """Serve the viewer as `python -m weburl view` does, and return its address."""
    with Server(0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """Collect what the console complains of, such as the policy; there must be nothing."""
    found: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            found.append(message.text)

    def dismiss(dialog: Dialog) -> None:
        found.append(dialog.message)
        dialog.dismiss()

    page.on("console", listen)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("dialog", dismiss)
    yield found
    assert found == []


def shown(page: Page) -> dict[str, tuple[str, str]]:
    """Return each attribute as both sides have it, also where the page shows it only once."""
    found = {}
    for row in page.locator("table.parts tbody tr").all():
        name, ours, theirs = row.locator("th, td").all_text_contents()
        found[name] = (ours, theirs)
    return found


def open_more(page: Page) -> None:
    """Show the fields that are seldom needed."""
    page.get_by_text("More: a base, a pattern, escapes").click()


def state_in_address(page: Page) -> dict[str, list[str]]:
    """Return what the address of the page carries."""
    return parse_qs(urlsplit(page.url).query)


def test_both_readings_stand_side_by_side_while_people_type(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """And the address is a link to the same case."""
    page.goto(viewer)
    page.get_by_label("URL", exact=True).press_sequentially("http:\\\\Exa\u00admple.com:80/a b#c")
    expect(page.locator("p.verdict")).to_have_text("This opens example.com.")
    expect(page.locator("[data-attribute=hash] td").first).to_have_text("#c")
    expect(page.locator(".browser-verdict")).to_have_text("This browser reads every part the same.")
    found = shown(page)
    assert list(found) == list(ATTRIBUTES)
    assert found["href"] == ("http://example.com/a%20b#c",) * 2
    assert all(ours == theirs for ours, theirs in found.values())
    expect(page.locator("table.parts td:visible").first).to_have_attribute("colspan", "2")
    expect(page.locator("table.parts tr.differs")).to_have_count(0)
    expect(page.locator("[data-attribute=port]")).to_be_hidden()
    expect(page.locator("[data-empty]")).to_have_text(
        "Empty: username, password, port, search, searchParams."
    )
    assert state_in_address(page)["url"] == ["http:\\\\Exa\u00admple.com:80/a b#c"]
    page.reload()
    expect(page.locator("[data-attribute=hash] td").nth(1)).to_have_text("#c")


def test_a_difference_is_marked_in_words_too(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """Chromium has an origin for files, and the standard says it is opaque."""
    page.goto(f"{viewer}?{urlencode({'url': 'file:///a'})}")
    expect(page.locator(".browser-verdict")).to_have_text(
        "≠ This browser reads a different origin."
    )
    assert shown(page)["origin"] == ("null", "file:// ≠ differs")
    assert shown(page)["href"] == ("file:///a", "file:///a")
    expect(page.locator("table.parts tr.differs td:visible")).to_have_count(2)
    page.get_by_label("URL", exact=True).fill("https://example.com:99999/")
    expect(page.locator(".browser-verdict")).to_have_text("This browser refuses it too.")
    expect(page.locator("table.parts")).to_be_hidden()


def test_an_error_is_underlined_and_numbered_at_its_place(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """With a link to its explanation."""
    page.goto(viewer)
    page.get_by_label("URL", exact=True).fill("https:\\\\h/a b")
    # The first of them says that slashes are missing behind the scheme.
    expect(page.locator(".marked mark")).to_have_text(["https", ":", "\\", "\\", " "])
    page.get_by_role("link", name="error 4").click()
    expect(page.locator("li:target")).to_contain_text("invalid-URL-unit")
    line = page.locator(".marked mark").first.evaluate("e => getComputedStyle(e).textDecoration")
    assert "underline" in line and "wavy" in line


def test_the_query_is_edited_in_a_table(page: Page, viewer: str, complaints: list[str]) -> None:
    """Rows are changed, added and removed by keyboard; the focus stays where the person is."""
    page.goto(f"{viewer}?{urlencode({'url': 'HTTPS://H/?a=1&b=2#f'})}")
    url = page.get_by_label("URL", exact=True)
    page.get_by_label("Value, row 1").fill("ä &")
    expect(url).to_have_value("HTTPS://H/?a=%C3%A4+%26&b=2#f")
    expect(page.get_by_label("Value, row 1")).to_be_focused()
    page.get_by_label("Name, new row").fill("c")
    expect(url).to_have_value("HTTPS://H/?a=%C3%A4+%26&b=2&c=#f")
    page.get_by_label("Value, row 3").fill("3")
    expect(url).to_have_value("HTTPS://H/?a=%C3%A4+%26&b=2&c=3#f")
    expect(page.get_by_label("Name, new row")).to_have_value("")
    page.get_by_role("button", name="Remove row 2").press("Enter")
    expect(url).to_have_value("HTTPS://H/?a=%C3%A4+%26&c=3#f")
    expect(page.locator("[data-attribute=search] td").nth(1)).to_have_text("?a=%C3%A4+%26&c=3")
    url.fill("https://h/?z=9")
    expect(page.get_by_label("Name, row 1")).to_have_value("z")
    page.get_by_role("button", name="Remove row 1").click()
    expect(url).to_have_value("https://h/")


def test_a_password_never_gets_into_an_address(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """Neither that of the page nor that of a request."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(viewer)
    page.get_by_label("URL", exact=True).press_sequentially("https://u:s3cret@h/?a=1")
    expect(page.locator("#address-note")).to_contain_text("may contain a password")
    page.get_by_label("Value, row 1").fill("2")
    expect(page.get_by_label("URL", exact=True)).to_have_value("https://u:s3cret@h/?a=2")
    assert page.url == viewer
    page.get_by_label("URL", exact=True).press("Enter")
    assert not any("s3cret@" in address for address in [*asked, page.url])
    page.get_by_label("URL", exact=True).fill("https://h/")
    expect(page.locator("#address-note")).to_be_hidden()


def test_escapes_show_what_no_field_holds(page: Page, viewer: str, complaints: list[str]) -> None:
    """The link to such a case has them too."""
    page.goto(viewer)
    open_more(page)
    page.get_by_label("as escapes").check()
    page.get_by_label("URL", exact=True).fill(r"https://h/\ud800?\0\r\n#\u{1F600}")
    expect(page.locator("[data-attribute=pathname] td").nth(1)).to_have_text("/%EF%BF%BD")
    expect(page.locator("table.parts tr.differs")).to_have_count(0)
    expect(page.locator(".marked .cp")).to_have_text(["U+D800", "U+0000", "U+000D", "U+000A"])
    assert state_in_address(page) == {
        "url": [r"https://h/\ud800?\0\r\n#\u{1F600}"],
        "escapes": ["1"],
    }


@pytest.mark.parametrize(
    "attack",
    ["<img src=x onerror=alert(1)>", "</textarea><script>alert(1)</script>", "javascript:alert(1)",
     'https://h/?"><svg onload=alert(1)>=<b>', "https://<script>alert(1)</script>/"],
)  # fmt: skip
def test_hostile_text_is_data(page: Page, viewer: str, complaints: list[str], attack: str) -> None:
    """Neither the server's page nor what the script makes has an element of the attacker's."""
    page.goto(f"{viewer}?{urlencode({'url': attack, 'base': 'https://h/'})}")
    expect(page.locator(".browser-verdict")).to_be_visible()
    with page.expect_response("**/report.json") as answer:
        page.get_by_label("URL", exact=True).fill(attack + " ")
    assert answer.value.json()["report"]["input"] == attack + " "
    expect(page.locator(".marked")).to_contain_text(attack[0])
    assert page.locator("img, svg, b, script:not([src])").count() == 0
    assert page.locator('a[href^="javascript"]').count() == 0


def test_only_the_last_answer_is_shown(page: Page, viewer: str, complaints: list[str]) -> None:
    """One that comes late, for what is no longer in the field, is given up."""
    page.goto(viewer)
    held: list[Any] = []

    def hold(route: Any) -> None:
        if json.loads(route.request.post_data or "{}")["url"] == "https://slow/":
            held.append(route)
        else:
            route.continue_()

    page.route("**/report.json", hold)
    url = page.get_by_label("URL", exact=True)
    with page.expect_request("**/report.json"):
        url.fill("https://slow/")
    with page.expect_event("requestfailed"):
        url.fill("https://quick/")
    expect(page.locator("[data-attribute=host] td").first).to_have_text("quick")
    assert len(held) == 1


def test_a_screen_reader_is_told_once_after_the_typing(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """One polite line, however many keys were pressed."""
    page.goto(viewer)
    page.evaluate(
        """() => {
          window.told = [];
          const status = document.getElementById("status");
          new MutationObserver(() => window.told.push(status.textContent))
            .observe(status, { childList: true, characterData: true, subtree: true });
        }"""
    )
    page.get_by_label("URL", exact=True).press_sequentially("https://example.com/a", delay=60)
    expect(page.get_by_role("status")).to_have_text(
        "This opens example.com. No validation errors. All other readers read the same host. "
        "This browser reads every part the same."
    )
    assert len(page.evaluate("window.told")) == 1


def test_it_works_without_scripts(browser: Browser, viewer: str) -> None:
    """The form, the address and the table of the query; the browser has no column."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(viewer)
    page.get_by_label("URL", exact=True).fill("HTTP://H?a=1")
    page.get_by_role("button", name="Show").click()
    assert state_in_address(page) == {"url": ["HTTP://H?a=1"]}
    expect(page.locator("[data-attribute=href] td").first).to_have_text("http://h/?a=1")
    expect(page.get_by_role("columnheader", name="This browser")).to_have_count(0)
    page.get_by_label("Value, row 1").fill("2")
    page.get_by_label("Name, new row").fill("n")
    page.get_by_role("button", name="Write into the URL").click()
    assert state_in_address(page) == {"url": ["HTTP://H?a=2&n="]}
    page.get_by_role("button", name="Remove row 1").click()
    assert state_in_address(page) == {"url": ["HTTP://H?n="]}
    page.get_by_label("URL", exact=True).fill("https://u:s3cret@h/")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("[data-attribute=password] td").first).to_have_text("s3cret")
    assert "s3cret" not in page.url
    page.goto(f"{viewer}list")
    expect(page.get_by_text("it needs JavaScript")).to_be_visible()
    context.close()


@pytest.mark.parametrize(("width", "height"), [(320, 700), (390, 844), (1280, 900)])
def test_nothing_is_wider_than_the_screen(page: Page, viewer: str, width: int, height: int) -> None:
    """At the width of a phone, whatever is in the field."""
    page.set_viewport_size({"width": width, "height": height})
    for url in (
        "https://user:pass@" + "a" * 300 + ".example/?x=" + "%" * 300,
        "file:///C|/\t\u202e",
    ):
        page.goto(f"{viewer}?{urlencode({'url': url})}")
        expect(page.locator(".browser-verdict")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


# --- lists ----------------------------------------------------------------------------------------


def compare(page: Page) -> str:
    """Start the comparison, and return the line that ends it."""
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#downloads")).to_be_visible(timeout=120_000)
    return page.get_by_role("status").text_content() or ""


def downloaded(page: Page, name: str) -> str:
    """Return the text of a report."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return Path(download.value.path()).read_bytes().decode("utf-8")


def test_a_pasted_list_is_compared(page: Page, viewer: str, complaints: list[str]) -> None:
    """With counts, what differs, links to the cases, and two reports."""
    page.goto(f"{viewer}list")
    lines = ["https://a/", "HTTP://B:80", "https://h:99999/", "file:///x", "=1+1\t", "", "#f"]
    page.get_by_label("URLs, one on each line").fill("\n".join(lines))
    page.get_by_label(re.compile("^Base")).fill("file:///base")
    assert compare(page).startswith("6 compared: 2 read the same, 1 refused by both, 3 differ.")
    found = json.loads(downloaded(page, "Report as JSON"))
    assert found["count"] == 6 and found["different"] == found["differences_in_this_report"] == 3
    assert [case["input"] for case in found["differences"]] == ["file:///x", "=1+1\t", "#f"]
    assert {case["base"] for case in found["differences"]} == {"file:///base"}
    assert found["differences"][0]["weburl"]["origin"] == "null"
    rows = list(csv.reader(downloaded(page, "Report as CSV").splitlines()))
    assert rows[0] == ["input", "base", "attribute", "weburl", "browser", "expected_href"]
    assert ["'=1+1\\t", "file:///base", "origin", "null", "file://", ""] in rows
    page.get_by_role("link", name="#f").click()
    expect(page.get_by_label("URL", exact=True)).to_have_value("#f")
    expect(page.get_by_label("Base URL (optional)")).to_have_value("file:///base")


def test_the_cases_of_web_platform_tests_are_compared(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """All of them; ours is what they expect, wherever the browser differs."""
    path = wpt_path("urltestdata.json")
    cases = [case for case in json.loads(path.read_text("utf-8")) if isinstance(case, dict)]
    page.goto(f"{viewer}list")
    page.get_by_label(re.compile("^Or a file")).set_input_files(path)
    assert compare(page).startswith(f"{len(cases):,} compared")
    found = json.loads(downloaded(page, "Report as JSON"))
    assert found["different"] > 0
    for case in found["differences"]:
        ours = case["weburl"]
        if ours is None or "href" in ours:
            assert case["expected"] == (ours and ours["href"]), case


def test_a_file_of_lines_is_read_piece_by_piece(
    page: Page, viewer: str, complaints: list[str], tmp_path: Path
) -> None:
    """Byte order mark, both kinds of line ends, text beyond ASCII across pieces, a long line."""
    lines = [f"https://ü{number}.example/{'é' * (number % 50)}" for number in range(5000)]
    lines.append("https://h/" + "é" * 200_000)
    path = tmp_path / "list.txt"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\n\nfile:///x")
    page.goto(f"{viewer}list")
    page.get_by_label(re.compile("^Or a file")).set_input_files(path)
    assert compare(page).startswith("5,002 compared: 5,001 read the same")
    found = json.loads(downloaded(page, "Report as JSON"))
    assert [case["input"] for case in found["differences"]] == ["file:///x"]


def test_a_comparison_is_cancelled(page: Page, viewer: str, complaints: list[str]) -> None:
    """What was compared before is reported."""
    page.goto(f"{viewer}list")
    routes: list[Any] = []

    def hold_the_third(route: Any) -> None:
        routes.append(route)
        if len(routes) < 3:
            route.continue_()

    page.route("**/batch.json", hold_the_third)
    # A keyboard's way would take Chromium half a minute.
    lines = page.get_by_label("URLs, one on each line")
    lines.evaluate("(field, text) => { field.value = text; }", "file:///x\n" * 3500)
    page.get_by_role("button", name="Compare").click()
    while len(routes) < 3:
        page.wait_for_timeout(20)
    assert 0.5 < page.get_by_role("progressbar").evaluate("progress => progress.value") < 0.6
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("status")).to_have_text(
        "2,000 compared: 0 read the same, 0 refused by both, 2,000 differ. You cancelled the rest."
    )
    expect(page.locator("table.cases tbody tr")).to_have_count(100)
    page.get_by_role("button", name="Show 100 more").click()
    expect(page.locator("table.cases tbody tr")).to_have_count(200)


def test_a_case_with_a_password_is_handed_over_without_an_address(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """The link of the list has no query."""
    page.goto(f"{viewer}list")
    page.get_by_label("URLs, one on each line").fill(
        "foo://u:s3cret@h^/\nfile://u:p@h/\nfile:///x@"
    )
    compare(page)
    page.get_by_role("link", name="file:///x@").click()
    expect(page.get_by_label("URL", exact=True)).to_have_value("file:///x@")
    expect(page.locator(".browser-verdict")).to_be_visible()


def test_the_server_is_gone(page: Page, viewer: str) -> None:
    """Both pages say so, and stay."""
    page.goto(viewer)
    page.route("**/*.json", lambda route: route.abort())
    page.get_by_label("URL", exact=True).fill("https://h/")
    expect(page.get_by_role("status")).to_have_text("The server does not answer.")
    page.goto(f"{viewer}list")
    page.get_by_label("URLs, one on each line").fill("https://h/")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("status")).to_contain_text("The server does not answer.")


@pytest.mark.django_db(transaction=True)
def test_the_demo_has_it_too(page: Page, live_server: Any, complaints: list[str]) -> None:
    """With what its field would store, and a way back to the bookmarks."""
    with override_settings(
        MIDDLEWARE=demo_settings.MIDDLEWARE,
        TEMPLATES=demo_settings.TEMPLATES,
        ROOT_URLCONF=demo_settings.ROOT_URLCONF,
    ):
        page.goto(f"{live_server.url}/viewer/")
        page.get_by_label("URL", exact=True).fill("example.com/a?b=c")
        expect(page.locator("section.stored")).to_contain_text("https://example.com/a?b=c")
        page.get_by_label("URL", exact=True).fill("javascript:alert(1)")
        expect(page.locator("section.stored")).to_contain_text("The field refuses it:")
        page.get_by_role("link", name="A list").click()
        page.get_by_label("URLs, one on each line").fill("https://h/")
        assert compare(page).startswith("1 compared: 1 read the same")
        page.get_by_role("link", name="Bookmarks").click()
        expect(page.get_by_role("heading", name="Bookmarks")).to_be_visible()


def test_the_report_and_the_page_say_the_same(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """Every attribute of ours, as the report has it."""
    url = "HTTPS://u@Bücher.example:8443/a/../b?q=ä&tag=1#x"
    page.goto(viewer)
    page.get_by_label("URL", exact=True).fill(url)
    expect(page.locator("[data-attribute=hash] td").nth(1)).to_have_text("#x")
    expected = report(url)["attributes"]
    assert {name: ours for name, (ours, _) in shown(page).items()} == {
        name: value or "empty" for name, value in expected.items()
    }


def test_the_first_screen_of_a_phone_says_who_reads_another_host(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """The first example is opened by its link, though its text looks like a password."""
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(viewer)
    page.get_by_role("link", name="A backslash before @").click()
    field = page.get_by_label("URL", exact=True)
    expect(field).to_have_value(r"https://user:p%40ss@good.example\@evil.example:443/a")
    expect(page.locator("p.verdict")).to_have_text("This opens good.example.")
    expect(page.locator(".findings")).to_contain_text("another host: evil.example.")
    expect(page.locator(".browser-verdict")).to_be_visible()
    for line in page.locator(".verdict, .findings li").all():
        box = line.bounding_box()
        assert box is not None
        assert box["y"] < 640
    expect(page.locator("#address-note")).to_be_hidden()


def test_a_base_and_a_pattern_are_behind_more(
    page: Page, viewer: str, complaints: list[str]
) -> None:
    """Unless the address or a list brings one."""
    page.goto(viewer)
    expect(page.get_by_label("Base URL (optional)")).to_be_hidden()
    open_more(page)
    page.get_by_label("Base URL (optional)").fill("https://h/a/")
    page.get_by_label("URL", exact=True).fill("../b")
    expect(page.locator("[data-attribute=href] td").first).to_have_text("https://h/b")
    page.reload()
    expect(page.get_by_label("Base URL (optional)")).to_be_visible()
