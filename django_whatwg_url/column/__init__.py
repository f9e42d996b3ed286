"""The URL column: the values of its attribute, their conversion, and the type of the column.

Parts of a URL and queries are in `query`.
"""
