"""§1.1 and 4.3: validation errors in words, and the grammar of valid URL strings.

The parser decides what text means; nothing here does. May use `infra`, `hosts` and `records`.
"""
