"""How the URL Standard works: what `weburl` and its other rooms are built on.

Import the public names from `weburl`. Everything below this package may change.
"""
