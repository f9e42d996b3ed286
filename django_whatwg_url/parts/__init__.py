"""Parts of a URL in queries: the SQL for each, operands, lookups, and fields of their types.

People import nothing from here, but use `functions` and `generated`. May use `columns` and
`messages`.
"""
