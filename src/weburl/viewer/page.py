"""The two pages of the viewer as HTML: one for a single URL and one for a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from weburl.viewer.elements import (
    Element,
    Node,
    element,
    html,
    plain,
    section,
    text_area,
    visible,
)
from weburl.viewer.state import EXAMPLES, State
from weburl.viewer.view import query_table, results


@attrs.frozen
class SiteLink:
    """A link to another page of the site that the viewer is part of.

    ``text``: its label. ``href``: where it leads.
    """

    __module__ = "weburl.viewer"

    text: str
    href: str


def viewer_page(
    state: State, found: dict[str, Any] | None, note: str, links: Sequence[SiteLink]
) -> bytes:
    """Return the page of one URL.

    Args:
        state: What the fields contain.
        found: The report to show, or None if the fields are empty.
        note: Why the address of the page leaves the URL out, or "".
        links: Links to other pages of the site.
    """
    shown: list[Node] = []
    if found is not None:
        shown = [*results(found)]
    main = element(
        "main",
        url_form(state, note),
        element("p", id="status", role="status", class_="status"),
        element("div", *shown, id="results", class_="results"),
        query_form(state, found),
        _examples(),
        id="main",
    )
    title = "URL viewer"
    if found is not None and not note:
        title = f"{''.join(map(plain, visible(found['input'], 60)))} – {title}"
    intro = "How a URL is read: by weburl, by this browser, and by others."
    return _page(title, "URL viewer", intro, "viewer.js", main, _nav("viewer", links))


def list_page(links: Sequence[SiteLink]) -> bytes:
    """Return the page for a list of URLs."""
    intro = "Reads a list with both parsers and shows where they differ."
    without = (
        "This page compares with the parser of your browser, so it needs JavaScript. "
        "Without it, use “python -m weburl check” to check a list."
    )
    source = element(
        "form",
        _field("lines", "URLs, one on each line", rows="6"),
        element(
            "div",
            element("label", "Or a file: lines, or JSON as in web-platform-tests", for_="file"),
            element("input", id="file", type="file", name="file"),
            class_="field",
        ),
        _field("base", "Base for URLs without their own (optional)", rows="1"),
        element(
            "p",
            element("button", "Compare"),
            element("button", "Cancel", type="button", id="cancel", class_="quiet", hidden=True),
            class_="buttons",
        ),
        id="list-form",
        autocomplete="off",
        hidden=True,
    )
    outcome = section(
        "outcome",
        "Result",
        element(
            "div",
            element("progress", id="progress", aria_label="Texts compared", max="1", value="0"),
            id="progress-line",
        ),
        element("p", id="status", role="status", class_="status"),
        element("p", id="downloads", class_="buttons", hidden=True),
        element("div", id="differences"),
        by="id",
        hidden=True,
    )
    main = element("main", element("p", without, class_="no-script"), source, outcome, id="main")
    return _page("URL lists – URL viewer", "URL lists", intro, "list.js", main, _nav("list", links))


def error_page(status: str, text: str) -> bytes:
    """Return a page that explains what is wrong with a request."""
    main = element("main", element("p", text), id="main")
    return _page(status, status, "", "", main, element("nav"))


def _field(name: str, label: str, text: str = "", rows: str = "2") -> Element:
    field = text_area(name, text, rows, id=name)
    return element("div", element("label", label, for_=name), field, class_=f"field {name}")


def url_form(state: State, note: str) -> Element:
    """Return the fields of one URL. ``note``: why the address leaves the URL out, or ""."""
    return element(
        "form",
        _field("url", "URL", state.url),
        element("p", element("button", "Show"), class_="no-script"),
        element(
            "details",
            element("summary", "More: a base, a pattern, escapes"),
            _field("base", "Base URL (optional)", state.base, rows="1"),
            _field("pattern", "URL pattern (optional)", state.pattern, rows="1"),
            element(
                "p",
                element(
                    "input", type="checkbox", id="escapes", name="escapes", value="1",
                    checked=state.escapes,
                ),
                element("label", r"Read \n, \t, \0, \x7f and \ud800 as escapes", for_="escapes"),
                class_="options",
            ),
            id="more",
            open=bool(state.base or state.pattern or state.escapes),
        ),
        element("p", note, id="address-note", class_="note", hidden=not note),
        id="url-form",
        method="post",
        action="?",
    )  # fmt: skip


def query_form(state: State, found: dict[str, Any] | None) -> Element:
    """Return the query as a table that people can edit; it is hidden without a report."""
    form = element(
        "form",
        element("input", type="hidden", name="url", value=state.url),
        element("input", type="hidden", name="base", value=state.base),
        element("input", type="hidden", name="pattern", value=state.pattern),
        element("input", type="hidden", name="escapes", value="1" if state.escapes else ""),
        # Without scripts, Enter presses the first button of a form: it must not remove a row.
        element("button", "Write into the URL", name="write", value="1", class_="no-script"),
        element("div", *(query_table(found) if found is not None else []), id="rows"),
        id="query-form",
        method="post",
        action="?",
    )
    return section("query", "The query as a table", form, by="id", hidden=found is None)


def _examples() -> Element:
    items = [
        element("li", element("a", text, href=state.address.query or "?"))
        for text, state in EXAMPLES
    ]
    return section("examples", "Try", element("ul", *items))


def _nav(here: str, links: Sequence[SiteLink]) -> Element:
    own = (("viewer", "One URL", "./"), ("list", "A list", "list"))
    items = [
        element("a", text, href=href, aria_current="page" if name == here else None)
        for name, text, href in own
    ]
    items += [element("a", link.text, href=link.href) for link in links]
    return element("nav", *items, aria_label="Pages")


def _page(title: str, heading: str, intro: str, script: str, main: Element, nav: Element) -> bytes:
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("link", rel="icon", href="static/icon.svg", type="image/svg+xml"),
        element("link", rel="stylesheet", href="static/viewer.css"),
        *([element("script", type="module", src=f"static/{script}")] if script else []),
    )
    header = element(
        "header",
        element("div", element("h1", heading), element("p", intro)),
        nav,
    )
    body = element("body", header, main)
    return f"<!doctype html>\n{html(element('html', head, body, lang='en'))}\n".encode()
