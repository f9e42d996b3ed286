"""The URL viewer: a page that shows how a URL is read. `python -m weburl view` serves it.

`application` is a WSGI application. `respond` answers one request and is for other servers.
`report` returns what the page shows.
"""

from collections.abc import Callable  # noqa: F401  # for annotations

from weburl.viewer.page import SiteLink
from weburl.viewer.report import Stored, report
from weburl.viewer.responding import ViewerRequest, ViewerResponse, respond
from weburl.viewer.server import application

__all__ = [
    "SiteLink",
    "Stored",
    "ViewerRequest",
    "ViewerResponse",
    "application",
    "report",
    "respond",
]
