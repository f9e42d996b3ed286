"""File URLs and the paths they name, on POSIX and on Windows.

The functions convert text, and never read the file system. They raise an error if the result could
be another file, a device, or something that is not a file.
"""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final, Literal, TypeAlias

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Domain, EmptyHost, Host, IPv4Address, refuse_unless
from weburl.standard.infra.code_points import PATH_PERCENT_ENCODE_SET
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.percent_encoding import percent_decode
from weburl.standard.infra.strings import ascii_lowercase
from weburl.standard.url.api import record_of
from weburl.standard.url.path import is_normalized_windows_drive_letter
from weburl.standard.url.record import AnyURL, URLRecord

UndecodableBytes: TypeAlias = Literal["strict", "surrogateescape"]
"""What to do with bytes that are not UTF-8: raise an error, or decode as `os.fsdecode` does."""

# Added are "%", which would be decoded later, "\", which separates segments of a file URL, and "|",
# which makes a drive letter of the first segment.
_FILE_NAME_PERCENT_ENCODE_SET: Final = PATH_PERCENT_ENCODE_SET.plus("%\\|")
_ENCODED: Final = _FILE_NAME_PERCENT_ENCODE_SET.encoded

_DRIVE: Final = re.compile(r"[A-Za-z]:\\")
_NOT_IN_A_WINDOWS_NAME: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*]')
_PORTS: Final = "0123456789\u00b9\u00b2\u00b3"
_WINDOWS_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{device}{port}" for device in ("com", "lpt") for port in _PORTS}
)
# These names of a server do not contain files.
_NO_SHARES: Final = frozenset({"pipe", "mailslot", "ipc$"})


def file_url_from_path(
    path: str | os.PathLike[str],
    *,
    windows: bool | None = None,
    errors: UndecodableBytes = "strict",
) -> URLRecord:
    r"""Return the file URL of ``path``: "/a b" becomes ``file:///a%20b``.

    On Windows ``C:\a`` becomes ``file:///C:/a``, and ``\\server\share\a`` becomes
    ``file://server/share/a``. Every character of a name is kept: "?", "#" and "%" are
    percent-encoded.

    Args:
        path: an absolute path. A `PureWindowsPath` is read as a Windows path, and a
            `PurePosixPath` as a POSIX path.
        windows: whether a ``path`` of another type is a Windows path. If this is None, the system
            that Python runs on decides.
        errors: "surrogateescape" accepts a POSIX path as `os.listdir` returns it for a name that
            is not UTF-8. "strict" refuses it.

    Raises:
        ValueError: the path is relative, or contains NUL, a lone surrogate, or "..", which may lead
            elsewhere when links are followed. On Windows also for a name that means another name
            (a dot or a space at its end), a device (``NUL``, ``COM1.txt``), an alternate stream,
            any other name that Windows does not allow, a path that starts with ``\\?\`` or
            ``\\.\``, and a server that a URL cannot have unchanged (such as ``localhost``). The
            message explains why.
        TypeError: the value is not a path, or is a path of bytes.
    """
    is_windows = _is_windows(path, windows)
    _check_errors(errors)
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError("a path must be text, not bytes; os.fsdecode converts it")
    host: Host = EmptyHost()
    if is_windows:
        host, first, names = _split_windows_path(text)
    else:
        refuse_unless(text.startswith("/"), f"the path {quoted(text)} is not absolute")
        first, names = [], text.split("/")
    if ".." in names:
        raise ValueError(f"the path {quoted(text)} contains '..'")
    if names[-1:] == ["."]:
        names[-1] = ""
    names = _without_empty([name for name in names if name != "."])
    if is_windows:
        _check_windows_names(names)
    segments = [_encode(name, is_windows, errors) for name in (*first, *names)]
    return URLRecord("file", host=host, path=tuple(segments))


def path_from_file_url(
    url: AnyURL,
    *,
    windows: bool | None = None,
    errors: UndecodableBytes = "strict",
) -> str:
    r"""Return the path that the file URL names: ``file:///a%20b`` becomes "/a b".

    On Windows ``file:///C:/a`` becomes ``C:\a``, and ``file://server/share/a`` becomes
    ``\\server\share\a``. Opening that path contacts the server, so check ``url.host`` first.

    The path is absolute, and has no "..", query or fragment. It is text, and keeps a separator at
    its end, which `pathlib.Path` would drop. Two different URLs may have the same path.

    Args:
        windows: whether to return a Windows path. If this is None, the system that Python runs on
            decides.
        errors: "surrogateescape" decodes bytes that are not UTF-8 as `os.fsdecode` does, on POSIX.
            "strict" refuses them.

    Raises:
        ValueError: the URL is not a file URL, it has another host (on POSIX), or a name contains a
            percent-encoded separator or NUL ("%2F"; on Windows "%5C" too) or bytes that are not
            UTF-8. On Windows also if the URL has no drive (or no share, if it has a host), and for
            all names that `file_url_from_path` refuses. The message explains why.
        URLParseError: the text does not parse. This is a ValueError too.
        TypeError: the value is not a URL.
    """
    record = record_of(url)
    _check_errors(errors)
    scheme, host = record.scheme, record.host
    refuse_unless(scheme == "file", f"a URL with the scheme {quoted(scheme)} is not a file URL")
    is_windows = os.name == "nt" if windows is None else windows
    # No segment decodes to "." or "..", because the parser resolves "%2E" like a dot.
    names = [_decode(segment, is_windows, errors) for segment in record.path]
    if not is_windows:
        refuse_unless(
            isinstance(host, EmptyHost), f"the file is on another host: {quoted(str(host))}"
        )
        return "/" + "/".join(_without_empty(names))
    first, names = names[0], _without_empty(names[1:])
    if isinstance(host, EmptyHost):
        if not is_normalized_windows_drive_letter(first):
            raise ValueError(f"the path begins with {quoted(first)}, which is not a drive letter")
        _check_windows_names(names)
        return "\\".join([first, *(names or [""])])
    _check_server(host)
    _check_share(first)
    _check_windows_names(names)
    return "\\\\" + "\\".join([str(host), first, *names])


