"""What five type checkers show for a field, with django-stubs and without: see docs/support.md.

`make test-type-checkers` makes the environment in which they look for packages.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

BIN: Final = Path(os.environ.get("WEBURL_TYPE_CHECKERS", "absent"))
HAS_STUBS: Final = any(BIN.parent.glob("lib/*/site-packages/django-stubs"))

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not BIN.is_dir(), reason="needs the type checkers: make test-type-checkers"),
]

PAGE: Final = """
from typing import reveal_type

from django.db import models

from django_whatwg_url.fields import CanonicalURLField


class Link(models.Model):
    url = CanonicalURLField()


def show(link: Link) -> None:
    reveal_type(link.url.hostname)
"""

ERROR: Final = 'Cannot access attribute "hostname" for class "CanonicalURLField"'
# The arguments, and what each shows with django-stubs and without. pyrefly brings stubs of its own.
CHECKERS: Final = {
    "mypy": ((), 'Revealed type is "str"', 'Revealed type is "Any"'),
    "pyright": ((), '"link.url.hostname" is "str"', ERROR),
    "basedpyright": ((), '"link.url.hostname" is "str"', ERROR),
    "pyrefly": (("check",), "revealed type: str", "revealed type: str"),
    "ty": (("check",), "`str`", "`Unknown`"),
}


@pytest.mark.parametrize("name", CHECKERS)
def test_a_part_of_a_field_has_the_type_that_the_page_of_support_says(
    name: str, tmp_path: Path
) -> None:
    """The user has no configuration, only the packages."""
    arguments, with_stubs, without = CHECKERS[name]
    (tmp_path / "page.py").write_text(PAGE, encoding="utf-8")
    done = subprocess.run(
        [BIN.absolute() / name, *arguments, "page.py"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{BIN.absolute()}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    shown = done.stdout + done.stderr
    assert (with_stubs if HAS_STUBS else without) in shown, shown
