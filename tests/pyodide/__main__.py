"""Write what unicodedata2 says, for Pyodide, which does not have it.

Run it as ``python -m tests.pyodide FILE``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import unicodedata2

from tests.pyodide.answers import FILES, answers
from tests.wpt import load_cases


def main() -> None:
    """Write the properties of all code points, and the answers about all test data of hosts."""
    chars = list(map(chr, range(0x110000)))
    properties = ("category", "bidirectional", "combining")
    forms = ("NFC", "NFD", "NFKC", "NFKD")
    facts = {
        "properties": {
            name: [getattr(unicodedata2, name)(char) for char in chars] for name in properties
        },
        "forms": {
            form: {
                f"{ord(char):X}": changed
                for char in chars
                if (changed := unicodedata2.normalize(form, char)) != char
            }
            for form in forms
        },
        "answers": [
            [case["input"], *answers(case["input"])] for name in FILES for case in load_cases(name)
        ],
    }
    Path(sys.argv[1]).write_text(json.dumps(facts), encoding="utf-8")


main()