def _check_errors(errors: str) -> None:
    """Refuse other error handlers, which would change the names that cannot be decoded."""
    refuse_unless(
        errors in ("strict", "surrogateescape"), "errors must be 'strict' or 'surrogateescape'"
    )


def _without_empty(names: list[str]) -> list[str]:
    """Return ``names`` without empty names, except for the last one, which may be empty."""
    return [*filter(None, names[:-1]), *names[-1:]]


def _is_windows(path: object, windows: bool | None) -> bool:
    """Return whether ``path`` is a Windows path."""
    if not isinstance(path, PurePosixPath | PureWindowsPath):
        return os.name == "nt" if windows is None else windows
    is_windows = isinstance(path, PureWindowsPath)
    refuse_unless(
        windows in (None, is_windows),
        f"a {type(path).__name__} is {'not a' if is_windows else 'a'} POSIX path",
    )
    return is_windows


def _encode(name: str, is_windows: bool, errors: UndecodableBytes) -> str:
    """Return the path segment of the file ``name``."""
    if not _FILE_NAME_PERCENT_ENCODE_SET.pattern.search(name):
        return name
    if "\0" in name:
        raise ValueError(f"the name {quoted(name)} contains NUL")
    try:
        data = name.encode("utf-8", "strict" if is_windows else errors)
    except UnicodeEncodeError:
        raise ValueError(f"the name {quoted(name)} contains a lone surrogate") from None
    return "".join([_ENCODED[byte] for byte in data])


def _decode(segment: str, is_windows: bool, errors: UndecodableBytes) -> str:
    """Return the file name in a path segment."""
    data = percent_decode(segment.encode())
    for byte in b"/\0\\" if is_windows else b"/\0":
        if byte in data:
            raise ValueError(f"{quoted(segment)} contains a percent-encoded {quoted(chr(byte))}")
    try:
        return data.decode("utf-8", "strict" if is_windows else errors)
    except UnicodeDecodeError:
        raise ValueError(f"the name {quoted(segment)} is not UTF-8") from None


def _split_windows_path(text: str) -> tuple[Host, list[str], list[str]]:
    """Return the host, the drive or share, and the names in it, of a Windows path."""
    path = text.replace("/", "\\")
    if _DRIVE.match(path):
        return EmptyHost(), [path[:2]], path[3:].split("\\")
    if not path.startswith("\\\\"):
        raise ValueError(f"the path {quoted(text)} is not absolute")
    server, _, rest = path[2:].partition("\\")
    if server in ("?", "."):
        raise ValueError(f"the path {quoted(text)} names a device")
    try:
        host = parse_host(server, False) if server and server.isascii() else None
    except Failure:
        host = None
    if host is None or host == Domain("localhost") or str(host) != ascii_lowercase(server):
        raise ValueError(f"a file URL cannot have the server name {quoted(server)}")
    _check_server(host)
    share, *names = rest.split("\\")
    _check_share(share)
    return host, [share], names


def _check_server(host: Host | None) -> None:
    """Raise ValueError if no UNC path can begin with this host."""
    name = str(host)
    if (
        not isinstance(host, Domain | IPv4Address)
        or _NOT_IN_A_WINDOWS_NAME.search(name)
        or not all(name.removesuffix(".").split("."))
    ):
        raise ValueError(f"a UNC path cannot have the server name {quoted(name)}")


def _check_share(name: str) -> None:
    """Raise ValueError if this cannot be the name of a share with files."""
    if not name or ascii_lowercase(name) in _NO_SHARES:
        raise ValueError(f"{quoted(name)} cannot be the name of a share with files")
    _check_windows_names([name])


def _check_windows_names(names: list[str]) -> None:
    """Raise ValueError if Windows has no file with such a name, or reads it as another name."""
    for name in names:
        if found := _NOT_IN_A_WINDOWS_NAME.search(name):
            raise ValueError(
                f"on Windows, a name cannot contain {quoted(found[0])}: {quoted(name)}"
            )
        if name.endswith((".", " ")):
            raise ValueError(f"on Windows, a name cannot end with a dot or a space: {quoted(name)}")
        if ascii_lowercase(name.partition(".")[0].rstrip(" ")) in _WINDOWS_DEVICES:
            raise ValueError(f"on Windows, {quoted(name)} is the name of a device")
