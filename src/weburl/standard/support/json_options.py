"""Options as a JSON object, for files and command lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from weburl.standard.infra.credentials import masked_value

FROM: Final = "from"
"""The key that names the ready value whose options hold where the JSON has none."""


def options_in(text: str, what: str, names: Iterable[str], example: str) -> dict[str, Any]:
    """Return the options in the JSON object ``text``.

    ``what`` the options are of, in the plural, and an ``example`` are for messages. ``names``:
    those that an option may have. Raises ValueError for other JSON.
    """
    # Raised after the handlers, so that Python's error with the whole text is not its context.
    options: object = None
    problem = ""
    try:
        options = json.loads(text, object_pairs_hook=lambda pairs: _once(pairs, what))
    except RecursionError:
        problem = f"JSON of {what}: too many brackets"
    except json.JSONDecodeError as error:
        problem = f"JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    if problem:
        raise ValueError(f"the {what} are not {problem}")
    if not isinstance(options, dict):
        raise ValueError(f"the {what} are not a JSON object, such as {example}")  # noqa: TRY004  # it is text
    refuse_others(options, what, names)
    return options


def refuse_others(given: dict[str, Any], what: str, names: Iterable[str]) -> None:
    """Raise ValueError if there is an option with another name."""
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(
            f"the {what} have no option {masked_value(unknown[0])}: it is one of {', '.join(names)}"
        )


def _once(pairs: list[tuple[str, Any]], what: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the {what} have the option {masked_value(name)} twice")
        found[name] = value
    return found
