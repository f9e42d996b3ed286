"""HTTP clients that connect only where a policy allows it: one module for each client.

`weburl.fetching.httpx`, `httpx2`, `requests`, `urllib3` and `aiohttp` import the client of their
name. Nothing else here imports one. Each takes a `weburl.URLPolicy`, which each URL and each
address must obey, and these options:

- ``redirect_policy``: for redirects, another policy instead, or "same-site" or "same-origin" as the
  first URL besides the policy.
- ``bounds``: how much a fetch may take; None is `FetchBounds`' defaults.
- ``credential_headers``: headers that are not sent to another origin after a redirect, besides
  Authorization, Cookie and Proxy-Authorization.
- ``resolve``: returns the addresses of a name and a port; None uses the system's.

They raise TypeError for an argument of the wrong type, and ValueError for another
``redirect_policy`` and for text in ``credential_headers`` that is not the name of a header. What is
refused raises the `URLFetchError` of the client's module.
"""

from weburl.fetching.bounds import FetchBounds
from weburl.fetching.errors import URLFetchError

__all__ = ["FetchBounds", "URLFetchError"]
