"""Five algorithms of HTML, written step by step as the standard has them: the oracles.

They share nothing with `weburl.html` but the names of encodings, and look at one code point at
a time.
"""

from __future__ import annotations

import webencodings

WHITESPACE = "\t\n\f\r "
DIGITS = "0123456789"


def get_an_encoding(label: str) -> str | None:
    """Return the name of an encoding in lower case, or None."""
    encoding = webencodings.lookup(label) if label.isascii() else None
    return None if encoding is None else encoding.name


def extract_a_character_encoding(s: str) -> str | None:
    """Return the encoding in the ``content`` of a `meta` element: section 2.5.3."""
    position = 0
    while True:
        while position < len(s) and not _is_word(s[position : position + 7], "charset"):
            position += 1
        if position >= len(s):
            return None
        position = _skip(s, position + 7)
        if s[position : position + 1] != "=":
            continue
        position = _skip(s, position + 1)
        if position >= len(s):
            return None
        quote = s[position]
        if quote in "\"'":
            later = [i for i in range(position + 1, len(s)) if s[i] == quote]
            return get_an_encoding(s[position + 1 : later[0]]) if later else None
        end = position
        while end < len(s) and s[end] not in WHITESPACE + ";":
            end += 1
        return get_an_encoding(s[position:end])


def refresh_url(s: str) -> str | None:
    """Take the shared declarative refresh steps, up to the text that is parsed as a URL."""
    position = _skip(s, 0)
    digits = position
    while position < len(s) and s[position] in DIGITS:
        position += 1
    if position == digits and s[position : position + 1] != ".":
        return None
    while position < len(s) and s[position] in DIGITS + ".":
        position += 1
    if position == len(s) or s[position] not in WHITESPACE + ";,":
        return None
    position = _skip(s, position)
    if position < len(s) and s[position] in ";,":
        position += 1
    position = _skip(s, position)
    if position == len(s):
        return None
    url = s[position:]
    if s[position] in "Uu":
        for letter in ("Uu", "Rr", "Ll"):
            if s[position : position + 1] == "" or s[position] not in letter:
                return url
            position += 1
        position = _skip(s, position)
        if s[position : position + 1] != "=":
            return url
        position = _skip(s, position + 1)
    quote = s[position : position + 1]
    if quote in ("'", '"'):
        url = s[position + 1 :]
        return url[: url.index(quote)] if quote in url else url
    return s[position:]


def srcset_urls(s: str) -> list[str]:
    """Parse a srcset attribute, and return the URLs of the candidates."""
    candidates: list[str] = []
    position = 0
    while True:
        while position < len(s) and s[position] in WHITESPACE + ",":
            position += 1
        if position >= len(s):
            return candidates
        url = ""
        while position < len(s) and s[position] not in WHITESPACE:
            url += s[position]
            position += 1
        descriptors: list[str] = []
        if url.endswith(","):
            while url.endswith(","):
                url = url[:-1]
        else:
            position = _skip(s, position)
            position = _tokenize_descriptors(s, position, descriptors)
        if _descriptors_are_right(descriptors):
            candidates.append(url)


def _tokenize_descriptors(s: str, position: int, descriptors: list[str]) -> int:  # noqa: C901  # the standard's steps, kept whole
    current = ""
    state = "in descriptor"
    while True:
        c = s[position] if position < len(s) else None
        if state == "in descriptor":
            if c is None or c == ",":
                if current:
                    descriptors.append(current)
                return position if c is None else position + 1
            if c in WHITESPACE:
                if current:
                    descriptors.append(current)
                    current = ""
                    state = "after descriptor"
            else:
                current += c
                if c == "(":
                    state = "in parens"
        elif state == "in parens":
            if c is None:
                descriptors.append(current)
                return position
            current += c
            if c == ")":
                state = "in descriptor"
        else:
            if c is None:
                return position
            if c not in WHITESPACE:
                state = "in descriptor"
                continue
        position += 1


def _descriptors_are_right(descriptors: list[str]) -> bool:
    error = False
    width: int | None = None
    density: float | None = None
    future_compat_h: int | None = None
    for descriptor in descriptors:
        number, last = descriptor[:-1], descriptor[-1]
        if last == "w" and _is_integer(number):
            error = error or width is not None or density is not None or int(number) == 0
            width = int(number)
        elif last == "x" and _is_float(number):
            taken = (width, density, future_compat_h) != (None, None, None)
            error = error or taken or float(number) < 0
            density = float(number)
        elif last == "h" and _is_integer(number):
            taken = (density, future_compat_h) != (None, None)
            error = error or taken or int(number) == 0
            future_compat_h = int(number)
        else:
            error = True
    return not error and (future_compat_h is None or width is not None)


def _is_integer(text: str) -> bool:
    return text != "" and all(c in DIGITS for c in text)


def _is_float(text: str) -> bool:
    mantissa, e, exponent = text.replace("E", "e", 1).partition("e")
    if e and not _is_integer(exponent[1:] if exponent[:1] in ("+", "-") else exponent):
        return False
    whole, point, fraction = mantissa.removeprefix("-").partition(".")
    if point:
        return (not whole or _is_integer(whole)) and _is_integer(fraction)
    return _is_integer(whole)


def _is_word(text: str, word: str) -> bool:
    """ASCII case-insensitive match."""
    return text.isascii() and text.lower() == word


def _skip(s: str, position: int) -> int:
    while position < len(s) and s[position] in WHITESPACE:
        position += 1
    return position


_RULE_KEYS = {"source", "urls", "where", "requires", "target_hint", "referrer_policy",
              "relative_to", "eagerness", "expects_no_vary_search", "tag"}  # fmt: skip


def speculation_rules_urls(parsed: object) -> list[str]:  # noqa: C901  # the standard's steps, kept whole
    """Parse a speculation rule set, and each rule, as far as the URLs that are listed go."""
    if not isinstance(parsed, dict):
        return []
    if "tag" in parsed:
        tag = parsed["tag"]
        if not isinstance(tag, str):
            return []
        for code_point in tag:
            if not 0x20 <= ord(code_point) <= 0x7E:
                return []
    result = []
    for action in ("prefetch", "prerender"):
        if action not in parsed or not isinstance(parsed[action], list):
            continue
        for rule in parsed[action]:
            if not isinstance(rule, dict) or set(rule) - _RULE_KEYS:
                continue
            source = None
            if "source" in rule:
                source = rule["source"]
            elif "urls" in rule and "where" not in rule:
                source = "list"
            elif "where" in rule and "urls" not in rule:
                source = "document"
            if source != "list" or "where" in rule:
                continue
            if "relative_to" in rule and rule["relative_to"] not in ("ruleset", "document"):
                continue
            if "urls" not in rule or not isinstance(rule["urls"], list):
                continue
            if not all(isinstance(url, str) for url in rule["urls"]):
                continue
            result.extend(rule["urls"])
    return result
