"""``python -m tests.django.killed N COMMAND …``: a command that dies before its Nth statement.

As by the kernel's hand: SIGKILL, with no chance to tidy up. With N = 0 it lives.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django
from django.core.management import call_command
from django.db import connection


def main() -> None:
    """Run a command with the settings of the tests, in the database WEBURL_TEST_DATABASE."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.django.settings")
    django.setup()
    left = int(sys.argv[1])

    def count(execute: Callable[..., Any], *args: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*args)

    with connection.execute_wrapper(count):
        call_command(*sys.argv[2:])


if __name__ == "__main__":
    main()
