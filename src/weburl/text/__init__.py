"""Links in plain text, by UTS #58: where they begin and end, and how to write a URL in text.

`find_links` and `split` find links. `format_link` writes a URL so that it is found again, and
`defang` writes links so that they are not. `misleading_links` reads pages. What is public is in
`__all__`.

The tables of Unicode come from the regex package. Where there is no wheel of it,
``pip install 'weburl[rendering]'`` compiles it.
"""

from weburl.standard.url.record import URLRecord  # noqa: F401  # for annotations
from weburl.text.fangs import defang, refang
from weburl.text.finding import MAX_OPEN_BRACKETS, Link, find_links, find_readings, split
from weburl.text.formatting import format_link
from weburl.text.misleading import (
    MisleadingLink,
    PageLink,  # noqa: F401  # for annotations
    misleading_links,
)

__all__ = [
    "MAX_OPEN_BRACKETS",
    "Link",
    "MisleadingLink",
    "defang",
    "find_links",
    "find_readings",
    "format_link",
    "misleading_links",
    "refang",
    "split",
]
