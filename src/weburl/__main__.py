"""``python -m weburl`` and the script ``weburl``: the command line, in `command_line`."""

from __future__ import annotations

import sys

from weburl.command_line.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
