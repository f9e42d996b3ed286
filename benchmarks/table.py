"""What was measured, as tables in Markdown. Numbers come in as `__main__` made them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.contenders import ORACLE
from benchmarks.django_paths import WANTED, WANTED_AS_TEXT
from benchmarks.kept import KEPT
from benchmarks.operations import (
    BUILDS,
    PURE_PEER,
    REACH_OF_IMPORT,
    REACH_ON_SLOW,
    ROWS,
    SIZES,
    Inputs,
    Operation,
    Row,
)

Runs = Mapping[str, Mapping[str, Any]]
"""What was measured of each build that there is, by its name."""

_TITLES = {
    Inputs.LINKS: "Links",
    Inputs.SLOW: "Links that no shortcut fits",
    Inputs.IDN: "Domains in many scripts",
}
"""The kinds of URL that have a table of times. Those of the others are in the table of ratios."""
_IN_BRIEF = {
    "parse and write": (Inputs.LINKS, Operation.HREF),
    "parse and read 8 parts": (Inputs.LINKS, Operation.COMPONENTS),
    "join and write": (Inputs.LINKS, Operation.JOIN_HREF),
    "domains beyond ASCII": (Inputs.IDN, Operation.HREF),
}
_AGAINST_THE_PURE_PEER = (Inputs.SLOW, Inputs.IDN)
_WITH_ROWS = (Inputs.LINKS, Inputs.SLOW, Inputs.IDN)
"""The kinds of text that have a row on the page. The others have one together."""
_OF_DJANGO_LEFT_OUT = {
    "`iterator()`",
    "`values_list` of the host",
    "`save` of a row that was read",
    "`full_clean`",
}
"""What is much like another row, so that the page leaves it out."""
_NONE = "–"


def merge(measured: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the runs by the name of their build; of two of one build the first counts."""
    runs: dict[str, dict[str, Any]] = {}
    for run in measured:
        runs.setdefault("compiled" if run["compiled"] else "interpreted", run)
    return runs


def render(runs: Runs) -> str:
    """Return all tables, with a line before them that says where and how they were made."""
    parts = [_conditions(runs)]
    if any("times" in run for run in runs.values()):
        parts += ["### Ratios to the fastest peer", _ratios(runs)]
        parts += [f"### Ratios to {PURE_PEER}", _slow_ratios(runs)]
        for inputs in (one for one in _TITLES if one in _any(runs)["times"]):
            parts += [f"### {_TITLES[inputs]}: nanoseconds a text", _times(runs, inputs)]
    if any("declined" in run for run in runs.values()):
        parts += ["### Texts that the fast path declines", _declined(runs)]
    if any("conformance" in run for run in runs.values()):
        parts += ["### Cases of web-platform-tests that fail", _conformance(runs)]
    if any("memory" in run for run in runs.values()):
        parts += ["### Bytes that a kept object takes", _memory(runs)]
    if any("kept" in run for run in runs.values()):
        parts += [f"### {KEPT:,} kept objects, with the garbage collector on", _kept(runs)]
    if any("django" in run for run in runs.values()):
        parts += ["### Django: ratios to `URLField`", _django(runs)]
    if any("growth" in run for run in runs.values()):
        parts += ["### Time per byte, from 64 KiB to 4 MiB", _growth(runs)]
    return "\n\n".join(part for part in parts if part)


def for_page(runs: Runs) -> str:
    """Return the tables that `docs/benchmarks.md` shows: what a user may want to look up."""
    parts = [_conditions(runs)]
    for build in (build for build in BUILDS if build in runs):
        parts += [f"### Ratios to the fastest other library, {build}", _by_inputs(runs, build)]
    parts += ["### Bytes that a kept object takes", _memory_and_collections(runs)]
    parts += ["### Django: ratios to `URLField`", _django_in_brief(runs)]
    return "\n\n".join(parts)


def in_brief(runs: Runs) -> str:
    """Return the one table that `docs/performance.md` shows."""
    first = _first_rows()
    run = _any(runs)
    rows = [
        [
            f"weburl, {build}",
            "Python",
            *(_median(_of(runs, build, *of), first[of[1]]) for of in _IN_BRIEF.values()),
            _all_failed(runs[build], "weburl"),
        ]
        for build in BUILDS
        if build in runs
    ]
    rows += [
        [
            peer,
            run["written_in"][peer],
            *(
                _median(run["times"].get(texts, {}).get(one, {}), peer)
                for texts, one in _IN_BRIEF.values()
            ),
            _all_failed(run, peer),
        ]
        for peer in run["versions"]
    ]
    return table(["", "written in", *_IN_BRIEF, "web-platform-tests failed"], rows)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, with the first column to the left and numbers to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _any(runs: Runs) -> Mapping[str, Any]:
    """Return the run that the peers' own numbers are taken from."""
    return runs["interpreted"] if "interpreted" in runs else next(iter(runs.values()))


