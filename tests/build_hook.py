"""`hatch_build` of both distributions, loaded from its file.

`src` is not on the path, because the tests also run on an installed `weburl`.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Final

FILE: Final = Path(__file__).resolve().parents[1] / "src" / "hatch_build.py"

if TYPE_CHECKING:
    import hatch_build
else:
    _spec = importlib.util.spec_from_file_location("hatch_build", FILE)
    hatch_build = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(hatch_build)

__all__ = ["hatch_build"]
