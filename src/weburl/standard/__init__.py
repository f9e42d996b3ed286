"""The implementation of the URL Standard, which the other rooms of `weburl` build on.

Import the public names from `weburl`. Everything below this package may change.
"""
