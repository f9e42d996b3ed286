"""§4.4: the parser, and the setters that run parts of it.

It reads text; it does not say what its errors mean. May use the rooms up to `validation`.
"""
