"""What the viewer says first of a URL: what opens, what is wrong, and who reads another place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from weburl.viewer.elements import Element, Node, element, plain, visible

WARNINGS_SHOWN: Final = 3
KINDS_NAMED: Final = 5
"""How many kinds of errors are named; the section of the errors has all of them."""

_OPENED: Final = frozenset({"http:", "https:"})


def verdict(found: dict[str, Any]) -> str:
    """Return the first lines about a report as one text, for screen readers."""
    return " ".join(plain(node) for node in (_headline(found), *_findings(found)))


def verdict_nodes(found: dict[str, Any]) -> list[Node]:
    """Return the first lines about a report. A script fills the one about the browser."""
    browser = element("li", class_="browser-verdict", data_browser_verdict=True, hidden=True)
    return [_headline(found), element("ul", *_findings(found), browser, class_="findings")]


def _headline(found: dict[str, Any]) -> Element:
    return element("p", *_opens(found), class_="verdict")


def _warnings(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return why people may take the host for another."""
    host = None if found["identity"] is None else found["identity"]["host"]
    suspicions = [] if host is None else host.get("suspicions", [])
    return [each for each in suspicions if each["is_warning"]]


def _looks_like(found: dict[str, Any]) -> str:
    """Return the host that people may read instead, or "" if it is not known."""
    seen = {each["label"]: each["reads_as"] for each in _warnings(found) if each["reads_as"]}
    labels = found["identity"]["host"]["ascii"].split(".")
    return ".".join(seen.get(label, label) for label in labels) if seen else ""


def _opens(found: dict[str, Any]) -> list[Node]:
    attributes = found["attributes"]
    if attributes is None:
        what = "The base is not a URL" if found["validation"]["is_about_base"] else "Not a URL"
        return [f"{what}: nothing opens it."]
    protocol, host = attributes["protocol"], found["identity"]["host"]
    if host is None or not host["shown"]:
        return [f"This {protocol} URL has no host."]
    port = f":{attributes['port']}" if attributes["port"] else ""
    shown = element("strong", *visible(f"{host['shown']}{port}"))
    before = "This opens " if protocol in _OPENED else f"The host of this {protocol} URL is "
    if not (name := _looks_like(found)):
        return [before, shown, "."]
    other = element("strong", *visible(name), class_="warn")
    return [before, shown, ", which looks like ", other, "."]


def _findings(found: dict[str, Any]) -> Iterator[Element]:
    for each in _warnings(found)[:WARNINGS_SHOWN]:
        about: list[Node] = []
        if each["characters"]:
            about = [" ", element("bdi", *visible(each["characters"]))]
        yield _finding("bad", element("code", each["label"]), f": {each['sentence']}", *about)
    yield _errors(found["validation"])
    yield from _readers(found["readings"]["readings"])


def _finding(kind: str, *content: Node) -> Element:
    return element("li", *content, class_=kind)


def _errors(validation: dict[str, Any]) -> Element:
    count, errors = validation["error_count"], validation["errors"]
    for error in errors:
        if error["is_failure"]:
            return _finding("bad", *visible(error["message"]))
    if not count:
        lone = not validation["is_valid_url_string"]
        return _finding("good", f"No validation errors{', but a lone surrogate' if lone else ''}.")
    first: dict[str, int] = {}
    for number, error in enumerate(errors, start=1):
        first.setdefault(error["type"], number)
    links: list[Node] = []
    for kind, number in list(first.items())[:KINDS_NAMED]:
        links += [", " if links else "", element("a", kind, href=f"#error-{number}")]
    more = ", …" if len(first) > KINDS_NAMED else "."
    return _finding("bad", f"{count:,} validation error{'' if count == 1 else 's'}: ", *links, more)


def _readers(readings: list[dict[str, Any]]) -> Iterator[Element]:
    """Yield the readers that disagree with the standard about the place, grouped by place."""
    standard, *others = readings
    groups: dict[str, list[str]] = {}
    for each in others:
        if each["failure"] is None and (each["differs"] or standard["failure"] is not None):
            groups.setdefault(_other_place(standard, each), []).append(each["reader"])
    for place, readers in groups.items():
        verb = "reads" if len(readers) == 1 else "read"
        yield _finding("bad of-readers", f"{listed(readers)} {verb} ", *visible(place), ".")
    if groups or standard["failure"] is not None:
        return
    refusing = [each["reader"] for each in others if each["failure"] is not None]
    if not refusing:
        yield _finding("good of-readers", "All other readers read the same host.")
    elif len(refusing) < len(others):
        verb = "refuses" if len(refusing) == 1 else "refuse"
        yield _finding(
            "good of-readers", f"No reader reads another host. {listed(refusing)} {verb} it."
        )


def _other_place(standard: dict[str, Any], other: dict[str, Any]) -> str:
    """Return what a reader finds, in words that name the first part that differs."""
    if standard["failure"] is not None:
        return "the host " + (other["host"] or "none")
    for part in ("host", "scheme", "port"):
        if other[part] != standard[part]:
            value = other[part]
            return f"no {part}" if value in (None, "") else f"another {part}: {value}"
    return "the same place"


def listed(names: list[str]) -> str:
    """Return names as people list them: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
