"""§4.8: URLs shown to people: which parts, how much of them, and in which characters.

The results are for reading, never for storing. May use `origins` and below.
"""
