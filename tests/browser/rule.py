"""The base class of the rules about Chromium, which are in `rules`."""

from __future__ import annotations

from tests.browser.readings import Case, Reading
from tests.browser.texts import Text


class Rule:
    """One way in which Chromium leaves the standard.

    Its docstring says how, and ``example`` shows it.
    """

    name: str
    example: Case

    def takes(self, text: str) -> str:
        """Return the text, stripped, as Chromium takes it: tabs and line ends still in it."""
        return text

    def reads(self, text: Text) -> Text:
        """Return the text that the standard reads as Chromium reads this one."""
        return text

    def refuses(self, text: Text, reading: Reading) -> bool:
        """Return whether Chromium refuses what the standard takes."""
        return False

    def writes(self, text: Text, reading: Reading) -> Reading:
        """Return what Chromium gives for what the standard gives."""
        return reading
