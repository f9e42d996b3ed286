"""§3, hosts: the five kinds of host as values, and the parser that makes them from text.

Nothing here depends on schemes, paths or records.
"""
