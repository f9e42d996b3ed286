"""Fails if an address in ``[project.urls]`` of src/pyproject.toml has not been filled in.

The addresses are of the site and of the repository. Until a person fills them in, their hosts are
in ".invalid", which no one can register.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

ROOT: Final = Path(__file__).resolve().parent.parent

# Each with the address that it must be under, if any.
WANTED: Final = {
    "Documentation": None,
    "Source": None,
    "Issues": "Source",
    "Changelog": "Documentation",
}


def complaints(urls: dict[str, str]) -> list[str]:
    """Return what is wrong with the addresses, one sentence for each problem."""
    found = [f"[project.urls] has no {name}" for name in WANTED if name not in urls]
    for name, url in urls.items():
        parts = urlsplit(url)
        if parts.scheme != "https" or not parts.hostname:
            found.append(f"{name} is {url!r}, which is not an https URL")
        elif parts.hostname.rpartition(".")[2] == "invalid":
            found.append(f"{name} is {url!r}: fill it in")
        above = urls.get(WANTED.get(name) or name, url)
        if not f"{url}/".startswith(f"{above.rstrip('/')}/"):
            found.append(f"{name} is {url!r}, which is not under {above!r}")
    return found


def main() -> int:
    """Print what is wrong, or the addresses, and return the exit status."""
    project = tomllib.loads((ROOT / "src" / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    urls: dict[str, str] = project.get("urls", {})
    found = complaints(urls)
    for complaint in found:
        print(complaint, file=sys.stderr)
    if not found:
        print(", ".join(urls.values()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
