"""The elements that the viewer shows of a report.

The column for the browser's own parser is hidden until a script fills it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from weburl.viewer.elements import Element, Node, element, isolated, section, text_area, visible
from weburl.viewer.marks import marked
from weburl.viewer.report import ATTRIBUTES, ISOLATES
from weburl.viewer.verdict import listed, verdict_nodes

ERRORS_SHOWN: Final = 50
ERRORS_LISTED: Final = 200
"""How many errors are explained one by one. Of the others, the kinds and the places are shown."""
ROWS_SHOWN: Final = 200
QUERY_SHOWN: Final = 100_000
GROUPS_SHOWN: Final = 50
GROUP_SHOWN: Final = 200
"""How many code points of a group are shown."""

_KINDS: Final = {
    "Domain": "domain",
    "IPv4Address": "IPv4 address",
    "IPv6Address": "IPv6 address",
    "OpaqueHost": "opaque host",
    "EmptyHost": "empty host",
}


def results(found: dict[str, Any]) -> list[Element]:
    """Return everything that is shown of a report, except the table of the query."""
    return [
        section("verdict", "At a glance", *verdict_nodes(found), *marked(found)),
        *_section("errors", "Validation errors", _errors(found["validation"])),
        *_section("pattern", "The pattern", _matching(found["pattern"])),
        section("readings", "How other libraries read it", *_readings(found)),
        section("attributes", "Part by part", *_attributes(found["attributes"])),
        *_section("identity", "Origin and site", _identity(found["identity"])),
        *_section("stored", "What would be stored", _stored(found["stored"])),
        *_section("rendered", "How people would see it", _rendered(found["rendered"])),
    ]


def _section(name: str, title: str, content: list[Node]) -> list[Element]:
    """Return a section, or nothing if it would be empty."""
    return [section(name, title, *content)] if content else []


def query_table(found: dict[str, Any]) -> list[Node]:
    """Return the query as a table that people can edit, or why there is none."""
    pairs = found["search_params"]
    if found["attributes"] is None:
        return [_none("There is no query, because there is no URL.")]
    if len(pairs) > ROWS_SHOWN:
        return [_none(f"The query has {len(pairs):,} pairs: too many to edit here.")]
    if (length := sum(len(name) + len(value) for name, value in pairs)) > QUERY_SHOWN:
        return [_none(f"The query has {length:,} characters: too many to edit here.")]
    rows = [query_row(at, name, value) for at, (name, value) in enumerate(pairs)]
    columns: list[Node] = ["Name", "Value", element("span", "Remove", class_="vh")]
    return [_table("rows", columns, [*rows, query_row(None, "", "")])]


def query_row(index: int | None, name: str, value: str) -> Element:
    """Return a row of the query; ``index`` is None for the row of a new pair."""
    label = "new row" if index is None else f"row {index + 1}"
    number = "" if index is None else str(index)

    def field(kind: str, text: str) -> Element:
        called = f"{kind.capitalize()}, {label}"
        return element(
            "td", text_area(kind, text.replace("\r", "\n"), dir="auto", aria_label=called)
        )

    remove = element(
        "button",
        "Remove",
        element("span", f" {label}", class_="vh"),
        name="remove",
        value=number,
        class_="quiet",
    )
    return element(
        "tr",
        field("name", name),
        field("value", value),
        element(
            "td",
            element("input", type="hidden", name="row", value=number),
            *([] if index is None else [remove]),
        ),
        data_row=number,
    )


def _table(
    name: str, columns: Iterable[Node], rows: Iterable[Element], **attributes: bool
) -> Element:
    """Return a table. A column is the content of its header, or the header itself."""
    headers = (
        each if isinstance(each, Element) and each.tag == "th" else element("th", each, scope="col")
        for each in columns
    )
    head = element("thead", element("tr", *headers))
    return element("table", head, element("tbody", *rows), class_=name, **attributes)


def _row(name: str, *cells: Element, differs: bool) -> Element:
    class_ = "differs" if differs else None
    return element("tr", element("th", name, scope="row"), *cells, class_=class_)


def _cell(label: str, value: list[Node]) -> Element:
    return element("td", *value, data_label=label)


def _mark(label: str, text: str) -> Element:
    return _cell(label, [element("span", text, class_="mark")])


def _none(text: str) -> Element:
    return element("p", text, class_="none")


def _value(text: str | None) -> list[Node]:
    """Return a value, or the word "none" or "empty" instead of nothing."""
    if not text:
        return [element("span", "none" if text is None else "empty", class_="absent")]
    return [element("span", *visible(text))]  # The narrow layout needs a single element.


def _errors(validation: dict[str, Any]) -> list[Node]:
    errors = validation["errors"]
    if not errors:
        return []
    items = [_error(number, error) for number, error in enumerate(errors[:ERRORS_LISTED], start=1)]
    nodes: list[Node] = [element("ol", *items[:ERRORS_SHOWN])]
    if len(items) > ERRORS_SHOWN:
        nodes.append(
            element(
                "details",
                element("summary", f"{len(items) - ERRORS_SHOWN:,} more"),
                element("ol", *items[ERRORS_SHOWN:], start=str(ERRORS_SHOWN + 1)),
            )
        )
    if others := errors[ERRORS_LISTED:]:
        title = element("summary", f"{len(others):,} more, by kind")
        nodes.append(element("details", title, element("ul", *_by_kind(others))))
    if (left := validation["error_count"] - len(errors)) > 0:
        after = f"… and {left:,} more, which are listed when some of these {len(errors):,}"
        nodes.append(_none(f"{after} are corrected."))
    return nodes


def _by_kind(errors: list[dict[str, Any]]) -> list[Element]:
    """Return an item for each kind of error, with the places of all errors of that kind."""
    places: dict[tuple[str, str], list[str]] = {}
    for error in errors:
        places.setdefault((error["type"], error["spec_url"]), []).append(_place(error))
    return [
        element(
            "li",
            element("a", kind, href=address, rel="noreferrer"),
            element("span", f" at {', '.join(each)}", class_="where"),
        )
        for (kind, address), each in places.items()
    ]


def _place(error: dict[str, Any]) -> str:
    start, end = error["start"], error["end"]
    return f"{start}" if start == end else f"{start}–{end}"


def _error(number: int, error: dict[str, Any]) -> Element:
    link = element("a", error["type"], href=error["spec_url"], rel="noreferrer")
    kind = " – so this is not a URL" if error["is_failure"] else ""
    where = f"at {_place(error)}"
    return element(
        "li",
        element("p", link, element("span", f" {where}{kind}", class_="where"), class_="error-name"),
        element("p", *visible(error["message"]), " ", *visible(error["hint"])),
        id=f"error-{number}",
        class_="failure" if error["is_failure"] else None,
    )


def _attributes(attributes: dict[str, str] | None) -> list[Node]:
    columns: list[Node] = ["Attribute", "weburl"]
    columns.append(element("th", "This browser", scope="col", data_browser=True, hidden=True))
    rows = [
        element(
            "tr",
            element("th", name, scope="row"),
            # Where the browser reads the same, a script makes this cell as wide as both.
            _cell("weburl", _value(None if attributes is None else attributes[name])),
            element("td", data_browser=name, data_label="This browser", hidden=True),
            data_attribute=name,
        )
        for name in ATTRIBUTES
    ]
    table = _table("parts", columns, rows, hidden=attributes is None)
    note = _none("There are no parts, because this is not a URL.")
    # A script hides the rows that are empty for both, and names them here.
    empty = element("p", class_="none", data_empty=True, hidden=True)
    return [table, empty] if attributes is not None else [note, table]


def _matching(found: dict[str, Any] | None) -> list[Node]:
    if found is None:
        return []
    if found["error"] is not None:
        return _pattern_error(found["error"])
    if found["matches"] is None:
        return [_none("There is no URL to match.")]
    names = [each["name"] for each in found["components"] if not each["matches"]]
    says = f"The URL does not match: see {', '.join(names)}." if names else "The URL matches."
    rows = [
        _row(
            each["name"],
            _cell("Pattern", _value(each["pattern"])),
            _cell("URL", _value(each["input"])),
            _cell("Groups", _groups(each["groups"])),
            _mark("Matches?", "yes" if each["matches"] else "≠ no"),
            differs=not each["matches"],
        )
        for each in found["components"]
    ]
    table = _table("matches", ("Component", "Pattern", "URL", "Groups", "Matches?"), rows)
    return [element("p", says, class_="pattern-verdict"), table]


def _groups(groups: list[list[str | None]]) -> list[Node]:
    if not groups:
        return _value(None)
    items = [
        element("li", *visible(f"{name} = ", GROUP_SHOWN), *_value_of_group(text))
        for name, text in groups[:GROUPS_SHOWN]
    ]
    nodes: list[Node] = [element("ul", *items, class_="groups")]
    if len(groups) > GROUPS_SHOWN:
        nodes.append(_none(f"… and {len(groups) - GROUPS_SHOWN:,} more"))
    return nodes


def _value_of_group(text: str | None) -> list[Node]:
    return [element("span", *visible(text, GROUP_SHOWN))] if text else _value(text)


def _pattern_error(error: dict[str, Any]) -> list[Node]:
    of = f"In the {error['component']}: " if error["component"] else ""
    expected = f" Expected {error['expected']}." if error["expected"] else ""
    message = element(
        "p", *visible(f"{of}{error['message']}{expected}"), class_="refused", role="note"
    )
    start, end, text = error["start"], error["end"], error["input"]
    if start is None or not text:
        return [message]
    place = text[start:end]
    culprit = element("mark", *visible(place)) if place else element("mark", "‸", class_="missing")
    where = element("p", *visible(text[:start]), culprit, *visible(text[end:]), class_="marked")
    return [message, where]


def _identity(identity: dict[str, Any] | None) -> list[Node]:
    if identity is None:
        return []
    rows = [("Origin", _value(identity["origin"])), ("Site", _value(identity["site"]))]
    host = identity["host"]
    if host is None:
        return [_list([*rows, ("Host", [element("span", "none", class_="absent")])])]
    rows.append(("Kind of host", [_KINDS[host["kind"]]]))
    if "unicode" in host:
        rows += [
            ("Registrable domain", _value(host["registrable_domain"])),
            ("Public suffix", _value(host["public_suffix"])),
            ("Host in ASCII", _value(host["ascii"])),
            ("Host in Unicode", [_host_in_unicode(host["unicode"])]),
            ("Safe to show?", [_may_be_shown(host), *_suspicions(host["suspicions"])]),
        ]
    return [_list(rows)]


def _host_in_unicode(host: str) -> Element:
    """Return a host whose labels keep their order, whatever direction they are read in."""
    labels: list[Node] = []
    for label in host.split("."):
        labels += [*([] if not labels else ["."]), element("bdi", *visible(label))]
    return element("span", *labels, dir="ltr")


def _may_be_shown(host: dict[str, Any]) -> Node:
    if host["unicode"] == host["ascii"]:
        return "It is the same in ASCII."
    if host["may_be_shown_in_unicode"]:
        return "Yes: it does not mislead anyone."
    return element("strong", "No: it could be mistaken for another host.", class_="warn")


def _suspicions(suspicions: list[dict[str, Any]]) -> list[Node]:
    """Return why a host may mislead people, as a list; no nodes if there is no reason."""
    items = []
    for found in suspicions:
        about: list[Node] = [element("code", found["label"]), f": {found['sentence']}"]
        if found["characters"]:
            about += [" ", element("bdi", *visible(found["characters"]))]
        if found["reads_as"]:
            about += [" It reads as ", element("code", found["reads_as"]), "."]
        items.append(element("li", *about))
    return [element("ul", *items)] if items else []


def _list(rows: list[tuple[str, list[Node]]]) -> Element:
    return element(
        "dl",
        *(element("div", element("dt", term), element("dd", *value)) for term, value in rows),
    )


def _stored(stored: dict[str, Any]) -> list[Node]:
    messages = [element("li", *visible(message)) for message in stored["messages"]]
    refused: list[Node] = [element("ul", *messages, class_="refused")] if messages else []
    if stored["text"] is None:
        return [_none("The field refuses it:"), *refused] if refused else []
    whose = "by the bookmarks' field" if stored["by_field"] else "by CanonicalURLField"
    length = stored["length"]
    note = f"{length:,} character{'' if length == 1 else 's'} of ASCII, stored {whose}"
    return [
        element("p", element("code", *visible(stored["text"])), class_="value"),
        _none(note),
        *refused,
    ]


def _rendered(rendered: list[dict[str, Any]]) -> list[Node]:
    if not rendered:
        return []
    rows: list[tuple[str, list[Node]]] = []
    for each in rendered:
        text, longest = each["text"], each["max_length"]
        value: list[Node] = [element("bdi", *isolated(text), dir="ltr")]
        if (length := len(text.translate(ISOLATES))) > longest:
            value.append(
                element("span", f" {length} characters; it cannot be shorter", class_="where")
            )
        rows.append((f"At most {longest} characters", value))
    return [_list(rows)]


def _readings(found: dict[str, Any]) -> list[Node]:
    """Return the readings by what they find; those that find the same share a row."""
    standard, *others = found["readings"]["readings"]
    refused = standard["failure"] is not None
    groups: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for each in (standard, *others):
        key = tuple(each[name] for name in ("failure", "scheme", "host", "port"))
        groups.setdefault(key, []).append(each)
    rows = []
    for reading, *same in groups.values():
        readers = listed([reading["reader"], *(each["reader"] for each in same)])
        if reading["failure"] is not None:
            why = element("td", "refuses it: ", *visible(reading["failure"]), colspan="4")
            rows.append(_row(readers, why, differs=False))
            continue
        differs = reading["differs"] or refused
        mark = "≠ accepts it" if refused else "≠ differs" if differs else "–"
        port = reading["port"]
        rows.append(
            _row(
                readers,
                _cell("Scheme", _value(reading["scheme"])),
                _cell("Host", _value(reading["host"])),
                _cell("Port", _value(None if port is None else str(port))),
                _mark("Same?", mark),
                differs=differs,
            )
        )
    columns = ("Read by", "Scheme", "Host", "Port", "As the standard?")
    nodes: list[Node] = [_table("readers", columns, rows)]
    if found["base"] is not None and found["attributes"] is not None:
        nodes.append(_none("They were given the URL after it was joined to its base."))
    return nodes
