"""Writes the playground into its document, and writes the files that it loads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from docs.site.playground import scripts, styles
from docs.site.playground.engine import Engine
from docs.site.playground.texts import GROUPS, Text
from weburl.viewer import report
from weburl.viewer.elements import Element, Node, element, html, visible
from weburl.viewer.page import query_form, url_form
from weburl.viewer.report import ATTRIBUTES
from weburl.viewer.state import State
from weburl.viewer.view import results

DIRECTORY: Final = "playground"
"""The directory, next to the page, of the files that it loads."""

_MARKED: Final = re.compile(
    r"<!-- playground: ([a-z ]+) -->\n.*?<!-- end of playground -->", re.DOTALL
)
_OF_VIEWER: Final = ("dom", "compare", "form")  # in the order in which they import each other


def filled(document: str, engine: Engine | None) -> str:
    """Return a document with the playground at the places marked for it.

    Without ``engine``, only the browser reads what people type.
    """
    parts: dict[str, Callable[[], Element]] = {
        "texts": _readings,
        "any text": lambda: _any_text(engine),
        "packages": lambda: _packages(engine),
    }
    return _MARKED.sub(lambda found: _block(parts[found[1]]()), document)


def write_files(directory: Path, engine: Engine | None) -> None:
    """Write the script, the style sheet and the files of ``engine`` into a new directory."""
    directory.mkdir(parents=True)
    own, viewer = Path(__file__).parent, files("weburl.viewer") / "static"
    modules = {name: (viewer / f"{name}.js").read_text("utf-8") for name in _OF_VIEWER}
    modules["playground"] = (own / "playground.js").read_text(encoding="utf-8")
    sheet = styles.within(".twin", (viewer / "viewer.css").read_text("utf-8"))
    sheet += (own / "playground.css").read_text(encoding="utf-8")
    (directory / "playground.js").write_text(scripts.joined(modules), encoding="utf-8")
    (directory / "playground.css").write_text(sheet, encoding="utf-8")
    if engine is not None:
        engine.copy(directory)


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


def _any_text(engine: Engine | None) -> Element:
    without = "This needs JavaScript, because only a script can call your browser's parser."
    return element(
        "div",
        # Before everything that it styles, so that nothing moves when it is there.
        element("link", rel="stylesheet", href=f"{DIRECTORY}/playground.css"),
        element("p", without, class_="none without-script"),
        element(
            "div",
            *_loading(engine),
            _fields(),
            element("p", id="status", role="status", class_="status"),
            _of_browser(),
            element("div", id="results", class_="results"),
            _below(query_form(State(), None), "h3"),
            id="playground-own",
        ),
        element("script", src=f"{DIRECTORY}/playground.js", defer=True),
        class_="twin",
        id="playground-any-text",
    )


def _loading(engine: Engine | None) -> list[Element]:
    """Return the line that says what is loaded; its ``data-engine`` is for the script."""
    if engine is None:
        without = (
            "This site was built without npm, so it does not have Python for the browser. "
            "Only your browser reads what you type."
        )
        return [element("p", without, id="playground-engine", role="status", class_="engine")]
    packages = engine.packages
    asked = {
        "wheels": engine.names_of_wheels,
        "scripts": engine.scripts,
        "size": sum(package.size for package in packages),
        "pyodide": packages[0].version,
        "python": engine.python,
        "weburl": packages[1].version,
    }
    size = sum(package.size for package in packages) / 1_000_000
    before = (
        "Your browser reads what you type. When you enter the field, the page loads weburl, too: "
        f"{size:.1f}\u00a0MB from this site."
    )
    line = element(
        "p",
        before,
        id="playground-engine",
        role="status",
        class_="engine",
        data_engine=json.dumps(asked),
    )
    button = element(
        "p",
        element("button", "Load weburl", type="button", id="playground-load"),
        class_="buttons",
        hidden=True,
    )
    progress = element(
        "div",
        element("progress", id="playground-progress", max="1", value="0", aria_label="Loaded"),
        element("span", id="playground-loaded", class_="where"),
        class_="loading",
        hidden=True,
    )
    return [element("div", line, button, progress, class_="place")]


def _fields() -> Element:
    """Return the viewer's form. What only weburl understands is hidden until it runs."""
    form = url_form(State(), "")
    attributes: dict[str, str | bool] = {"id": "url-form", "autocomplete": "off"}
    return Element(form.tag, attributes, tuple(map(_hidden_without_weburl, form.children)))


def _hidden_without_weburl(node: Node) -> Node:
    if isinstance(node, str):
        return node
    if node.attributes.get("class") not in {"field pattern", "options"}:
        return node._replace(children=tuple(map(_hidden_without_weburl, node.children)))
    return node._replace(attributes=node.attributes | {"hidden": True, "data-live": True})


def _of_browser() -> Element:
    """Return what the page shows while only the browser reads what people type."""
    rows = [
        element("tr", element("th", name, scope="row"), element("td", data_own=name))
        for name in ATTRIBUTES
    ]
    header = [element("th", text, scope="col") for text in ("Attribute", "This browser")]
    return element(
        "div",
        element("p", id="playground-own-verdict", role="status", class_="verdict"),
        element("p", id="playground-listed", class_="none", hidden=True),
        element(
            "table",
            element("thead", element("tr", *header)),
            element("tbody", *rows),
            class_="parts alone",
            id="playground-own-parts",
            hidden=True,
        ),
        id="playground-alone",
    )


def _below(node: Node, heading: str) -> Node:
    """Return a part of the viewer with ``heading`` in the place of its headings and no address."""
    if isinstance(node, str):
        return node
    attributes = {
        name: value for name, value in node.attributes.items() if name not in {"method", "action"}
    }
    tag = heading if node.tag == "h2" else node.tag
    return Element(tag, attributes, tuple(_below(child, heading) for child in node.children))


# --- what runs on the page ----------------------------------------------------------------------


def _packages(engine: Engine | None) -> Element:
    if engine is None:
        return element("p", "This site was built without npm, so none of it is here.")
    header = [element("th", text, scope="col") for text in ("Package", "Version", "Size")]
    rows = [
        element(
            "tr",
            element("td", package.name.replace("_", "-")),
            element("td", package.version),
            element("td", f"{package.size / 1_000_000:.2f} MB"),
        )
        for package in engine.packages
    ]
    table = element(
        "table",
        element("thead", element("tr", *header)),
        element("tbody", *rows),
        class_="docutils",
    )
    return element("div", table, class_="table-wrapper", id="playground-packages")
