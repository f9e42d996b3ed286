"""The tables of attributes in `docs/html-reference.md`, made from those that the code goes by.

`tests/html/test_finding.py` holds the page to it. ``python -m tests.html.table`` writes it anew.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from weburl.html import LinkKind
from weburl.html.finding import MORE, RULES, table_with
from weburl.html.tree import HTML

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "html-reference.md"
_TABLE: Final = re.compile(r"(<!-- table: (\w+) -->\n).*?(?=<!-- end of table -->)", re.DOTALL)


def table() -> str:
    """Return the table in Markdown: elements that have a row in common are in one.

    A sentence of the page says when ``xlink:href`` counts.
    """
    rows: dict[tuple[LinkKind, str, str], list[str]] = {}
    for namespace, elements in RULES.items():
        prefix = "" if namespace == HTML else "svg "
        for element, rules in elements.items():
            for rule in (rule for rule in rules if rule.attribute != "xlink:href"):
                key = (rule.kind, rule.attribute, rule.condition.words)
                rows.setdefault(key, []).append(f"`{prefix}{element}`")
    order = list(LinkKind)
    lines = ["| kind | element | attribute | counts if |", "|---|---|---|---|"]
    for (kind, attribute, words), elements_of_row in sorted(
        rows.items(), key=lambda row: order.index(row[0][0])
    ):
        where = f"`{attribute}`" if attribute else "the text inside"
        cells = (f"`{kind}`", ", ".join(elements_of_row), where, words)
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join([*lines, ""])


def table_of_options() -> str:
    """Return the table of the options that add links, in Markdown."""
    lines = ["| option | element | attribute | counts if |", "|---|---|---|---|"]
    for option in MORE:
        rows: dict[tuple[str, str], dict[str, None]] = {}
        of_page = table_with(frozenset())
        of_option = table_with(frozenset({option}))
        others = {rule.attribute for rule in of_option.others}
        for namespace, elements in of_option.rules.items():
            for element, rules in elements.items():
                known = of_page.rules[namespace].get(element, ())
                for rule in rules:
                    if rule not in known and rule.attribute not in others:
                        key = rule.attribute, rule.condition.words
                        rows.setdefault(key, {})[f"`{element}`"] = None
        for rule in of_option.others:
            rows[rule.attribute, rule.condition.words] = {"any element": None}
        for (attribute, words), names in rows.items():
            where = f"`{attribute}`" if attribute else "the text inside"
            cells = (f"`{option}`", ", ".join(names), where, words)
            lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join([*lines, ""])


def with_table(page: str) -> str:
    """Return the text of the page with its tables made anew."""
    tables = {"attributes": table, "options": table_of_options}
    return _TABLE.sub(lambda found: found[1] + tables[found[2]](), page)


def main() -> int:
    """Write the tables of the page."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
