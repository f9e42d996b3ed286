"""The tables of both builds: ``python -m benchmarks.report compiled.json interpreted.json``.

The files are those of ``pytest --benchmark-json``. The tables are printed, and written into the
pages of `PAGES` if both runs were whole.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks import chart
from benchmarks.bench_django import FIELDS
from benchmarks.bench_kept import KEPT
from benchmarks.bench_urls import ALONE, ROWS
from benchmarks.contenders import PEERS

ROOT: Final = Path(__file__).resolve().parents[1]
BEGIN: Final = "<!-- the table: `make bench` writes it -->"
END: Final = "<!-- the end of the table -->"
BUILDS: Final = ("compiled", "interpreted")
NONE: Final = "–"

IN_BRIEF: Final = {
    "parse and write": ("links", "href", "canonicalize"),
    "parse and read 8 parts": ("links", "components", "parse + 8 components"),
    "join and write": ("references", "join, href", "join, then href"),
    "domains beyond ASCII": ("idn", "href", "canonicalize"),
}
"""The columns of the short table: a list of texts, what the peers do, and what `weburl` does."""

LEFT_OUT: Final = {"`iterator()`", "`full_clean`"}
"""Tasks of Django that are much like another, so that the page leaves them out."""


class Run:
    """What was measured of one build."""

    def __init__(self, path: Path) -> None:
        found = json.loads(path.read_text(encoding="utf-8"))
        self.is_whole = bool(found["run"]["whole"])
        self.links = found["run"]["links"]
        self.python = found["machine_info"]["python_version"]
        self.machine = f"{found['machine_info']['system']} {found['machine_info']['machine']}"
        self.facts = [
            one["extra_info"] | {"name": one["name"].partition("[")[0], "seconds": _each(one)}
            for one in found["benchmarks"]
        ]

    def where(self, name: str, **facts: object) -> list[dict[str, Any]]:
        """Return what a function measured, where it noted these facts."""
        wanted = {"name": name, **facts}
        return [one for one in self.facts if all(one.get(k) == v for k, v in wanted.items())]

    def seconds(self, name: str, **facts: object) -> float | None:
        """Return the median time of one text."""
        return next((one["seconds"] for one in self.where(name, **facts)), None)

    def fastest(self, texts: str, peers: str) -> float | None:
        """Return the time of the fastest peer with a list."""
        ours = {row.name for row in ROWS}
        found = self.where("bench_urls", list=texts, peers=peers)
        return min((one["seconds"] for one in found if one["who"] not in ours), default=None)


def _each(one: dict[str, Any]) -> float:
    return float(one["stats"]["median"]) / float(one["extra_info"].get("each", 1))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, with the first column to the left and numbers to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _nanoseconds(seconds: float | None) -> str:
    return NONE if seconds is None else f"{seconds * 1e9:,.0f}"


def _ratio(ours: float | None, theirs: float | None) -> str:
    return NONE if ours is None or not theirs else f"{ours / theirs:.2f}"


def _failed(run: Run, who: str) -> str:
    found = run.where("bench_conformance", who=who)
    return f"{found[0]['failed']:,} of {found[0]['of']:,}" if found else NONE


def _bytes(run: Run, what: str) -> str:
    found = run.where("bench_kept", what=what)
    return f"{found[0]['bytes']:,}" if found else NONE


def in_brief(runs: dict[str, Run]) -> str:
    """Return the table of `docs/performance.md`."""
    last = runs[next(reversed(runs))]
    rows = [
        [f"weburl, {build}", "Python",
         *(_nanoseconds(run.seconds("bench_urls", list=texts, peers=peers, who=ours))
           for texts, peers, ours in IN_BRIEF.values()),
         _bytes(run, "weburl.parse(s)"), _failed(run, "weburl")]
        for build, run in runs.items()
    ]  # fmt: skip
    rows += [
        [peer.name, peer.written_in,
         *(_nanoseconds(last.seconds("bench_urls", list=texts, peers=peers, who=peer.name))
           for texts, peers, _ in IN_BRIEF.values()),
         _bytes(last, peer.name), _failed(last, peer.name)]
        for peer in PEERS
        if last.where("bench_urls", who=peer.name)
    ]  # fmt: skip
    return table(["", "written in", *IN_BRIEF, "bytes kept", "web-platform-tests failed"], rows)


def in_full(runs: dict[str, Run]) -> str:
    """Return the tables of `benchmarks/README.md`."""
    last = runs[next(reversed(runs))]
    versions = ", ".join(
        f"{peer.name} {peer.version}" for peer in PEERS if last.where("bench_urls", who=peer.name)
    )
    conditions = f"Python {last.python} on {last.machine}, medians. Links: {last.links}."
    parts = [f"{conditions} Peers: {versions}."]
    for build, run in runs.items():
        parts += [f"### Ratios to the fastest other library, {build}", _ratios(run)]
    parts += ["### Nanoseconds of what no other library does", _alone(runs)]
    parts += ["### Bytes that a kept object takes", _kept(runs)]
    parts += ["### Django: ratios to `URLField`", _django(runs)]
    return "\n\n".join(parts)


def _ratios(run: Run) -> str:
    """Return a row for each way to do something, with the ratio on each kind of text."""
    kinds = list(dict.fromkeys(_kind(name) for row in ROWS for name in row.lists))
    rows = []
    for row in ROWS:
        if row.name in ALONE:
            continue
        cells = dict.fromkeys(kinds, NONE)
        for name in row.lists:
            ours = run.seconds("bench_urls", list=name, peers=row.peers, who=row.name)
            cells[_kind(name)] = _ratio(ours, run.fastest(name, row.peers))
        rows.append([row.name, *cells.values()])
    return table(["", *kinds], rows)


def _alone(runs: dict[str, Run]) -> str:
    """Return the times of what has no peer."""
    return table(
        ["", *runs],
        (
            [name, *(_nanoseconds(run.seconds("bench_urls", who=name)) for run in runs.values())]
            for name in ALONE
        ),
    )


def _kind(name: str) -> str:
    """Return the kind of URL that the texts of a list were made of."""
    word = name.removesuffix("references").removesuffix("queries").strip()
    return word or "links"


def _kept(runs: dict[str, Run]) -> str:
    rows = []
    for build, run in runs.items():
        for one in run.where("bench_kept"):
            ours = one["what"].startswith("weburl")
            if ours or run is runs[next(reversed(runs))]:
                name = f"{one['what']}, {build}" if ours else one["what"]
                rows.append(
                    [name, *(f"{one[x]:,}" for x in ("bytes", "read")), f"{one['collect']:.1f}"]
                )
    return table(["", "bytes", "after 8 parts were read", f"a collection of {KEPT:,}, ms"], rows)


def _django(runs: dict[str, Run]) -> str:
    plain, records, as_text = FIELDS
    header = ["", "`URLField`, µs", *(f"records, {build}" for build in runs)]
    header += [f"`as_text`, {next(iter(runs))}"]
    return table(header, _django_rows(runs, plain, records, as_text))


def _django_rows(runs: dict[str, Run], plain: str, *fields: str) -> Iterator[list[str]]:
    records, as_text = fields
    first = next(iter(runs.values()))
    for one in first.where("bench_django", field=plain):
        task = one["task"]
        if task in LEFT_OUT:
            continue
        row = [task, f"{one['seconds'] * 1e6:.1f}"]
        for run, field in (*((run, records) for run in runs.values()), (first, as_text)):
            ours, theirs = (run.seconds("bench_django", task=task, field=f) for f in (field, plain))
            row.append(_ratio(ours, theirs))
        yield row


PAGES: Final = {"benchmarks/README.md": in_full, "docs/performance.md": in_brief}


def main(*paths: str) -> None:
    """Print the tables, and write them if the runs were whole."""
    runs = dict(sorted((Path(path).stem, Run(Path(path))) for path in paths))
    print(in_brief(runs), in_full(runs), sep="\n\n")
    if not all(run.is_whole for run in runs.values()) or set(runs) != set(BUILDS):
        print("\nThe pages are not changed: they need whole runs of both builds.")
        return
    for name, made in PAGES.items():
        page = ROOT / name
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        page.write_text(f"{before}{BEGIN}\n\n{made(runs)}\n\n{END}{after}", encoding="utf-8")
    chart.main()


if __name__ == "__main__":
    main(*sys.argv[1:])
