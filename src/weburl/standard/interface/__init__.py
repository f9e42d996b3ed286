"""§6: `URL` and `URLSearchParams`, which work as they do in browsers.

This is the only room with values that change.
"""
