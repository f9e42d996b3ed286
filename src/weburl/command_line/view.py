"""``weburl view``: routes to the server of the viewer."""

from __future__ import annotations

import argparse

from weburl.viewer.server import argument_parser, serve

__all__ = ["argument_parser", "run"]


def run(options: argparse.Namespace) -> int:
    """Serve the viewer until Ctrl-C."""
    return serve(options.port)
