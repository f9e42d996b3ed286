"""How often the fast path leaves a text to the general parser, and why, on each list of texts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import weburl
from benchmarks.contenders import BASE
from benchmarks.operations import Inputs, Operation
from weburl import URLParseError, URLRecord
from weburl.standard.url import fast_path


def declined(lists: dict[Inputs, dict[Operation | None, list[str]]]) -> dict[str, Any]:
    """Return by list ``of`` how many texts, and how many are declined by each of the ``causes``."""
    base = weburl.parse(BASE)
    result: dict[str, Any] = {}
    for inputs, by_operation in lists.items():
        for operation, texts in by_operation.items():
            if operation is Operation.PARAMS:
                continue
            on = base if operation is Operation.JOIN else None
            causes = Counter(cause for text in texts if (cause := _cause(text, on)) is not None)
            name = str(inputs) if on is None else f"{inputs}, as references"
            result[name] = {"of": len(texts), "causes": dict(causes.most_common())}
    return result


def _cause(text: str, base: URLRecord | None) -> str | None:
    """Return why a text is declined; None if it is not."""
    if _taken(text, base) is not None:
        return None
    try:
        record = weburl.parse(text, base)
    except URLParseError as error:
        return f"failure: {error.type}"
    if not text.isascii():
        has_surrogate = any("\ud800" <= code_point <= "\udfff" for code_point in text)
        return "a lone surrogate" if has_surrogate else "a host that is not ASCII"
    return f"something else, with {type(record.host).__name__}"


def _taken(text: str, base: URLRecord | None) -> URLRecord | None:
    return fast_path.parse_quickly(text) if base is None else fast_path.join_quickly(base, text)
