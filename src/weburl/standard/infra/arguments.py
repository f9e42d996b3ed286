"""A parser of command-line arguments whose errors show no usernames and passwords."""

from __future__ import annotations

import argparse
from typing import Never

from weburl.standard.infra.credentials import masked


class ArgumentParser(argparse.ArgumentParser):
    """An `argparse.ArgumentParser` that masks credentials in its errors, which quote arguments."""

    def error(self, message: str) -> Never:
        """Print a message and the usage to standard error, and exit with 2."""
        super().error(masked(message))
