"""The lowest room: terms of other standards, code points, schemes, percent-encoding, error types.

Code that depends on how a URL is put together does not belong here.
"""
