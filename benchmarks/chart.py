"""What was measured on real links, as a chart: bars of nanoseconds by operation and library.

Text and grid are of a grey that can be read on white and on black.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.contenders import ORACLE
from benchmarks.operations import BUILDS, ROWS, Inputs, Operation
from benchmarks.table import Runs

_GREY: Final = "#7d8590"
_PEER: Final = "#8c9bb5"
_OURS: Final = {"weburl, compiled": "#2f9e44", "weburl, interpreted": "#e8590c"}
_SHOWN: Final = (
    Operation.HREF,
    Operation.PARSE,
    Operation.COMPONENTS,
    Operation.CAN_PARSE,
    Operation.JOIN_HREF,
    Operation.PARAMS,
)


def bars(runs: Runs, operation: Operation) -> list[tuple[str, float]]:
    """Return name and nanoseconds of those who do the operation with links, the slowest first."""
    ours = {row.operation: row.name for row in reversed(ROWS)}[operation]
    rows = {row.name for row in ROWS}
    found: dict[str, float] = {}
    for build in reversed(BUILDS):
        times = runs.get(build, {}).get("times", {}).get(Inputs.LINKS, {}).get(operation, {})
        for name, time in times.items():
            if name == ours:
                found[f"weburl, {build}"] = time["median"]
            elif name not in rows and name != ORACLE.name:
                found.setdefault(name, time["median"])
    return sorted(found.items(), key=lambda bar: -bar[1])


def draw(runs: Runs, path: Path) -> None:
    """Write the chart as SVG, the same file for the same numbers."""
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("svg")
    pyplot: Any = import_module("matplotlib.pyplot")
    style = {
        "svg.fonttype": "none",
        "svg.hashsalt": "weburl",
        "font.family": "sans-serif",
        "font.size": 9,
        **dict.fromkeys(
            ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _GREY
        ),
    }
    with pyplot.rc_context(style):
        figure, grid = pyplot.subplots(3, 2, figsize=(9, 9), layout="constrained")
        for axes, operation in zip(grid.flat, _SHOWN, strict=True):
            _draw_one(axes, operation, bars(runs, operation))
        figure.suptitle("Nanoseconds a link, on a logarithmic scale: shorter is faster")
        figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)


def _draw_one(axes: Any, operation: Operation, shown: list[tuple[str, float]]) -> None:
    names = [name for name, _ in shown]
    values = [value for _, value in shown]
    axes.barh(names, values, color=[_OURS.get(name, _PEER) for name in names])
    axes.set_xscale("log")
    axes.set_xlim(50, max(values, default=100) * 4)
    axes.set_title(operation.value, fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    for index, value in enumerate(values):
        axes.text(value * 1.08, index, f"{value:,.0f}", va="center")
