"""The metadata that `hatch_build.py` writes."""

from __future__ import annotations

from pathlib import Path

import check_wheel
from tests.build_hook import hatch_build

ROOT = Path(__file__).resolve().parents[2]


def test_links_of_the_readme_are_absolute() -> None:
    """On PyPI, there are no files beside it."""
    text = '[a](docs/a.md#b) [c](https://d/) [e](#f) ![](docs/g.svg)\n<img src="docs/h.png">'
    assert hatch_build.with_absolute_links(text, "https://c/r", "v1") == (
        "[a](https://c/r/blob/v1/docs/a.md#b) [c](https://d/) [e](#f) "
        '![](https://c/r/blob/v1/docs/g.svg)\n<img src="https://c/r/raw/v1/docs/h.png">'
    )
    for directory, least in (("", 8), ("src", 5)):
        readme = (ROOT / directory / "README.md").read_text(encoding="utf-8")
        written = hatch_build.with_absolute_links(readme, "https://c/r", "v1", directory)
        assert len(check_wheel.RELATIVE.findall(readme)) >= least
        assert check_wheel.RELATIVE.findall(written) == []
        assert "v1/.." not in written
        assert "https://c/r/blob/v1/docs/quickstart.md" in written
