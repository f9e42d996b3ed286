"""What a rule about Chromium is; those there are stand in `rules`."""

from __future__ import annotations

from tests.browser.readings import Case, Reading
from tests.browser.texts import Text


class Rule:
    """One way in which Chromium leaves the standard.

    Its docstring says how. ``name`` and ``example`` stand beside that in a table of
    `docs/conformance.md`.
    """

    name: str
    example: Case

    @property
    def says(self) -> str:
        """What Chromium does, for a table."""
        text = " ".join((type(self).__doc__ or "").split()).rstrip(".")
        return text[0].lower() + text[1:] if not text.startswith("IPv") else text

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
