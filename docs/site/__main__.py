"""Build the site: ``python -m docs.site``.

It prints warnings and where the site is. The exit status is 0 if there was no warning.
DJANGO_SETTINGS_MODULE names settings that install the apps of the integrations, because their
modules cannot be imported without these apps.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import django
from sphinx.cmd.build import build_main

from docs.site import landmarks, pages, reference, searching
from docs.site.playground import engine as engines
from docs.site.playground import policy
from docs.site.playground.engine import Engine

ROOT = Path(__file__).resolve().parents[2]


def build(root: Path, site: Path, engine: Engine | None = None) -> int:
    """Build the site of the checkout ``root`` into the directory ``site``, which is replaced.

    Return the exit status: 0 if there was no warning. The playground runs ``engine``; without it,
    only the browser reads what people type there.
    """
    django.setup()
    shutil.rmtree(site, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary, "source")
        pages.write(root, source, engine)
        reference.write(root, source)
        options = ["-b", "html", "-c", str(Path(__file__).parent), "-d", f"{temporary}/doctrees"]
        options += ["-D", f"html_extra_path={source / pages.AS_THEY_ARE}"]
        scorer = Path(temporary, "scorer.js")
        searching.write_scorer(scorer)
        options += ["-D", f"html_search_scorer={scorer}"]
        options += ["--quiet", "--fail-on-warning", "--keep-going", "--nitpicky"]
        status = build_main([*options, str(source), str(site)])
    for page in site.rglob("*.html"):
        landmarks.complete(page)
    if (playground := site / "playground.html").is_file():
        policy.add(playground, with_python=engine is not None)
    return status


def main() -> int:
    """Build the site of this checkout into `site/`."""
    site = ROOT / "site"
    engine = engines.found()
    if engine is None:
        print("Without npm, the playground is built without Python for the browser.")
    status = build(ROOT, site, engine)
    if status == 0:
        print(f"The site is built: open {site / 'index.html'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
