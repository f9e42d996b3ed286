"""Queries: lookups on text and on parts of a URL, their operands and SQL, and the field types.

Nothing here is public: projects use `functions` and `generated`.
"""
