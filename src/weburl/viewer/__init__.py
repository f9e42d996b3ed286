"""The URL viewer: a page that shows how a URL is read. `python -m weburl view` serves it.

`application` is a WSGI application. `respond` answers one request and is for other servers.
`report` returns what the page shows. May use `readers`, `rendering` and `interface`.
"""

from collections.abc import Callable  # noqa: F401  # for annotations

from weburl.viewer.page import Link
from weburl.viewer.report import Stored, report
from weburl.viewer.responding import Request, Response, respond
from weburl.viewer.server import application

__all__ = ["Link", "Request", "Response", "Stored", "application", "report", "respond"]
