"""HTML's terms for fetching a URL: requests that may cross origins, and what comes back.

Values and pure functions; nothing is fetched.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Literal, Self

import attrs

from weburl.html.attributes import is_keyword
from weburl.html.documents import record_of
from weburl.html.terminology import require
from weburl.records.record import URLRecord


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
        """Return the state of an attribute with that value, or of none for None.

        Whatever is not ``use-credentials``, in any case, stands for Anonymous, "" too. Raises
        TypeError for what is neither text nor None.

        Spec: https://html.spec.whatwg.org/#cors-settings-attribute
        """
        if not isinstance(value, str | None):
            raise TypeError(f"an attribute's value is text or None, not {type(value).__name__}")
        if value is None:
            return cls.NO_CORS
        return cls.USE_CREDENTIALS if is_keyword(value, "use-credentials") else cls.ANONYMOUS


@attrs.frozen
class Request:
    """A request, as far as HTML's elements decide on it.

    ``url``: text or a record. ``destination``: what it is for, as in "image" or "script".

    Spec: https://fetch.spec.whatwg.org/#concept-request
    """

    __module__ = "weburl.html"

    url: URLRecord = attrs.field(converter=record_of)
    destination: str
    mode: Literal["cors", "no-cors", "same-origin"]
    credentials_mode: Literal["include", "same-origin"]
    use_url_credentials: bool


class ResponseType(StrEnum):
    """What the rules of origins let a page see of a response.

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
    """A response, as far as its type goes.

    ``internal_response``: what a filtered response was made of, else None. Raises ValueError
    for an unknown type.

    Spec: https://fetch.spec.whatwg.org/#concept-response
    """

    __module__ = "weburl.html"

    type: ResponseType = attrs.field(converter=ResponseType)
    internal_response: Response | None = None

    def __attrs_post_init__(self) -> None:
        if self.internal_response is not None:
            require(self.internal_response, Response, "internal_response")


def create_potential_cors_request(
    url: str | URLRecord,
    destination: str,
    cors_attribute_state: CORSAttributeState,
    *,
    same_origin_fallback: bool = False,
) -> Request:
    """Return the request that an element with such a ``crossorigin`` attribute makes.

    ``same_origin_fallback`` says that without the attribute it stays in its own origin.
    Raises `URLParseError` for text that is no URL, and ValueError for an unknown state.

    Spec: https://html.spec.whatwg.org/#create-a-potential-cors-request
    """
    # What is no state would pass for the one that sends credentials anywhere.
    cors_attribute_state = CORSAttributeState(cors_attribute_state)
    mode: Literal["cors", "no-cors", "same-origin"] = "cors"
    if cors_attribute_state is CORSAttributeState.NO_CORS:
        mode = "same-origin" if same_origin_fallback else "no-cors"
    anonymous = cors_attribute_state is CORSAttributeState.ANONYMOUS
    return Request(
        url, destination, mode, "same-origin" if anonymous else "include", use_url_credentials=True
    )


def is_cors_same_origin(response: Response) -> bool:
    """Return whether a page may look into ``response``.

    Spec: https://html.spec.whatwg.org/#cors-same-origin
    """
    require(response, Response, "what is looked into")
    return response.type in (ResponseType.BASIC, ResponseType.CORS, ResponseType.DEFAULT)


def is_cors_cross_origin(response: Response) -> bool:
    """Return whether ``response`` is one that a page may use and not look into.

    Spec: https://html.spec.whatwg.org/#cors-cross-origin
    """
    require(response, Response, "what is looked into")
    return response.type in (ResponseType.OPAQUE, ResponseType.OPAQUEREDIRECT)


def unsafe_response(response: Response) -> Response:
    """Return what a filtered ``response`` was made of, or else itself.

    Spec: https://html.spec.whatwg.org/#unsafe-response
    """
    require(response, Response, "what is filtered")
    return response.internal_response or response
