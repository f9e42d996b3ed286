"""HTTP clients that connect only where a policy allows it: one module for each client.

`weburl.fetching.httpx`, `httpx2`, `requests`, `urllib3` and `aiohttp` import the client of their
name. Nothing else here imports one. May use `policies` and `readers`.
"""

from weburl.fetching.bounds import FetchBounds
from weburl.fetching.errors import URLFetchError

__all__ = ["FetchBounds", "URLFetchError"]
