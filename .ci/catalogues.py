"""Whether every message of the app is translated into every language that it has.

A test runs the same comparison. What is missing, left over or uncertain is printed, and the exit
status is then 1.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import polib

APP: Final = Path(__file__).resolve().parent.parent / "django_whatwg_url"
FUNCTIONS: Final = frozenset({"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy"})


def messages_in_the_source() -> dict[str, str]:
    """Return every text that the app translates, with its plural, or ""."""
    found = {}
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in FUNCTIONS
            ):
                texts = [ast.literal_eval(argument) for argument in node.args[:2]]
                found[texts[0]] = texts[1] if len(texts) > 1 else ""
    return found


def catalogues() -> list[Path]:
    """Return the paths of all catalogues, which translators edit."""
    return sorted((APP / "locale").glob("*/LC_MESSAGES/django.po"))


def unfinished(catalogue: polib.POFile, source: Mapping[str, str]) -> Iterator[str]:
    """Yield what keeps a catalogue from being complete, one line for each message."""
    entries = {entry.msgid: entry for entry in catalogue if not entry.obsolete}
    for message, plural in source.items():
        entry = entries.get(message)
        if entry is None or entry.msgid_plural != plural:
            yield f"not in the catalogue: {message}"
        elif entry.fuzzy:
            yield f"uncertain (fuzzy): {message}"
        elif not entry.translated():
            yield f"not translated: {message}"
    for message in entries.keys() - source.keys():
        yield f"no longer in the source: {message}"
    for entry in catalogue.obsolete_entries():
        yield f"obsolete: {entry.msgid}"


def main() -> int:
    """Print what is unfinished, and return the exit status."""
    source = messages_in_the_source()
    found = [
        f"{path.parent.parent.name}: {line}"
        for path in catalogues()
        for line in unfinished(polib.pofile(str(path)), source)
    ]
    for line in found:
        print(line, file=sys.stderr)
    print(f"{len(catalogues())} languages, {len(source)} messages, {len(found)} not finished")
    return 1 if found or not catalogues() else 0


if __name__ == "__main__":
    sys.exit(main())
