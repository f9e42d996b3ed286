"""§1.1 and 4.3: validation errors in words, and the grammar of valid URL strings.

Nothing here decides what text means. The parser does. May use `infra`, `hosts` and `records`.
"""
