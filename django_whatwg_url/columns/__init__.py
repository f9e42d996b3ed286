"""The URL column: attribute values, their conversion, and the column's type.

Parts of a URL are not known here. Uses no other room.
"""
