"""§1.1 and 4.3: what is said about text as a URL: errors in words, and the grammar for writers.

Nothing here decides what text means: the parser does. May use `infra`, `hosts` and `records`.
"""
