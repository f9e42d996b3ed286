"""Parts of a URL in queries: the SQL for each, operands, lookups, and the fields of their type.

People import none of it: `functions` and `generated` are its doors. May use `columns` and
`messages`.
"""
