"""`url.file_urls` converts a path to a file URL and back, for POSIX and for Windows."""

from __future__ import annotations

import ntpath
import os
import sys
from collections.abc import Callable
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import joined, url_texts
from weburl import (
    Domain,
    EmptyHost,
    URLParseError,
    URLRecord,
    file_url_from_path,
    parse,
    path_from_file_url,
)

# A path, its URL.
POSIX = [
    ("/", "file:///"),
    ("/a", "file:///a"),
    ("/a/b.txt", "file:///a/b.txt"),
    ("/a/", "file:///a/"),
    ("/a b", "file:///a%20b"),
    ("/what?#1", "file:///what%3F%231"),
    ("/100%", "file:///100%25"),
    ("/%41", "file:///%2541"),
    ("/%2F", "file:///%252F"),
    ("/%2e%2e/x", "file:///%252e%252e/x"),
    ("/a\\b", "file:///a%5Cb"),
    ("/C|/x", "file:///C%7C/x"),
    ("/C:/x", "file:///C:/x"),
    ("/..a/...", "file:///..a/..."),
    ("/\t\r\n\x01\x7f", "file:///%09%0D%0A%01%7F"),
    ("/ b ", "file:///%20b%20"),
    ("/b\u00fccher/\u65e5\u672c/\U0001f4a9", "file:///b%C3%BCcher/%E6%97%A5%E6%9C%AC/%F0%9F%92%A9"),
    ("/e\u0301", "file:///e%CC%81"),
    ('/"<>`{}^', "file:///%22%3C%3E%60%7B%7D%5E"),
    ("/[]@!$&'()*+,;=~:", "file:///[]@!$&'()*+,;=~:"),
    ("/con/nul.txt", "file:///con/nul.txt"),
    ("/localhost/a", "file:///localhost/a"),
    ("/\ufeffa", "file:///%EF%BB%BFa"),
]  # fmt: skip
WINDOWS = [
    ("C:\\", "file:///C:/"),
    ("c:\\a", "file:///c:/a"),
    ("C:\\a b\\c#1.txt", "file:///C:/a%20b/c%231.txt"),
    ("C:\\a\\", "file:///C:/a/"),
    ("C:\\100%\\%41", "file:///C:/100%25/%2541"),
    ("C:\\b\u00fccher", "file:///C:/b%C3%BCcher"),
    ("C:\\ a\\.b\\..c", "file:///C:/%20a/.b/..c"),
    ("C:\\console\\com\\com10\\nulls.txt\\a.nul", "file:///C:/console/com/com10/nulls.txt/a.nul"),
    ("C:\\PROGRA~1\\[x]{y}`^'&,;=+@!$()-_", "file:///C:/PROGRA~1/[x]%7By%7D%60%5E'&,;=+@!$()-_"),
    ("\\\\server\\share", "file://server/share"),
    ("\\\\server\\share\\", "file://server/share/"),
    ("\\\\server\\share\\a b\\c", "file://server/share/a%20b/c"),
    ("\\\\server\\C$\\a", "file://server/C$/a"),
    ("\\\\file_server.example.\\s\\a", "file://file_server.example./s/a"),
    ("\\\\192.168.0.1\\s\\a", "file://192.168.0.1/s/a"),
    ("\\\\xn--bcher-kva\\s\\a", "file://xn--bcher-kva/s/a"),
    ("\\\\fe80--1.ipv6-literal.net\\s", "file://fe80--1.ipv6-literal.net/s"),
]


@pytest.mark.parametrize(("path", "url"), POSIX)
def test_a_posix_path_has_a_url_and_the_url_that_path(path: str, url: str) -> None:
    """Every character belongs to a name, and none is a delimiter of the URL."""
    assert file_url_from_path(path, windows=False).href == url
    assert path_from_file_url(url, windows=False) == path
    assert path_from_file_url(parse(url), windows=False) == path


@pytest.mark.parametrize(("path", "url"), WINDOWS)
def test_a_windows_path_has_a_url_and_the_url_that_path(path: str, url: str) -> None:
    """It has a drive, or a server and a share. Both separators work."""
    assert file_url_from_path(path, windows=True).href == url
    assert file_url_from_path(path.replace("\\", "/"), windows=True).href == url
    assert path_from_file_url(url, windows=True) == path


