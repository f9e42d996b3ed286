"""`make screenshots`: pictures of the demo and the admin for README and documents.

They go to the folder that WEBURL_PICTURES names, which must be there; without it nothing is drawn.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final, Literal, TypeAlias

import pytest
from django.contrib.auth.models import User
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser.conftest import log_in
from tests.browser.shown import ADMIN, BOOKMARKS, fill, viewer_pages

FOLDER: Final = os.environ.get("WEBURL_PICTURES")

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not FOLDER, reason="`make screenshots` draws pictures"),
]

Colours: TypeAlias = Literal["light", "dark"]
WIDTHS: Final = {"desktop": (1280, 760), "phone": (390, 780)}
NAMES: Final = {"viewer-example": "viewer", "bookmarks-added": "bookmarks"}
SHOWN: Final = ("viewer-example", "bookmarks-added", "admin", "admin-url")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_is_drawn(
    browser: Browser, site: str, name: str, colours: Colours, width: str
) -> None:
    """Each at both widths, in light and dark."""
    pages: dict[str, Callable[[Page, str], None]] = {**BOOKMARKS, **ADMIN, **viewer_pages()}
    if name not in pages:
        pytest.skip("the demo has no viewer")
    fill()
    x, y = WIDTHS[width]
    context = browser.new_context(
        color_scheme=colours, viewport={"width": x, "height": y}, reduced_motion="reduce"
    )
    page = context.new_page()
    if name.startswith("admin"):
        User.objects.create_superuser("admin", password="secret")
        log_in(page, f"{site}/admin/")
        page.locator("#logout-form").wait_for(state="attached")
    pages[name](page, site)
    page.wait_for_load_state("networkidle")
    assert FOLDER is not None
    path = Path(FOLDER) / f"{NAMES.get(name, name)}-{width}-{colours}.png"
    path.parent.mkdir(exist_ok=True)
    drawn = page.screenshot(caret="hide", animations="disabled")
    # 256 colours are plenty for pages of text, and a third of the size.
    Image.open(BytesIO(drawn)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
        path, optimize=True
    )
    context.close()
    assert path.stat().st_size > 2000
