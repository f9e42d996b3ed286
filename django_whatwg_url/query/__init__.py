"""Lookups on URLs and on their parts, with operands, SQL and field types.

Nothing here is public. Projects use `functions` and `generated`.
"""
