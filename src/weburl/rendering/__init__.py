"""§4.8: URLs shown to people: which parts, how much of them, and in which characters.

What is made here is for reading, never for storing. May use `origins` and below.
"""