def _conditions(runs: Runs) -> str:
    run = _any(runs)
    peers = ", ".join(f"{name} {version}".strip() for name, version in run["versions"].items())
    lines = [f"Python {run['python']} on {run['machine']}, {run['rounds']} rounds, medians."]
    lines += [f"Links: {run['links']}. Peers: {peers}."]
    for build in BUILDS:
        if build not in runs:
            lines.append(f"There was no {build} build of `weburl` to measure.")
        elif off := runs[build].get("caches_switched_off"):
            lines.append(f"Switched off in the {build} build: {', '.join(off)}.")
    return "\n".join(lines)


def fastest(times: Mapping[str, Any]) -> str | None:
    """Return the name of the peer with the smallest median among the times of an operation."""
    no_peers = {ORACLE.name, *(row.name for row in ROWS)}
    peers = [name for name in times if name not in no_peers]
    return min(peers, key=lambda name: float(times[name]["median"]), default=None)


def ratio(times: Mapping[str, Any], row: str, peer: str | None) -> float | None:
    """Return what a row's median is to a peer's; None where either was not measured."""
    if peer is None or row not in times or peer not in times:
        return None
    return float(times[row]["median"]) / float(times[peer]["median"])


def _of(runs: Runs, build: str, inputs: Inputs, operation: Operation) -> Mapping[str, Any]:
    times: Mapping[str, Any] = (
        runs.get(build, {}).get("times", {}).get(inputs, {}).get(operation, {})
    )
    return times


def _rows_and_inputs(runs: Runs) -> Iterator[tuple[Row, Inputs]]:
    for row in ROWS:
        for inputs in Inputs:
            if any(_of(runs, build, inputs, row.operation) for build in BUILDS):
                yield row, inputs


def _first_rows() -> dict[Operation, str]:
    """Return the name of the first row of each operation."""
    return {row.operation: row.name for row in reversed(ROWS)}


