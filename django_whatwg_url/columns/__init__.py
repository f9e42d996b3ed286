"""What passes between a row and an attribute: values, their conversion, the column's type.

Parts of a URL are not known here. May use `messages`.
"""
