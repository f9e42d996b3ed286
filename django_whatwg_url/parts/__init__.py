"""Parts of a URL in queries: the SQL for each part, operands, lookups, and the field types.

Nothing here is public: projects use `functions` and `generated`.
"""
