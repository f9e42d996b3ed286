"""The URL column: attribute values, their conversion, and the type of the column.

Nothing here reads the parts of a URL, or is about queries.
"""
