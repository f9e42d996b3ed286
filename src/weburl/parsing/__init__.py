"""§4.4: the parser, and the setters that run parts of it.

It records errors, but does not explain them. May use the rooms up to `validation`.
"""