@pytest.mark.parametrize(
    ("path", "same", "windows"),
    [
        ("//a", "/a", False),
        ("///a//b", "/a/b", False),
        ("/./a/./b/.", "/a/b/", False),
        ("/.//a", "/a", False),
        ("//", "/", False),
        ("/.", "/", False),
        ("C:\\\\a\\.\\b\\.", "C:\\a\\b\\", True),
        ("C:\\.", "C:\\", True),
        ("\\\\SERVER\\Share\\\\a", "\\\\server\\Share\\a", True),
        ("\\\\server\\share\\.", "\\\\server\\share\\", True),
    ],
)
def test_two_paths_that_name_the_same_file_have_one_url(
    path: str, same: str, windows: bool
) -> None:
    """They differ in repeated separators, single dots, and the case of a server."""
    url = file_url_from_path(path, windows=windows)
    assert url == file_url_from_path(same, windows=windows)
    assert path_from_file_url(url, windows=windows) == same


@pytest.mark.parametrize(
    ("url", "path", "windows"),
    [
        ("file:///a?b#c", "/a", False),
        ("file://localhost/a", "/a", False),
        ("FILE:/a", "/a", False),
        ("file:a", "/a", False),
        ("file:///a/../b/./c", "/b/c", False),
        ("file:///a/%2e%2E/b", "/b", False),
        ("file:///%61%2e", "/a.", False),
        ("file:///a\\b", "/a/b", False),
        ("file:////server/share", "/server/share", False),
        ("file:///a//b//", "/a/b/", False),
        ("file:///C|/a", "/C:/a", False),
        ("file:///C|/a", "C:\\a", True),
        ("file:///C:", "C:\\", True),
        ("file:///C:/../..", "C:\\", True),
        ("file:///c%3A/Users", "c:\\Users", True),
        ("file:C:/a//b", "C:\\a\\b", True),
        ("file://localhost/C:/a", "C:\\a", True),
        ("file://SERVER/share/../a", "\\\\server\\a", True),
        ("file://0x7f.1/s", "\\\\127.0.0.1\\s", True),
        ("file:\\\\server\\share\\a", "\\\\server\\share\\a", True),
    ],
)
def test_a_file_url_however_it_is_written_names_one_file(
    url: str, path: str, windows: bool
) -> None:
    """It is the file that a browser would open. Query and fragment are ignored."""
    assert path_from_file_url(url, windows=windows) == path


DEVICES = [
    "NUL", "nul", "CON", "prn", "aux", "COM1", "com9", "LPT0", "lpt\u00b9", "CONIN$", "conout$",
    "Clock$", "nul.txt", "NUL .txt", "com1.tar.gz", "aux.",
]  # fmt: skip

