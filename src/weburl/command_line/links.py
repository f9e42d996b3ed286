"""``weburl links``: the links in HTML, Markdown and plain text."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Final, NamedTuple

from weburl.command_line.arguments import (
    ArgumentParser,
    add_base,
    add_output_options,
    base_of,
    cannot_read,
    comma_separated,
    in_one_line,
    parser_of,
)
from weburl.command_line.reading import LONGEST, STANDARD_INPUT, Source, opened
from weburl.command_line.statuses import BAD, DONE, CommandError
from weburl.command_line.writing import Complaints, Output, put_out
from weburl.html import CannotRewrite, LinkKind, absolute_links, relative_links
from weburl.html import links as links_of_html
from weburl.html.limits import PageLimitError
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.errors import ValidationErrorType
from weburl.standard.infra.explanations import printable, quoted
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

FORMATS: Final = ("html", "markdown", "text")
_REWRITTEN: Final[dict[str, Callable[[bytes, URLRecord], bytes]]] = {
    "absolute": absolute_links,
    "relative": relative_links,
}
_FORMAT_OF: Final = {
    ".htm": "html",
    ".html": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
}
MOST_BYTES: Final = {"html": LONGEST, "markdown": 4 << 20}
"""The most bytes of a file that is read whole."""
_TOGETHER: Final = 1000  # links
_HEAD: Final = 8192  # bytes
_HTML: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*+<(?:!doctype\s|html|head|body)|<[a-z]++\s[^<>]{0,999}?\b(?:href|src)\s*+=",
    re.IGNORECASE,
)
# The address of a page that has none: no relative URL can be joined to it.
_NOWHERE: Final = parse("about:blank")
_NO_SCHEME: Final = ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL


class FoundLink(NamedTuple):
    """A link: what it is for, its text, its line from 1, and its URL or what is wrong with it."""

    kind: str
    input: str
    line: int | None
    url: URLRecord | None
    error: URLParseError | None


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``links``."""
    parser = parser_of(
        "links",
        "Print the links in files. In Markdown, these are links, images, autolinks, and addresses "
        "in text that is not code. In plain text, these are addresses, with and without a scheme.",
        "weburl links page.html --base https://example.com/docs/",
        bad="a link cannot be parsed",
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="HTML (.html, .htm, .xhtml), Markdown (.md, .markdown), or plain text; without a "
        "file, or for -, standard input, which is HTML if it begins like HTML",
    )
    parser.add_argument(
        "--from", dest="format", choices=FORMATS, help="the format, in place of the extension's"
    )
    parser.add_argument(
        "--kinds",
        metavar="KINDS",
        type=_kinds,
        help=f"only links of these kinds, separated by commas: {', '.join(LinkKind)}",
    )
    parser.add_argument(
        "--rewrite",
        choices=_REWRITTEN,
        help="print one file of HTML with its links absolute, or relative to --base if they have "
        "its origin, and with every other byte as it was",
    )
    add_base(parser)
    add_output_options(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    """Print the links in each file."""
    base = base_of(options)
    files = options.files or [STANDARD_INPUT]
    if options.rewrite is not None:
        if base is None or len(files) != 1 or _format(files[0], options) != "html":
            raise CommandError("--rewrite needs --base and one file of HTML")
        put_out(_rewritten(files[0], base, _REWRITTEN[options.rewrite]))
        return DONE
    has_hyperlinks = options.kinds is None or LinkKind.HYPERLINK in options.kinds
    if not has_hyperlinks and all(_format(name, options) == "text" for name in files):
        raise CommandError("plain text has only hyperlinks, which --kinds leaves out")
    complaints, output = Complaints(), Output(null=options.null)
    for name in files:
        file = "standard input" if name == STANDARD_INPUT else name
        place = printable(masked(file))
        for links in _links_in(name, options, base):
            records = []
            for link in links:
                if link.url is None:
                    complaints.add(_place(place, link.line), _reason(link, base))
                else:
                    records.append(_as_json(link, file) if options.json else link.url.href)
            output.write(records)
    return BAD if complaints.count else DONE


def _rewritten(name: str, base: URLRecord, rewrite: Callable[[bytes, URLRecord], bytes]) -> bytes:
    """Return a file of HTML with other links. Raises `CommandError` if they cannot be changed."""
    data = _whole(name, "html")
    try:
        return rewrite(data, base)
    except ImportError:
        raise _needs("html", "turbohtml") from None
    except (PageLimitError, CannotRewrite) as error:
        raise CommandError(f"{masked(name)}: {error}") from None


def _needs(format: str, package: str | None) -> CommandError:
    return CommandError(f"links in {format} need {package}: pip install 'weburl[{format}]'")


def _place(name: str, line: int | None) -> str:
    return name if line is None else f"{name}:{line}"


def _reason(link: FoundLink, base: URLRecord | None) -> str:
    is_relative = link.error is None or link.error.type is _NO_SCHEME
    if base is None and is_relative:
        return f"the URL is relative, so it needs --base: {quoted(link.input)}"
    assert link.error is not None
    return in_one_line(link.error, link.input)


def _as_json(link: FoundLink, file: str) -> str:
    return json.dumps(
        {
            "file": file,
            "line": link.line,
            "kind": link.kind,
            "input": link.input,
            "href": None if link.url is None else link.url.href,
        }
    )


def _links_in(
    name: str, options: argparse.Namespace, base: URLRecord | None
) -> Iterator[list[FoundLink]]:
    """Yield the links in a file, some at a time. Raises `CommandError` if it cannot be read."""
    format = _format(name, options)
    if format == "text":
        yield from _links_in_text(name, options.kinds)
        return
    data = _whole(name, format)
    try:
        if format == "html":
            yield _links_in_html(data, base, options.kinds)
        else:
            text = data.decode("utf-8-sig", "surrogateescape")
            links = _links_in_markdown(text, base, options.kinds)
            while some := list(islice(links, _TOGETHER)):
                yield some
    except ImportError as error:
        if error.name not in ("turbohtml", "markdown_it"):
            raise
        raise _needs(format, error.name) from None
    except (PageLimitError, OverflowError) as error:
        raise CommandError(f"{masked(name)}: {error}") from None


def _format(name: str, options: argparse.Namespace) -> str:
    extension = os.path.splitext(name)[1].lower()  # noqa: PTH122  # it may be a bad path
    if options.format is None and name == STANDARD_INPUT and _is_html(name):
        return "html"
    return options.format or _FORMAT_OF.get(extension, "text")


def _is_html(name: str) -> bool:
    """Return whether a file begins like HTML, or has a link of HTML near its beginning."""
    with opened(name) as stream:
        if isinstance(stream, io.BufferedReader):
            head = stream.peek(_HEAD)
        else:  # in a test
            position = stream.tell()
            head = stream.read(_HEAD)
            stream.seek(position)
    return _HTML.search(head[:_HEAD]) is not None


def _whole(name: str, format: str) -> bytes:
    """Return what a file has. Raises `CommandError` if it is longer than its format may be."""
    most = MOST_BYTES[format]
    with opened(name) as stream:
        try:
            data = stream.read(most + 1)
        except OSError as error:  # such as a folder
            raise cannot_read(name, error) from None
    if len(data) > most:
        raise CommandError(
            f"{masked(name)} is longer than {most >> 20} MiB, which is the most for"
            f" {format}: cut it into parts"
        )
    return data


def _links_in_text(name: str, kinds: Collection[str] | None) -> Iterator[list[FoundLink]]:
    """Yield the links in text. No link continues after a line break, so lines can be read alone."""
    from weburl.text import find_links  # its tables take a while to load

    if kinds is not None and LinkKind.HYPERLINK not in kinds:
        with opened(name):  # or the error for a file that is not there
            return
    for batch in Source([], [name]).batches():
        yield [
            FoundLink(LinkKind.HYPERLINK, found.text, number, found.url, None)
            for number, text in enumerate(batch.texts, batch.first)
            for found in find_links(text, any_host=True)
        ]


def _links_in_html(
    html: bytes | str, base: URLRecord | None, kinds: Collection[str] | None, line: int = 1
) -> list[FoundLink]:
    """Return the links in HTML. ``line``: where the HTML begins."""
    return [
        FoundLink(
            link.kind,
            link.input,
            None if link.line is None else link.line + line - 1,
            None if base is None and _is_relative(link.record, link.input) else link.record,
            link.error,
        )
        for link in links_of_html(html, _NOWHERE if base is None else base, kinds=kinds)
    ]


def _is_relative(record: URLRecord | None, input: str) -> bool:
    """Return whether a link only has a URL because its page has no address."""
    if record is None or record.scheme != _NOWHERE.scheme:
        return False
    try:
        parse(input)
    except URLParseError:
        return True
    return False


def _links_in_markdown(
    text: str, base: URLRecord | None, kinds: Collection[str] | None
) -> Iterator[FoundLink]:
    from weburl.command_line.markdown import HTML, links_of_markdown

    for link in links_of_markdown(text):
        if link.kind == HTML:
            yield from _links_in_html(link.input, base, kinds, link.line)
        elif kinds is None or link.kind in kinds:
            yield _resolved(link.kind, link.input, link.line, base)


def _resolved(kind: str, input: str, line: int, base: URLRecord | None) -> FoundLink:
    try:
        return FoundLink(kind, input, line, parse(input, base), None)
    except URLParseError as error:
        return FoundLink(kind, input, line, None, error)


def _kinds(text: str) -> tuple[LinkKind, ...]:
    try:
        return tuple(map(LinkKind, comma_separated(text)))
    except ValueError:
        raise argparse.ArgumentTypeError(f"kinds are {', '.join(LinkKind)}") from None
