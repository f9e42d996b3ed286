"""The URL column: attribute values, their conversion, and the column's type.

Nothing here knows the parts of a URL.
"""