# For each direction, and for POSIX and Windows: what is refused, and the reason.
REFUSED: list[tuple[Callable[..., object], bool, list[tuple[str, str]]]] = [
    (
        file_url_from_path,
        False,
        [
            ("", "not absolute"),
            ("a", "not absolute"),
            ("C:\\a", "not absolute"),
            ("file:///a", "not absolute"),
            ("/..", r"contains '\.\.'"),
            ("/a\0b", "NUL"),
            ("/\ud800", "lone surrogate"),
        ],
    ),
    (
        file_url_from_path,
        True,
        [
            ("", "not absolute"),
            ("a", "not absolute"),
            ("/a", "not absolute"),
            ("\\a", "not absolute"),
            ("C:", "not absolute"),
            ("C:a", "not absolute"),
            ("CC:\\a", "not absolute"),
            ("C|\\a", "not absolute"),
            ("\\??\\C:\\a", "not absolute"),
            ("\\\\?\\C:\\a", "names a device"),
            ("//?/C:/a", "names a device"),
            ("\\\\?\\UNC\\server\\share", "names a device"),
            ("\\\\.\\COM1", "names a device"),
            ("\\\\./pipe/x", "names a device"),
            ("C:\\a\\..\\b", r"contains '\.\.'"),
            ("C:\\a\0", "a name cannot contain U[+]0000"),
            ("C:\\a\n", "a name cannot contain U[+]000A"),
            ("C:\\a:b", "a name cannot contain ':'"),
            ("C:\\a::$DATA", "a name cannot contain ':'"),
            ("C:\\C:\\a", "a name cannot contain ':'"),
            ("C:\\a*", "a name cannot contain"),
            ("C:\\a|b", "a name cannot contain"),
            ("C:\\a.", "cannot end with a dot or a space"),
            ("C:\\a \\b", "cannot end with a dot or a space"),
            ("C:\\.. \\a", "cannot end with a dot or a space"),
            ("C:\\\ud800", "lone surrogate"),
            *((f"C:\\{device}\\a", "device|cannot end with") for device in DEVICES),
            *((f"C:\\a\\{device}", "device|cannot end with") for device in DEVICES),
            ("\\\\server", "share with files"),
            ("\\\\server\\\\share", "share with files"),
            ("\\\\server\\pipe\\x", "share with files"),
            ("\\\\server\\MailSlot\\x", "share with files"),
            ("\\\\server\\IPC$", "share with files"),
            ("\\\\server\\..\\share", r"'\.\.'"),
            ("\\\\server\\.\\share", "cannot end with a dot or a space"),
            ("\\\\server\\nul\\a", "device"),
            ("\\\\server\\C:\\a", "a name cannot contain ':'"),
            ("\\\\", "a file URL cannot have the server"),
            ("\\\\\\server\\share", "a file URL cannot have the server"),
            ("\\\\localhost\\share", "a file URL cannot have the server"),
            ("\\\\0x7f.0.0.1\\share", "a file URL cannot have the server"),
            ("\\\\b\u00fccher\\share", "a file URL cannot have the server"),
            ("\\\\ser%76er\\share", "a file URL cannot have the server"),
            ("\\\\server@SSL\\share", "a file URL cannot have the server"),
            ("\\\\[::1]\\share", "a UNC path cannot have the server"),
            ("\\\\..\\share", "a UNC path cannot have the server"),
            ("\\\\*\\share", "a UNC path cannot have the server"),
        ],
    ),
    (
        path_from_file_url,
        False,
        [
            ("https://u:secret@example.com/a", "scheme 'https'"),
            ("file://server/a", "on another host: 'server'"),
            ("file://127.0.0.1/a", r"on another host: '127\.0\.0\.1'"),
            ("file://localhost./a", r"on another host: 'localhost\.'"),
            ("file:///a%2Fb", "percent-encoded '/'"),
            ("file:///..%2f..%2fetc", "percent-encoded '/'"),
            ("file:///a%00", "percent-encoded U[+]0000"),
            ("file:///%ff", "not UTF-8"),
            ("file:///%C0%AF", "not UTF-8"),
            ("file:///%ED%A0%80", "not UTF-8"),
        ],
    ),
    (
        path_from_file_url,
        True,
        [
            ("https://example.com/C:/a", "scheme 'https'"),
            ("file:///a", "not a drive letter"),
            ("file:///", "not a drive letter"),
            ("file:////C:/a", "not a drive letter"),
            ("file:///C%7C/a", "not a drive letter"),
            ("file:///C:%2Fa", "percent-encoded '/'"),
            ("file:///C:/a%5Cb", r"percent-encoded '\\'"),
            ("file:///C:/a%00", "percent-encoded U[+]0000"),
            ("file:///C:/%FF", "not UTF-8"),
            ("file:///C:/a:b", "a name cannot contain ':'"),
            ("file:///C:/a%3Ab", "a name cannot contain ':'"),
            ("file:///C:/a%0A", "a name cannot contain U[+]000A"),
            ("file:///C:/a*", "a name cannot contain"),
            ("file:///C:/a.", "cannot end with a dot or a space"),
            ("file:///C:/a%20/b", "cannot end with a dot or a space"),
            ("file:///C:/..%20/b", "cannot end with a dot or a space"),
            *(
                (f"file:///C:/{device.replace(' ', '%20')}", "device|cannot end with")
                for device in DEVICES
            ),
            ("file://server", "share with files"),
            ("file://server//share", "share with files"),
            ("file://server/pipe/x", "share with files"),
            ("file://server/%50ipe/x", "share with files"),
            ("file://server/aux/x", "device"),
            ("file://server/C:/x", "a name cannot contain"),
            ("file://[::1]/share", "a UNC path cannot"),
            ("file://./share", "a UNC path cannot"),
            ("file://*/share", "a UNC path cannot"),
        ],
    ),
]


@pytest.mark.parametrize(
    ("convert", "windows", "text", "reason"),
    [(*kind, *case) for *kind, cases in REFUSED for case in cases],
)
def test_what_does_not_name_one_file_is_refused(
    convert: Callable[..., object], windows: bool, text: str, reason: str
) -> None:
    """The ValueError has the reason and no password, and is not of a subclass."""
    with pytest.raises(ValueError, match=reason) as caught:
        convert(text, windows=windows)
    assert type(caught.value) is ValueError
    assert "secret" not in str(caught.value)


def test_text_that_is_not_a_url_is_refused() -> None:
    """A path is such text."""
    for text in ("", "/a", "file://[/"):
        with pytest.raises(URLParseError):
            path_from_file_url(text)
    with pytest.raises(ValueError, match="scheme 'c'"):
        path_from_file_url("C:\\a")


