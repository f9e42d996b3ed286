"""The mutable URL record that the state machine fills in, with the predicates on it.

Only representation lives here: no parsing, and of serializing no more than `components` needs.
"""

from __future__ import annotations

from typing import Final

from attrs import define, field

from tests.reference.hosts import Host, host_serializer

# Special schemes and their default ports.
SPECIAL_SCHEMES: Final[dict[str, int | None]] = {
    "ftp": 21,
    "file": None,
    "http": 80,
    "https": 443,
    "ws": 80,
    "wss": 443,
}


@define
class ReferenceRecord:
    """A URL record that the state machine fills in and the API's setters change.

    `path` is a list of segments, or a string if it is opaque.

    Spec: #concept-url
    """

    scheme: str = ""
    username: str = ""
    password: str = ""
    host: Host | None = None
    port: int | None = None
    path: list[str] | str = field(factory=list)
    query: str | None = None
    fragment: str | None = None

    @property
    def is_special(self) -> bool:
        """Spec: #is-special"""
        return self.scheme in SPECIAL_SCHEMES

    @property
    def default_port(self) -> int | None:
        """Spec: #default-port"""
        return SPECIAL_SCHEMES.get(self.scheme)

    @property
    def includes_credentials(self) -> bool:
        """Spec: #include-credentials"""
        return self.username != "" or self.password != ""

    @property
    def has_opaque_path(self) -> bool:
        """Spec: #url-opaque-path"""
        return isinstance(self.path, str)

    @property
    def cannot_have_a_username_password_port(self) -> bool:
        """Spec: #cannot-have-a-username-password-port"""
        return self.host is None or self.host == "" or self.scheme == "file"

    @property
    def path_segments(self) -> list[str]:
        """The path itself, which must be a list."""
        assert isinstance(self.path, list)
        return self.path

    def components(
        self,
    ) -> tuple[
        str, str, str, str | None, int | None, tuple[str, ...] | str, str | None, str | None
    ]:
        """The eight components in the standard's order, the host serialized, the path a tuple.

        Made to be compared with another implementation's record.
        """
        return (
            self.scheme,
            self.username,
            self.password,
            None if self.host is None else host_serializer(self.host),
            self.port,
            self.path if isinstance(self.path, str) else tuple(self.path),
            self.query,
            self.fragment,
        )
