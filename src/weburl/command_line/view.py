"""``weburl view``: shows URLs in a browser."""

from __future__ import annotations

import argparse

from weburl.command_line.arguments import PROGRAM, ArgumentParser
from weburl.viewer.server import PORT, serve


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``view``."""
    parser = ArgumentParser(
        prog=f"{PROGRAM} view",
        description="Serve the URL viewer on this machine until Ctrl-C. Exit status: 0 after "
        "Ctrl-C, 2 if the arguments are wrong or the port is in use.",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=PORT,
        help=f"the port (default: {PORT}); 0 chooses a free one",
    )
    return parser


def run(options: argparse.Namespace) -> int:
    """Serve the viewer until Ctrl-C."""
    return serve(options.port)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65536):
        raise argparse.ArgumentTypeError("a port must be a number from 0 to 65535")
    return int(text)
