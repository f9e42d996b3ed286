"""What was measured, as tables in Markdown. Numbers come in as `__main__` made them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.columns.contenders import Takes
from benchmarks.columns.spark import READING
from benchmarks.operations import BUILDS
from benchmarks.publish import with_table
from benchmarks.table import merge, table

BEGIN: Final = "<!-- the table: `make bench-columns` writes it -->"
END: Final = "<!-- the end of the table -->"
DOCS: Final = Path(__file__).resolve().parents[2] / "docs" / "columns"
OURS: Final = "weburl.columns"
NOT_MEASURED: Final = "(not measured yet)"

_NONE: Final = "–"
_BILLION: Final = 1_000_000_000

Runs = Mapping[str, Mapping[str, Any]]
"""What was measured of each build that there is, by its name."""


def publish(measured: list[dict[str, Any]], aside: Path, price: float) -> None:
    """Print all tables; if all runs were whole, write brief ones and the numbers into docs/columns.

    The numbers of a smaller run go to the directory ``aside``. ``price``: of a core for an hour.
    """
    runs = merge(measured)
    print(render(runs, price))
    whole = all(run["whole"] for run in runs.values())
    directory = DOCS if whole else aside
    numbers = json.dumps(runs, indent=1, ensure_ascii=False)
    (directory / "performance.json").write_text(f"{numbers}\n", encoding="utf-8")
    if whole:
        page = DOCS / "performance.md"
        page.write_text(
            with_table(page.read_text(encoding="utf-8"), in_brief(runs), BEGIN, END),
            encoding="utf-8",
        )
    print(f"\nWritten to {directory}" + ("" if whole else ": the documents want more rows."))


def render(runs: Runs, price: float) -> str:
    """Return all tables, with a line before them that says where and how they were made."""
    parts = [_conditions(runs)]
    for operation in _operations(runs, Takes.ARRAY, Takes.TEXTS):
        parts += [f"### {operation}", _of_operation(runs, operation)]
    if _operations(runs, Takes.COLUMN):
        parts += ["### Several workers", _of_workers(runs)]
    if _operations(runs, Takes.FILE):
        parts += ["### Spark", _of_engines(runs)]
        parts += ["### A billion rows in Spark", _of_a_billion(runs, price)]
    if failures := list(_failures(runs)):
        parts += ["### Not measured", "\n".join(failures)]
    return "\n\n".join(parts)


def in_brief(runs: Runs) -> str:
    """Return the table that `docs/columns/performance.md` shows: our rates."""
    parts = [_conditions(runs)]
    if operations := _operations(runs, Takes.ARRAY):
        parts.append(_of_ours(runs, operations))
    return "\n\n".join(parts)


def _conditions(runs: Runs) -> str:
    run = next(iter(runs.values()))
    versions = ", ".join(
        f"{name} {version}" for name, version in run["versions"].items() if version
    )
    return (
        f"{run['rows']:,} rows made of {run['links']}. CPython {run['python']}, {run['machine']}; "
        f"{versions}."
    )


def _of(runs: Runs, *kinds: Takes) -> Iterable[tuple[str, str, dict[str, Any]]]:
    """Yield the build, the name and the numbers of everyone measured who takes one of these."""
    for build in BUILDS:
        for name, measured in runs.get(build, {}).get("contenders", {}).items():
            if measured["takes"] in kinds and "failed" not in measured:
                yield build, name, measured


def _operations(runs: Runs, *kinds: Takes) -> list[str]:
    return list(dict.fromkeys(measured["operation"] for _, _, measured in _of(runs, *kinds)))


def _by_who(runs: Runs, operation: str, *kinds: Takes) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the numbers of an operation by who did it, and then by the build."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for build, _, measured in _of(runs, *kinds):
        if measured["operation"] == operation:
            found.setdefault(measured["who"], {})[build] = measured
    return found


def _of_operation(runs: Runs, operation: str) -> str:
    found = _by_who(runs, operation, Takes.ARRAY, Takes.TEXTS)
    lines = []
    for who, by_build in found.items():
        cells = [who]
        for build in runs:
            measured = by_build.get(build)
            ours = found.get(OURS, {}).get(build)
            cells += [_rate(measured), _ratio(measured, ours)]
        lines.append([*cells, _memory(by_build), _differing(by_build)])
    header = [""]
    for build in runs:
        header += [f"{build}: rows a second", "times ours"]
    return table([*header, "MiB", "other answers"], lines)


def _of_ours(runs: Runs, operations: list[str]) -> str:
    """Return a line for each operation: our rate in each build."""
    lines = []
    for operation in operations:
        ours = _by_who(runs, operation, Takes.ARRAY).get(OURS, {})
        lines.append([operation, *(_rate(ours.get(build)) for build in runs)])
    return table(["", *(f"{build}: rows a second" for build in runs)], lines)


def _of_workers(runs: Runs) -> str:
    lines = []
    for operation in _operations(runs, Takes.COLUMN):
        for who, by_build in _by_who(runs, operation, Takes.COLUMN).items():
            rates = [_rate(by_build.get(build)) for build in runs]
            lines.append([f"{operation}, {who.partition(', ')[2]}", *rates, _memory(by_build)])
    return table(["", *(f"{build}: rows a second" for build in runs), "MiB"], lines)


def _of_engines(runs: Runs) -> str:
    lines = []
    for operation in _operations(runs, Takes.FILE):
        for who, by_build in _by_who(runs, operation, Takes.FILE).items():
            name = f"{operation}: {who}" if operation == READING else who
            cells = [name]
            for build in runs:
                measured = by_build.get(build)
                cells += [_rate(measured), _number(_core_seconds(measured), 1)]
            lines.append([*cells, _memory(by_build), _differing(by_build)])
    header = [""]
    for build in runs:
        header += [f"{build}: rows a second", "core-seconds a million"]
    return table([*header, "MiB", "other answers"], lines)


def _of_a_billion(runs: Runs, price: float) -> str:
    lines = []
    for operation in _operations(runs, Takes.FILE):
        for who, by_build in _by_who(runs, operation, Takes.FILE).items():
            most = max(measured["cores"] for measured in by_build.values())
            if most == 1:
                continue
            cells = [who if operation != READING else f"{READING}: {who}"]
            for build in runs:
                seconds = _core_seconds(by_build.get(build))
                hours = None if seconds is None else seconds * _BILLION / 1e6 / 3600
                cells += [_number(hours, 2), _number(hours and hours * price, 2)]
            lines.append(cells)
    header = [""]
    for build in runs:
        header += [f"{build}: core-hours", f"at {price:g} a core-hour"]
    return table(header, lines)


def _failures(runs: Runs) -> Iterable[str]:
    for build, run in runs.items():
        for name, measured in run["contenders"].items():
            if "failed" in measured:
                yield f"- {build}, {name}: `{measured['failed'][:200]}`"


# --- cells --------------------------------------------------------------------------------------


def _rate(measured: Mapping[str, Any] | None) -> str:
    return _NONE if measured is None else f"{measured['rows'] / measured['seconds']:,.0f}"


def _core_seconds(measured: Mapping[str, Any] | None) -> float | None:
    """Return the seconds of processors that a million rows take."""
    if measured is None:
        return None
    return float(measured["core_seconds"]) * 1e6 / int(measured["rows"])


def _ratio(measured: Mapping[str, Any] | None, ours: Mapping[str, Any] | None) -> str:
    taken, own = _core_seconds(measured), _core_seconds(ours)
    return _NONE if taken is None or not own else f"{taken / own:.2f}"


def _memory(by_build: Mapping[str, Mapping[str, Any]]) -> str:
    seen = [measured["memory"] for measured in by_build.values() if measured["memory"] is not None]
    return f"{max(seen):,.0f}" if seen else _NONE


def _differing(by_build: Mapping[str, Mapping[str, Any]]) -> str:
    looked_at = [measured for measured in by_build.values() if "checked" in measured]
    if not looked_at:
        return _NONE
    worst = max(looked_at, key=lambda measured: int(measured["differ"]))
    return f"{worst['differ']:,} of {worst['checked']:,}"


def _number(value: float | None, places: int) -> str:
    return _NONE if value is None else f"{value:,.{places}f}"
