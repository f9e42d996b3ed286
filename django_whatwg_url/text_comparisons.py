"""Warns where code compares a URL with text, which was right while the field was a `URLField`.

The app turns the warning on in development and in tests. In production nothing is installed. It
uses `weburl.URLRecord.watch_text_comparisons`.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import django
from django.conf import settings
from django.template.base import Node

from weburl import URLRecord

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["URLComparedWithTextWarning", "warn_of_text_comparisons"]

_MESSAGE: Final = (
    "A URLRecord is compared with text, so the result is always False. Compare the text with "
    "str(url), or the URL with weburl.parse(text). In a template, write url|url_text."
)
# With a separator at the end, so that no other directory begins with the same text.
_LIBRARIES: Final = tuple(
    f"{directory}{os.sep}"
    for directory in {
        *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")),
        *(*django.__path__, str(Path(__file__).parent)),
    }
)
_registry_of_templates: dict[Any, Any] = {}


class URLComparedWithTextWarning(UserWarning):
    """Code compares a `URLRecord` with a `str` that is not empty. They are never equal.

    Python shows it once for each line of code. A test suite can make it an error, with the filter
    ``error::django_whatwg_url.text_comparisons.URLComparedWithTextWarning``.
    """


def warn_of_text_comparisons(enabled: bool = True) -> None:
    """Turn the warning on or off for this process.

    The app turns it on if `settings.DEBUG` is true when it loads, under ``manage.py test`` and
    under pytest.
    """
    URLRecord.watch_text_comparisons(_warn if enabled else None)


def in_development() -> bool:
    """Return whether the app turns the warning on."""
    return settings.DEBUG or "pytest" in sys.modules or sys.argv[1:2] == ["test"]


def _warn(record: URLRecord, text: str) -> None:  # noqa: ARG001  # they may hold a password
    # Django compares every value with "" to find out whether it is empty.
    if text == "":
        return
    frame: FrameType | None
    frame = innermost = sys._getframe(2)  # noqa: SLF001  # `warnings` has no other way either
    while frame is not None:
        node = frame.f_locals.get("self") if frame.f_code.co_name == "render_annotated" else None
        if isinstance(node, Node) and node.token is not None and node.token.lineno is not None:
            place = str(node.origin), node.token.lineno
            _show(*place, _registry_of_templates.setdefault(place, {}))
            return
        if not frame.f_code.co_filename.startswith(_LIBRARIES):
            break
        frame = frame.f_back
    frame = frame or innermost
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    _show(frame.f_code.co_filename, frame.f_lineno, registry)


def _show(filename: str, line: int, registry: dict[Any, Any]) -> None:
    warnings.warn_explicit(_MESSAGE, URLComparedWithTextWarning, filename, line, registry=registry)