def _ratio(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _verdict(value: float | None, wanted: float | None) -> str:
    if value is None:
        return _NONE
    return f"**{value:.2f}**" if wanted is not None and value <= wanted else f"{value:.2f}"


def _ratios(runs: Runs) -> str:
    header = ["`weburl` does", "with", "cache"]
    for build in BUILDS:
        header += [f"{build}, ns", "ratio", "wanted"]
    rows = []
    for row, inputs in _rows_and_inputs(runs):
        cells = [row.name, inputs, _cache(runs)]
        for build in BUILDS:
            times = _of(runs, build, inputs, row.operation)
            peer = fastest(times)
            value = ratio(times, row.name, peer)
            wanted = row.wanted(build, inputs)
            cells += [
                _median(times, row.name),
                _verdict(value, wanted) + (f" {peer}" if value is not None else ""),
                _NONE if wanted is None else f"≤ {wanted}",
            ]
        rows.append(cells)
    rows += _imports(runs)
    return table(header, rows)


def _by_inputs(runs: Runs, build: str) -> str:
    """Return the ratios to the fastest peer, with the largest one of the kinds without a row."""

    def to_fastest(row: Row, inputs: Inputs) -> float | None:
        times = _of(runs, build, inputs, row.operation)
        return ratio(times, row.name, fastest(times))

    rows = [
        [str(inputs), *(_ratio(to_fastest(row, inputs)) for row in ROWS)] for inputs in _WITH_ROWS
    ]
    others = [inputs for inputs in Inputs if inputs not in _WITH_ROWS]
    last = ["others, at most"]
    for row in ROWS:
        found = (to_fastest(row, inputs) for inputs in others)
        last.append(_ratio(max((one for one in found if one is not None), default=None)))
    return table(["", *(row.name for row in ROWS)], [*rows, last])


def _cache(runs: Runs) -> str:
    return "off" if any(run.get("caches_switched_off") for run in runs.values()) else "none"


def _imports(runs: Runs) -> Iterator[list[str]]:
    if not any("imports" in run for run in runs.values()):
        return
    cells = ["`import weburl`", "", ""]
    for build in BUILDS:
        times = runs.get(build, {}).get("imports", {})
        value = ratio(times, "weburl", "attrs")
        milliseconds = f"{times['weburl']['median']:.1f} ms" if times else _NONE
        cells += [
            milliseconds,
            _verdict(value, REACH_OF_IMPORT) + (" import attrs" if times else ""),
            f"≤ {REACH_OF_IMPORT}",
        ]
    yield cells


def _slow_ratios(runs: Runs) -> str:
    header = ["`weburl` does", "with"]
    for build in BUILDS:
        header += [build, "wanted"]
    rows = []
    for row, inputs in _rows_and_inputs(runs):
        if inputs not in _AGAINST_THE_PURE_PEER:
            continue
        cells = [row.name, str(inputs)]
        for build in BUILDS:
            value = ratio(_of(runs, build, inputs, row.operation), row.name, PURE_PEER)
            wanted = REACH_ON_SLOW[build]
            cell = _NONE if value is None else f"1/{1 / value:.1f}"
            cells += [
                f"**{cell}**" if value is not None and value <= wanted else cell,
                f"≤ 1/{1 / wanted:.0f}",
            ]
        rows.append(cells)
    return table(header, rows)


def _median(times: Mapping[str, Any], name: str) -> str:
    return f"{times[name]['median']:,.0f}" if name in times else _NONE


def _times(runs: Runs, inputs: Inputs) -> str:
    run = _any(runs)
    of_list = run["times"][inputs]
    operations = [operation for operation in Operation if operation in of_list]
    first = _first_rows()
    rows = [
        [
            f"{peer} ({run['written_in'][peer]})",
            *(_median(of_list[operation], peer) for operation in operations),
            _all_failed(run, peer),
        ]
        for peer in run["versions"]
    ]
    rows += [
        [
            f"weburl, {build}",
            *(_median(_of(runs, build, inputs, one), first[one]) for one in operations),
            _all_failed(runs[build], "weburl"),
        ]
        for build in BUILDS
        if build in runs
    ]
    if ORACLE.name in of_list.get(Operation.PARSE, {}):
        oracle = (_median(of_list[operation], ORACLE.name) for operation in operations)
        rows.append([ORACLE.name, *oracle, _NONE])
    counts = (max(time["texts"] for time in of_list[one].values()) for one in operations)
    rows.append(["texts", *(f"{count:,}" for count in counts), ""])
    return table(["", *operations, "WPT cases failed"], rows)


def _all_failed(run: Mapping[str, Any], name: str) -> str:
    failed = run.get("conformance", {}).get(name)
    if failed is None:
        return _NONE
    cases = failed.values()
    return f"{sum(kind['failed'] for kind in cases)} of {sum(kind['of'] for kind in cases):,}"


def _conformance(runs: Runs) -> str:
    run = _any(runs)
    kinds = {"urls": "URLs", "references": "with a base", "setters": "setters"}
    rows = []
    for name, failed in run["conformance"].items():
        if failed is None:
            return "The data of web-platform-tests were not at hand."
        rows.append(
            [name]
            + [
                f"{failed[kind]['failed']} of {failed[kind]['of']}" if kind in failed else _NONE
                for kind in kinds
            ]
        )
    return table(["", *kinds.values()], rows)


def _declined(runs: Runs) -> str:
    rows = []
    for build in BUILDS:
        for texts, declined in runs.get(build, {}).get("declined", {}).items():
            causes = ", ".join(f"{count:,} {cause}" for cause, count in declined["causes"].items())
            count = sum(declined["causes"].values())
            rows.append([build, texts, f"{count:,} of {declined['of']:,}", causes or _NONE])
    return table(["", "texts", "declined", "because of"], rows)


def _memory(runs: Runs) -> str:
    rows = []
    for build in BUILDS:
        for name, measured in runs.get(build, {}).get("memory", {}).items():
            if "allocated" in measured:
                rows.append([f"{name}, {build}", *_bytes(measured)])
    for name, measured in _any(runs).get("memory", {}).items():
        if "allocated" not in measured:
            rows.append([name, *_bytes(measured)])
    return table(["", "the process grows", "allocated, text gone", "allocated, text kept"], rows)


def _kept(runs: Runs) -> str:
    rows = []
    for build in BUILDS:
        for name, measured in runs.get(build, {}).get("kept", {}).items():
            if name.startswith("weburl"):
                rows.append([f"{name}, {build}", *_kept_times(measured)])
    for name, measured in _any(runs).get("kept", {}).items():
        if not name.startswith("weburl"):
            rows.append([name, *_kept_times(measured)])
    return table(["", "keeping one, ns", "making one more, ns", "a collection of all, ms"], rows)


def _memory_and_collections(runs: Runs) -> str:
    """Return the bytes of an object, and the time that the collector takes for all that are kept.

    It has a row for each build and each peer.
    """
    rows = []
    for build in BUILDS:
        memory, kept = (runs.get(build, {}).get(key, {}) for key in ("memory", "kept"))
        for name, measured in memory.items():
            ours = "allocated" in measured
            if name in kept and (ours or runs[build] is _any(runs)):
                title = f"{name}, {build}" if ours else name
                rows.append([title, _bytes(measured)[0], f"{kept[name]['collect']:.1f}"])
    return table(["", "bytes", f"a collection of {KEPT:,}, ms"], rows)


def _django(runs: Runs) -> str:
    builds = [build for build in BUILDS if "django" in runs.get(build, {})]
    header = ["", "`URLField`, µs"]
    for build in builds:
        header += [f"records, {build}", "wanted", f"`as_text`, {build}"]
    rows = []
    for name, measured in runs[builds[0]]["django"].items():
        cells = [name, f"{measured['URLField']:.1f}"]
        for build in builds:
            times = runs[build]["django"].get(name, {})
            wanted = WANTED.get(name, {}).get(build)
            cells.append(_verdict(_to_urlfield(times, "records"), wanted))
            cells.append(_NONE if wanted is None else f"≤ {wanted}")
            cells.append(_verdict(_to_urlfield(times, "as_text"), WANTED_AS_TEXT))
        rows.append(cells)
    return table(header, rows)


def _django_in_brief(runs: Runs) -> str:
    """Return the ratios of records in each build, and of text in the first, without the goals."""
    builds = [build for build in BUILDS if "django" in runs.get(build, {})]
    measured = {build: runs[build]["django"] for build in builds}
    header = ["", "`URLField`, µs", *(f"records, {build}" for build in builds)]
    rows = [
        [
            name,
            f"{times['URLField']:.1f}",
            *(_ratio(_to_urlfield(measured[build].get(name, {}), "records")) for build in builds),
            _ratio(_to_urlfield(times, "as_text")),
        ]
        for name, times in measured[builds[0]].items()
        if name not in _OF_DJANGO_LEFT_OUT
    ]
    return table([*header, f"`as_text`, {builds[0]}"], rows)


def _to_urlfield(times: Mapping[str, float], field: str) -> float | None:
    return times[field] / times["URLField"] if times else None


def _kept_times(measured: Mapping[str, float]) -> list[str]:
    return [f"{measured['keep']:,.0f}", f"{measured['drop']:,.0f}", f"{measured['collect']:.1f}"]


def _bytes(measured: Mapping[str, Any]) -> list[str]:
    values = (measured.get(key) for key in ("resident", "allocated", "with_texts"))
    return [_NONE if value is None else f"{value:.0f}" for value in values]


def _growth(runs: Runs) -> str:
    builds = [build for build in BUILDS if "growth" in runs.get(build, {})]
    header = ["repeated"]
    shapes: dict[str, list[str]] = {}
    for build in builds:
        header += [f"{build}, ns: canonicalize", "check", "grows at most"]
        by_shape: dict[str, list[Mapping[str, Any]]] = {}
        for measured in runs[build]["growth"]:
            by_shape.setdefault(measured["shape"], []).append(measured)
        for shape, functions in by_shape.items():
            times = {one["function"]: one["ns_per_byte"] for one in functions}
            shapes.setdefault(shape, [shape]).extend(
                [_last(times["canonicalize"]), _last(times["check"]), _grows(functions)]
            )
    return table(header, shapes.values())


def _last(times: Sequence[float]) -> str:
    """Return the time per byte of the largest text, and its size if that is not the largest."""
    reached = "" if len(times) == len(SIZES) else f" at {SIZES[len(times) - 1] >> 10} KiB"
    return f"{times[-1]:.1f}{reached}"


def _grows(functions: Sequence[Mapping[str, Any]]) -> str:
    worst = max(functions, key=lambda one: float(one["grows"]))
    return (
        f"{worst['grows']:.2f}"
        if worst["flat"]
        else f"**{worst['grows']:.2f}** {worst['function']}"
    )
