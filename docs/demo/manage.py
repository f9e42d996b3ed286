#!/usr/bin/env python
"""The demo's command line: everything that Django's `manage.py` does, and `import_links`."""

from __future__ import annotations

import io
import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run one of Django's commands with the demo's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bookmarks.settings")
    # Links can contain any script. If the terminal cannot show a letter, write its escape.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
