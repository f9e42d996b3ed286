"""HTML's terms for fetching a URL: requests to other origins, and their responses.

Values and pure functions. Nothing is fetched.
"""

from __future__ import annotations

from enum import Enum
from typing import Literal, Self

import attrs

from weburl.html.attributes import is_keyword
from weburl.html.terminology import require
from weburl.standard.infra.errors import Names
from weburl.standard.url.api import record_of
from weburl.standard.url.record import AnyURL, URLRecord


class CORSAttributeState(Enum):
    """The states of a ``crossorigin`` attribute.

    Spec: https://html.spec.whatwg.org/#cors-settings-attribute
    """

    __module__ = "weburl.html"

    NO_CORS = "No CORS"
    ANONYMOUS = "Anonymous"
    USE_CREDENTIALS = "Use Credentials"

    @classmethod
    def of_attribute(cls, value: str | None) -> Self:
        """Return the state of a ``crossorigin`` attribute with this value; None means no attribute.

        Every value except ``use-credentials`` (in any case) means Anonymous, even "". Raises
        TypeError if the value is neither text nor None.

        Spec: https://html.spec.whatwg.org/#cors-settings-attribute
        """
        if not isinstance(value, str | None):
            raise TypeError(f"the value must be text or None, not {type(value).__name__}")
        if value is None:
            return cls.NO_CORS
        return cls.USE_CREDENTIALS if is_keyword(value, "use-credentials") else cls.ANONYMOUS


@attrs.frozen
class Request:
    """A request, with the properties that HTML's elements set.

    ``url``: text or a record. ``destination``: what the response is for, such as "image" or
    "script". ``mode``, ``credentials_mode``: the words of the Fetch Standard.
    ``use_url_credentials``: whether a username and a password in the URL are sent.

    Spec: https://fetch.spec.whatwg.org/#concept-request
    """

    __module__ = "weburl.html"

    url: URLRecord = attrs.field(converter=record_of)
    destination: str
    mode: Literal["cors", "no-cors", "same-origin"]
    credentials_mode: Literal["include", "same-origin"]
    use_url_credentials: bool


class ResponseType(Names):
    """The type of a response, which decides how much of it a page may see.

    Spec: https://fetch.spec.whatwg.org/#concept-response-type
    """

    __module__ = "weburl.html"

    BASIC = "basic"
    CORS = "cors"
    DEFAULT = "default"
    ERROR = "error"
    OPAQUE = "opaque"
    OPAQUEREDIRECT = "opaqueredirect"


@attrs.frozen
class Response:
    """A response and its type.

    ``internal_response``: the response inside a filtered response, otherwise None. Raises
    ValueError for an unknown type.

    Spec: https://fetch.spec.whatwg.org/#concept-response
    """

    __module__ = "weburl.html"

    type: ResponseType = attrs.field(converter=ResponseType)
    internal_response: Response | None = None

    def __attrs_post_init__(self) -> None:
        if self.internal_response is not None:
            require(self.internal_response, Response, "internal_response")


def create_potential_cors_request(
    url: AnyURL,
    destination: str,
    cors_attribute_state: CORSAttributeState,
    *,
    same_origin_fallback: bool = False,
) -> Request:
    """Return the request that an element with this ``crossorigin`` attribute makes.

    Args:
        url: The URL to request, as text or a record.
        destination: What the response is for, such as "image" or "script".
        cors_attribute_state: The state of the attribute (`CORSAttributeState.of_attribute`).
        same_origin_fallback: Whether a request without the attribute stays in its own origin.

    Raises:
        URLParseError: The URL does not parse.
        ValueError: The state is unknown.

    Spec: https://html.spec.whatwg.org/#create-a-potential-cors-request
    """
    # Otherwise an unknown state would mean "Use Credentials", which sends them to any origin.
    cors_attribute_state = CORSAttributeState(cors_attribute_state)
    mode: Literal["cors", "no-cors", "same-origin"] = "cors"
    if cors_attribute_state is CORSAttributeState.NO_CORS:
        mode = "same-origin" if same_origin_fallback else "no-cors"
    anonymous = cors_attribute_state is CORSAttributeState.ANONYMOUS
    return Request(
        url, destination, mode, "same-origin" if anonymous else "include", use_url_credentials=True
    )


def is_cors_same_origin(response: Response) -> bool:
    """Return whether a page may read ``response``.

    Spec: https://html.spec.whatwg.org/#cors-same-origin
    """
    require(response, Response, "response")
    return response.type in (ResponseType.BASIC, ResponseType.CORS, ResponseType.DEFAULT)


def is_cors_cross_origin(response: Response) -> bool:
    """Return whether a page may use ``response`` but not read it.

    Spec: https://html.spec.whatwg.org/#cors-cross-origin
    """
    require(response, Response, "response")
    return response.type in (ResponseType.OPAQUE, ResponseType.OPAQUEREDIRECT)


def unsafe_response(response: Response) -> Response:
    """Return the response inside a filtered ``response``, or ``response`` if it is not filtered.

    Spec: https://html.spec.whatwg.org/#unsafe-response
    """
    require(response, Response, "response")
    return response.internal_response or response
