"""URLs in JSON: the encoder for whatever takes one, and the serializer of sessions and signatures.

Both write text for a URL, a host, an origin or a site, since JSON has no type for them; who reads
it back, reads text.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.core.signing import JSONSerializer

from weburl import (
    URL,
    Domain,
    EmptyHost,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    OpaqueOrigin,
    SchemeAndHost,
    TupleOrigin,
    URLRecord,
    URLSearchParams,
)

__all__ = ["URLJSONEncoder", "URLJSONSerializer"]

_WRITTEN_AS_TEXT: Final = (
    URLRecord,
    URL,
    URLSearchParams,
    Domain,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    EmptyHost,
    TupleOrigin,
    OpaqueOrigin,
    SchemeAndHost,
)


class URLJSONEncoder(DjangoJSONEncoder):
    """Django's encoder, and URLs, hosts, origins and sites as the text that ``str()`` gives.

    For `JSONField`, `JsonResponse`, `json_script`, the test client and `json.dumps()`. A password
    in a URL is written like the rest of it.
    """

    def default(self, o: Any) -> Any:
        return str(o) if isinstance(o, _WRITTEN_AS_TEXT) else super().default(o)


class URLJSONSerializer(JSONSerializer):
    """Django's serializer of sessions and signatures, with `URLJSONEncoder` for what it writes.

    ``SESSION_SERIALIZER = "django_whatwg_url.encoders.URLJSONSerializer"``, and
    ``signing.dumps(…, serializer=URLJSONSerializer)``. What it reads is what Django's reads.
    """

    def dumps(self, obj: Any) -> bytes:
        text = json.dumps(obj, separators=(",", ":"), cls=URLJSONEncoder)
        return text.encode("latin-1")