def test_a_path_of_bytes_is_refused() -> None:
    """This holds for objects whose path is bytes too."""

    class InBytes:
        def __fspath__(self) -> bytes:
            return b"/a"

    with pytest.raises(TypeError, match=r"os\.fsdecode"):
        file_url_from_path(InBytes())  # type: ignore[arg-type]


def test_a_pure_path_says_of_which_kind_it_is() -> None:
    """Its class decides, on every system. Another kind is an error."""
    assert file_url_from_path(PurePosixPath("/a\\b")).href == "file:///a%5Cb"
    assert file_url_from_path(PureWindowsPath("C:/a\\b")).href == "file:///C:/a/b"
    assert file_url_from_path(PureWindowsPath("C:/a"), windows=True).href == "file:///C:/a"
    assert file_url_from_path(PurePosixPath("/a"), windows=False).href == "file:///a"
    with pytest.raises(ValueError, match="a PureWindowsPath is not a POSIX path"):
        file_url_from_path(PureWindowsPath("C:/a"), windows=False)
    with pytest.raises(ValueError, match="a PurePosixPath is a POSIX path"):
        file_url_from_path(PurePosixPath("/a"), windows=True)


def test_a_path_like_object_of_another_kind_is_taken_as_text() -> None:
    """`open` does the same."""

    class Named:
        def __fspath__(self) -> str:
            return "/a b"

    assert file_url_from_path(Named(), windows=False).href == "file:///a%20b"


