"""PyInstaller: tells it what a frozen program needs of `weburl`.

PyInstaller finds this package by its entry point. Nothing else imports it.
"""

from pathlib import Path


def hook_directories() -> list[str]:
    """Return the directories of the hooks."""
    return [str(Path(__file__).parent)]
