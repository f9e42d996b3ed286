"""The ground: terms of other standards, code points, percent-encoding, encodings, error types.

What knows what a URL is does not live here. Uses no other room.
Only `one_value` imports from above, inside the methods that pydantic calls.
"""