@pytest.mark.parametrize(("name", "windows"), [("nt", True), ("posix", False)])
def test_the_system_decides_by_default(
    name: str, windows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds in both directions."""
    path, url = (WINDOWS if windows else POSIX)[2]
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", name)
        assert file_url_from_path(path).href == url
        assert path_from_file_url(url) == path
        assert path_from_file_url("file:///C:/a", windows=True) == "C:\\a"
        assert path_from_file_url("file:///C:/a", windows=False) == "/C:/a"


def test_bytes_that_are_not_utf_8_can_be_escaped_on_posix() -> None:
    """`os.fsdecode` escapes them in this way. Other surrogates are refused, and all on Windows."""
    path = "/a\udcff\udcc3"
    url = file_url_from_path(path, windows=False, errors="surrogateescape")
    assert url.href == "file:///a%FF%C3"
    assert path_from_file_url(url, windows=False, errors="surrogateescape") == path
    with pytest.raises(ValueError, match="lone surrogate"):
        file_url_from_path("/\ud800", windows=False, errors="surrogateescape")
    with pytest.raises(ValueError, match="lone surrogate"):
        file_url_from_path("C:\\\udcff", windows=True, errors="surrogateescape")
    with pytest.raises(ValueError, match="not UTF-8"):
        path_from_file_url("file:///C:/%FF", windows=True, errors="surrogateescape")
    with pytest.raises(ValueError, match="percent-encoded '/'"):
        path_from_file_url("file:///%FF%2F", windows=False, errors="surrogateescape")
    wrong: Any = "replace"
    with pytest.raises(ValueError, match="errors must be"):
        path_from_file_url("file:///a", errors=wrong)
    with pytest.raises(ValueError, match="errors must be"):
        file_url_from_path("/a", errors=wrong)


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems do not take every name")
def test_a_file_is_found_again_under_its_url(tmp_path: Path) -> None:
    """The names have spaces, delimiters, escapes and newlines."""
    names = [
        "a b", "what?", "#1", "100%", "%41", "%2F", "a\\b", "C|", " ", "\n", "\u00e9", "e\u0301",
        "nul", "a:b", "a.", "...", "~", "[x]", "&amp;", ";", "'", '"', "`", "\u202e",
    ]  # fmt: skip
    for name in names:
        (tmp_path / name).write_text(name, encoding="utf-8")
    urls = [file_url_from_path(path) for path in tmp_path.iterdir()]
    assert len(set(urls)) == len(names)
    for url in urls:
        again = parse(url.href)
        path = Path(path_from_file_url(again))
        assert path.read_text(encoding="utf-8") == path.name


posix_names: st.SearchStrategy[str] = st.one_of(
    joined(("a", ".", "..", "%", "2e", "%2F", "\\", "?", "#", "|", "C", ":", " ", "\n", "\u00e9"),
           min_size=1),
    st.text(min_size=1, max_size=5),
)  # fmt: skip
posix_paths = st.lists(posix_names, max_size=4).map(lambda names: "/" + "/".join(names))
windows_names: st.SearchStrategy[str] = st.one_of(
    joined(("a", ".", "%", "2e", "#", "-", " ", "nul", "com1", "\u00b9", "~", "\u00e9", "["),
           min_size=1),
    st.text(min_size=1, max_size=5),
)  # fmt: skip
windows_paths = st.builds(
    lambda root, names: root + "\\".join(names),
    st.sampled_from(("C:\\", "z:\\", "\\\\server\\share\\", "\\\\10.0.0.1\\D$\\", "\\\\h\\")),
    st.lists(windows_names, max_size=4),
)


@given(posix_paths)
def test_a_posix_path_and_its_url_are_two_names_of_one_file(path: str) -> None:
    """The standard library's URL of the path gives the same path."""
    try:
        url = file_url_from_path(path, windows=False)
    except ValueError:
        assert ".." in path.split("/") or "\0" in path
        return
    assert url == parse(url.href)
    assert isinstance(url.host, EmptyHost)
    found = path_from_file_url(url, windows=False)
    assert PurePosixPath(found) == PurePosixPath("/" + path.lstrip("/"))
    assert found.endswith("/") == path.endswith(("/", "/."))
    assert file_url_from_path(found, windows=False) == url
    library = f"file://{quote(found)}"
    assert path_from_file_url(library, windows=False) == found


def is_reserved(path: str) -> bool:
    """Return whether Windows has no such file, according to the standard library."""
    if sys.version_info >= (3, 13):
        return ntpath.isreserved(path)
    return PureWindowsPath(path).is_reserved()


@given(windows_paths)
def test_a_windows_path_and_its_url_are_two_names_of_one_file(path: str) -> None:
    """The standard library's URL of the path gives the same path."""
    try:
        url = file_url_from_path(path, windows=True)
    except ValueError:
        return
    assert url == parse(url.href)
    found = path_from_file_url(url, windows=True)
    assert PureWindowsPath(found) == PureWindowsPath(path)
    assert not is_reserved(found)
    assert file_url_from_path(found, windows=True) == url
    slashes = found.replace("\\", "/")
    library = f"file:{'' if slashes.startswith('//') else '///'}{quote(slashes)}"
    assert PureWindowsPath(path_from_file_url(library, windows=True)) == PureWindowsPath(path)


safe_names = st.builds(
    "x{}x".format,
    st.text(
        st.characters(
            codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters='<>:"/\\|?*'
        )
    ),
)


@given(
    st.sampled_from((("/", "/", False), ("C:\\", "\\", True), ("\\\\server\\s$\\", "\\", True))),
    st.lists(safe_names, max_size=4),
    st.booleans(),
)
def test_a_path_of_plain_names_comes_back_letter_for_letter(
    system: tuple[str, str, bool], names: list[str], is_directory: bool
) -> None:
    """No character is refused, and a separator at the end is kept."""
    root, separator, windows = system
    path = root + separator.join([*names, ""] if names and is_directory else names)
    url = file_url_from_path(path, windows=windows)
    assert path_from_file_url(url.href, windows=windows) == path


@given(url_texts, st.booleans())
def test_the_path_of_a_url_is_absolute_and_leads_nowhere_else(text: str, windows: bool) -> None:
    """No part is "..", and the URL of the path has the same path."""
    try:
        path = path_from_file_url(parse(text, "file:///C:/base/"), windows=windows)
    except ValueError:
        return
    pure: PurePath = PureWindowsPath(path) if windows else PurePosixPath(path)
    assert pure.is_absolute()
    assert ".." not in pure.parts
    assert "\0" not in path
    assert path_from_file_url(file_url_from_path(path, windows=windows), windows=windows) == path


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize(
    "name", ["a", "/", "a/", "./", "\\", "%", "%2e", "\u00e9", " ", "\n", "nul/", "a:", "?", "../"]
)
def test_a_megabyte_of_path_takes_no_longer_than_its_length(name: str, windows: bool) -> None:
    """It may be refused. Both directions are tried."""
    many = name * (1_000_000 // len(name))

    def result(function: Callable[..., object], value: str) -> str:
        try:
            return str(function(value, windows=windows))
        except ValueError as error:
            return str(error)

    url = result(file_url_from_path, ("C:/" if windows else "/") + many + "x")
    assert url.startswith("file:///") or len(url) < 1_000
    path = result(path_from_file_url, "file:///C:/" + many)
    assert path.startswith("C:\\" if windows else "/C:") or len(path) < 1_000


def test_a_record_made_by_hand_has_a_path_too() -> None:
    """It passes the same checks as one of the parser."""
    record = URLRecord("file", host=Domain("server"), path=("share", "a%20b"))
    assert path_from_file_url(record, windows=True) == "\\\\server\\share\\a b"
