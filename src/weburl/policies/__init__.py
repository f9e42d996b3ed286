"""Rules as values: which URLs may be linked, fetched or redirected to.

What an address or a name is for (`addresses`, `names`), which hosts a rule means (`hosts`), and
the policy that puts rules together (`policy`). Nothing here resolves a name or opens a
connection. May use `readers`.
"""
