"""§4.8: how URLs are shown to people: which parts, how much of them, and in which characters.

The results are for reading. Never store them.
"""
