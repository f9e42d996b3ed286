"""Where the tables go: to the terminal, and after a whole run into the documents."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from benchmarks import chart, table
from benchmarks.inputs import ROOT

DOCS: Final = ROOT / "docs"
BEGIN: Final = "<!-- the table: `make bench` writes it -->"
END: Final = "<!-- the end of the table -->"

PAGES: Final = {"benchmarks.md": table.for_page, "performance.md": table.in_brief}
"""The pages in docs/, and what makes the text between their markers."""

NOT_MEASURED: Final = "(not measured yet)"
"""What stands there before the first whole run."""


def publish(measured: list[dict[str, Any]], aside: Path) -> None:
    """Print the tables; write them, the numbers and the chart into docs/ if all runs were whole.

    The terminal gets more tables than the documents. The numbers and the chart of a quick run, or
    of some parts, go to the directory ``aside``.
    """
    runs = table.merge(measured)
    text = table.render(runs)
    print(text)
    whole = all(run["whole"] for run in runs.values())
    directory = DOCS if whole else aside
    numbers = json.dumps(runs, indent=1, ensure_ascii=False)
    (directory / "performance.json").write_text(f"{numbers}\n", encoding="utf-8")
    if all("times" in run for run in runs.values()):
        chart.draw(runs, directory / "performance.svg")
    if whole:
        for name, render in PAGES.items():
            page = directory / name
            before = page.read_text(encoding="utf-8")
            page.write_text(with_table(before, render(runs)), encoding="utf-8")
    print(f"\nWritten to {directory}" + ("" if whole else ": the documents want a whole run."))


def with_table(page: str, text: str, begin: str = BEGIN, end: str = END) -> str:
    """Return a page with ``text`` between its markers, instead of what was there."""
    before, rest = page.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}\n\n{text}\n\n{end}{after}"


def table_in(page: str) -> str:
    """Return what stands between a page's markers."""
    match = re.search(f"{re.escape(BEGIN)}\n\n(.*)\n\n{re.escape(END)}", page, re.DOTALL)
    assert match is not None, "the page has no table"
    return match[1]
