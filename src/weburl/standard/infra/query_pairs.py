"""Edits the pairs in the text of a query and leaves every other byte as it is.

A pair is the text between two "&". Its name is found as in a form, so "%61" is the name "a". Text
in, text out: `form_urlencoded` makes lists of names and values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from weburl.standard.infra.form_urlencoded import parse_form_urlencoded, serialize_form_urlencoded


def name_in(pair: str) -> str:
    """Return the decoded name of ``pair``, which is not empty."""
    name = pair.partition("=")[0]
    return parse_form_urlencoded(f"{name}=")[0][0] if "%" in name or "+" in name else name


def plain_names_in(query: str) -> list[str] | None:
    """Return the names in ``query``; None if one is empty or percent-encoded, or has a "+"."""
    names = [pair.partition("=")[0] for pair in query.split("&")]
    if "" in names:
        return None
    if ("%" in query or "+" in query) and any("%" in name or "+" in name for name in names):
        return None
    return names


def value_in(pair: str) -> str:
    """Return the decoded value of ``pair``; "" if it has no "="."""
    value = pair.partition("=")[2]
    return parse_form_urlencoded(f"={value}")[0][1] if "%" in value or "+" in value else value


def without_pairs(query: str, is_unwanted: Callable[[str], bool]) -> str | None:
    """Return ``query`` without some of its pairs; None if the last pair went.

    ``is_unwanted`` gets the text of each pair. If it refuses no pair, ``query`` is returned.
    """
    pairs = query.split("&")
    kept = [pair for pair in pairs if not (pair and is_unwanted(pair))]
    if len(kept) == len(pairs):
        return query
    return "&".join(kept) if any(kept) else None


def with_pair(query: str | None, name: str, value: str) -> str:
    """Return ``query`` with one pair of that name and value.

    The first pair of that name gets the value, and the others are removed. A pair that already has
    the value keeps its spelling. Without such a pair, one is added at the end.
    """
    pairs = [] if query is None else query.split("&")
    kept: list[str] = []
    is_there = False
    for pair in pairs:
        if not pair or name_in(pair) != name:
            kept.append(pair)
        elif not is_there:
            is_there = True
            if value_in(pair) != value:
                written = serialize_form_urlencoded([("", value)])
                pair = pair.partition("=")[0] + written  # noqa: PLW2901
            kept.append(pair)
    return "&".join(kept) if is_there else with_added_pair(query, name, value)


def with_added_pair(query: str | None, name: str, *values: str) -> str:
    """Return ``query`` with pairs of that name at its end. An existing "&" separates them."""
    pair = serialize_form_urlencoded([(name, value) for value in values])
    if not query:
        return pair
    return f"{query}{pair}" if query.endswith("&") else f"{query}&{pair}"


def sorted_pairs(query: str) -> str:
    """Return ``query`` with its pairs sorted by name, in the order of UTF-16 code units.

    Pairs of the same name keep their order. What is empty between two "&" is removed, if a pair is
    left.
    """
    pairs = [pair for pair in query.split("&") if pair]
    if len(pairs) > 1:
        names = [name_in(pair) for pair in pairs]
        if "".join(names).isascii():  # the same order, in a fraction of the time
            order = sorted(range(len(pairs)), key=names.__getitem__)
        else:
            order = sorted(range(len(pairs)), key=lambda at: names[at].encode("utf-16-be"))
        pairs = [pairs[at] for at in order]
    return "&".join(pairs) if pairs else query


def with_values(query: str | None, values: Mapping[str, Sequence[str]]) -> str | None:
    """Return ``query`` with all pairs of some names replaced; None if no pair is left.

    ``values``: the new values of each name, in order. They replace the old pairs in order.
    Further ones are added after the last old pair, or at the end of the query. A pair
    that already has its value keeps its spelling. Every other byte is kept.
    """
    pairs = [] if query is None else query.split("&")
    waiting = {name: list(reversed(texts)) for name, texts in values.items()}
    last = {name_in(pair): at for at, pair in enumerate(pairs) if pair}
    kept: list[str] = []
    for at, pair in enumerate(pairs):
        name = name_in(pair) if pair else None
        texts = None if name is None else waiting.get(name)
        if name is None or texts is None:
            kept.append(pair)
            continue
        if texts:
            text = texts.pop()
            if value_in(pair) != text:
                written = serialize_form_urlencoded([("", text)])
                pair = pair.partition("=")[0] + written  # noqa: PLW2901
            kept.append(pair)
        if at == last[name]:
            kept.extend(_written(name, waiting.pop(name)))
    added = [pair for name, texts in waiting.items() for pair in _written(name, texts)]
    if added and kept and not kept[-1]:
        kept.pop()  # an existing "&" separates the first
    kept += added
    if query is not None and kept == pairs:
        return query
    return "&".join(kept) if any(kept) else None


def _written(name: str, texts: list[str]) -> list[str]:
    return [serialize_form_urlencoded([(name, text)]) for text in reversed(texts)]
