"""Writes the playground into its document, and writes the files that it loads."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from docs.site.playground import scripts, styles
from docs.site.playground.texts import GROUPS, Text
from weburl.viewer import report
from weburl.viewer.elements import Element, Node, element, html, visible
from weburl.viewer.report import ATTRIBUTES
from weburl.viewer.view import results

DIRECTORY: Final = "playground"
"""The directory, next to the page, of the files that it loads."""

_MARKED: Final = re.compile(
    r"<!-- playground: ([a-z ]+) -->\n.*?<!-- end of playground -->", re.DOTALL
)
_OF_VIEWER: Final = ("dom", "compare")  # in the order in which they import each other


def filled(document: str) -> str:
    """Return a document with the playground at the places marked for it."""
    parts = {"texts": _readings, "any text": _any_text}
    return _MARKED.sub(lambda found: _block(parts[found[1]]()), document)


def write_files(directory: Path) -> None:
    """Write the script and the style sheet into a new directory."""
    directory.mkdir(parents=True)
    own, viewer = Path(__file__).parent, files("weburl.viewer") / "static"
    modules = {name: (viewer / f"{name}.js").read_text("utf-8") for name in _OF_VIEWER}
    modules["playground"] = (own / "playground.js").read_text(encoding="utf-8")
    sheet = styles.within(".twin", (viewer / "viewer.css").read_text("utf-8"))
    sheet += (own / "playground.css").read_text(encoding="utf-8")
    (directory / "playground.js").write_text(scripts.joined(modules), encoding="utf-8")
    (directory / "playground.css").write_text(sheet, encoding="utf-8")


def _block(part: Element) -> str:
    """Return a part as a block of HTML for Markdown, which must not contain empty lines."""
    return re.sub(r"\n+", "\n", html(part))


# --- the texts ----------------------------------------------------------------------------------


def _readings() -> Element:
    groups = [
        element("div", element("h3", title), *map(_reading, texts), class_="group")
        for title, texts in GROUPS.items()
    ]
    return element(
        "div",
        element("link", rel="stylesheet", href=f"{DIRECTORY}/playground.css"),
        _filter(),
        *groups,
        element(
            "p", "No text contains these words.", id="playground-none", class_="none", hidden=True
        ),
        class_="twin",
        id="playground-texts",
    )


def _filter() -> Element:
    words, differing = "playground-filter", "playground-differing"
    return element(
        "form",
        element(
            "div",
            element("label", "Show only texts with these words", for_=words),
            element("input", type="search", id=words, autocomplete="off"),
            class_="field",
        ),
        element(
            "p",
            element("input", type="checkbox", id=differing),
            element("label", "Only texts that this browser reads differently", for_=differing),
            class_="options",
        ),
        element("p", id="playground-count", role="status", class_="where"),
        id="playground-form",
        hidden=True,
    )


def _reading(text: Text) -> Element:
    """Return a text followed by its report, which opens and closes without a script."""
    place = f"text-{text.name}"
    found = report(text.url, text.base)
    return element(
        "details",
        element("summary", *_summary(text, found)),
        element("div", *(_inside(part, place) for part in results(found)), class_="results"),
        id=place,
        name="reading",
        class_="reading",
        data_report=_asked(found),
    )


def _summary(text: Text, found: dict[str, Any]) -> list[Node]:
    shown: list[Node] = [element("code", *(visible(text.url) or ["(nothing)"]), dir="ltr")]
    if text.base is not None:
        shown += [" on ", element("code", *visible(text.base), dir="ltr")]
    marks: list[Node] = []
    if found["attributes"] is None:
        marks.append(element("span", "does not parse", class_="badge"))
    marks.append(
        element(
            "span", "≠ this browser differs", class_="badge differs", data_differs=True, hidden=True
        )
    )
    return [
        element("span", text.title, class_="title"),
        *marks,
        element("span", *shown, class_="asked"),
    ]


def _asked(found: dict[str, Any]) -> str:
    """Return what the script compares, in ASCII, because a page cannot contain lone surrogates."""
    return json.dumps({name: found[name] for name in ("input", "base", "attributes")})


def _inside(node: Node, place: str) -> Node:
    """Return a part of a report with unique ids, and with headings below those of the page."""
    if isinstance(node, str):
        return node
    attributes = dict(node.attributes)
    for name in ("id", "aria-labelledby"):
        if name in attributes:
            attributes[name] = f"{place}-{attributes[name]}"
    href = str(attributes.get("href", ""))
    if href.startswith("#"):
        attributes["href"] = f"#{place}-{href[1:]}"
    tag = "h4" if node.tag == "h2" else node.tag
    return Element(tag, attributes, tuple(_inside(child, place) for child in node.children))


# --- any text -----------------------------------------------------------------------------------


def _any_text() -> Element:
    rows = [
        element("tr", element("th", name, scope="row"), element("td", data_own=name))
        for name in ATTRIBUTES
    ]
    header = [element("th", text, scope="col") for text in ("Attribute", "This browser")]
    table = element(
        "table",
        element("thead", element("tr", *header)),
        element("tbody", *rows),
        class_="parts alone",
        id="playground-own-parts",
        hidden=True,
    )
    without = "This needs JavaScript, because only a script can call your browser's parser."
    return element(
        "div",
        element("p", without, id="playground-without", class_="none"),
        element(
            "form",
            _field("playground-url", "URL"),
            _field("playground-base", "Base URL (optional)"),
            element("p", id="playground-own-verdict", role="status", class_="verdict"),
            element("p", id="playground-listed", class_="none", hidden=True),
            table,
            id="playground-own",
            autocomplete="off",
            hidden=True,
        ),
        element("script", src=f"{DIRECTORY}/playground.js"),
        class_="twin",
        id="playground-any-text",
    )


def _field(name: str, label: str) -> Element:
    field = element("textarea", id=name, rows="1", spellcheck="false", autocapitalize="off")
    return element("div", element("label", label, for_=name), field, class_="field")
