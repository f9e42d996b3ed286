"""Says in which template a URL is compared with text, for the warning of `weburl`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import django
from django.template.base import Node

from weburl.integrations.building_blocks import CodePlace, use_code_places

if TYPE_CHECKING:
    from types import FrameType

_registry_of_templates: Final[dict[Any, Any]] = {}


def name_templates() -> None:
    """Let the warning name the line of a template, and no line of Django."""
    use_code_places(_place_in_template, *django.__path__, str(Path(__file__).parent))


def _place_in_template(frame: FrameType) -> CodePlace | None:
    node = frame.f_locals.get("self") if frame.f_code.co_name == "render_annotated" else None
    if not isinstance(node, Node) or node.token is None or node.token.lineno is None:
        return None
    place = filename, line = str(node.origin), node.token.lineno
    return CodePlace(filename, line, _registry_of_templates.setdefault(place, {}))
