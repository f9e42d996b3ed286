"""The `URL` class of the standard's API section, without its query object.

Getters and setters only; each setter runs the basic URL parser just as the standard says and
ignores what comes back, for a failed setter may have changed a part of the record.
"""

from __future__ import annotations

from tests.reference.hosts import host_serializer
from tests.reference.machine import State, basic_url_parse
from tests.reference.outcomes import FAILURE, Failure
from tests.reference.records import ReferenceRecord
from tests.reference.serializing import (
    origin,
    origin_serializer,
    url_path_serializer,
    url_serializer,
)
from tests.reference.terms import (
    USERINFO_PERCENT_ENCODE_SET,
    to_scalar_value_string,
    utf8_percent_encode,
)


def api_url_parser(url: str, base: str | None = None) -> ReferenceRecord | Failure:
    """Parse a URL against a base that is a string too, or fail.

    Spec: #api-url-parser
    """
    parsed_base: ReferenceRecord | None = None  # 1
    if base is not None:  # 2
        result = basic_url_parse(base)  # 2.1
        if result is FAILURE:  # 2.2
            return FAILURE
        parsed_base = result
    return basic_url_parse(url, parsed_base)  # 3


class ReferenceURL:
    """A mutable URL; its record is at `record`.

    The constructor and the setter of `href` raise ValueError on failure; the other setters
    ignore what the standard ignores.

    Spec: #url-class
    """

    def __init__(self, href: str, base: str | None = None) -> None:
        parsed_url = api_url_parser(href, base)  # 1
        if parsed_url is FAILURE:  # 2
            raise ValueError(href)
        self.record = parsed_url  # 3

    def _basic_url_parse(self, input: str, state_override: State) -> None:
        basic_url_parse(input, url=self.record, state_override=state_override)

    @property
    def href(self) -> str:
        """Spec: #dom-url-href"""
        return url_serializer(self.record)

    @href.setter
    def href(self, value: str) -> None:
        parsed_url = basic_url_parse(value)  # 1
        if parsed_url is FAILURE:  # 2
            raise ValueError(value)
        self.record = parsed_url  # 3

    @property
    def origin(self) -> str:
        """Spec: #dom-url-origin"""
        return origin_serializer(origin(self.record))

    @property
    def protocol(self) -> str:
        """Spec: #dom-url-protocol"""
        return f"{self.record.scheme}:"

    @protocol.setter
    def protocol(self, value: str) -> None:
        self._basic_url_parse(f"{value}:", State.SCHEME_START)

    @property
    def username(self) -> str:
        """Spec: #dom-url-username"""
        return self.record.username

    @username.setter
    def username(self, value: str) -> None:
        if self.record.cannot_have_a_username_password_port:  # 1
            return
        self.record.username = utf8_percent_encode(  # 2
            to_scalar_value_string(value), USERINFO_PERCENT_ENCODE_SET
        )

    @property
    def password(self) -> str:
        """Spec: #dom-url-password"""
        return self.record.password

    @password.setter
    def password(self, value: str) -> None:
        if self.record.cannot_have_a_username_password_port:  # 1
            return
        self.record.password = utf8_percent_encode(  # 2
            to_scalar_value_string(value), USERINFO_PERCENT_ENCODE_SET
        )

    @property
    def host(self) -> str:
        """Spec: #dom-url-host"""
        url = self.record  # 1
        if url.host is None:  # 2
            return ""
        if url.port is None:  # 3
            return host_serializer(url.host)
        return f"{host_serializer(url.host)}:{url.port}"  # 4

    @host.setter
    def host(self, value: str) -> None:
        if self.record.has_opaque_path:  # 1
            return
        self._basic_url_parse(value, State.HOST)  # 2

    @property
    def hostname(self) -> str:
        """Spec: #dom-url-hostname"""
        if self.record.host is None:  # 1
            return ""
        return host_serializer(self.record.host)  # 2

    @hostname.setter
    def hostname(self, value: str) -> None:
        if self.record.has_opaque_path:  # 1
            return
        self._basic_url_parse(value, State.HOSTNAME)  # 2

    @property
    def port(self) -> str:
        """Spec: #dom-url-port"""
        if self.record.port is None:  # 1
            return ""
        return str(self.record.port)  # 2

    @port.setter
    def port(self, value: str) -> None:
        if self.record.cannot_have_a_username_password_port:  # 1
            return
        if value == "":  # 2
            self.record.port = None
        else:  # 3
            self._basic_url_parse(value, State.PORT)

    @property
    def pathname(self) -> str:
        """Spec: #dom-url-pathname"""
        return url_path_serializer(self.record)

    @pathname.setter
    def pathname(self, value: str) -> None:
        if self.record.has_opaque_path:  # 1
            return
        self.record.path = []  # 2
        self._basic_url_parse(value, State.PATH_START)  # 3

    @property
    def search(self) -> str:
        """Spec: #dom-url-search"""
        if self.record.query is None or self.record.query == "":  # 1
            return ""
        return f"?{self.record.query}"  # 2

    @search.setter
    def search(self, value: str) -> None:
        url = self.record  # 1
        if value == "":  # 2
            url.query = None
            return
        input = value.removeprefix("?")  # 3
        url.query = ""  # 4
        self._basic_url_parse(input, State.QUERY)  # 5

    @property
    def hash(self) -> str:
        """Spec: #dom-url-hash"""
        if self.record.fragment is None or self.record.fragment == "":  # 1
            return ""
        return f"#{self.record.fragment}"  # 2

    @hash.setter
    def hash(self, value: str) -> None:
        if value == "":  # 1
            self.record.fragment = None
            return
        input = value.removeprefix("#")  # 2
        self.record.fragment = ""  # 3
        self._basic_url_parse(input, State.FRAGMENT)  # 4
