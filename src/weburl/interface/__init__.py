"""§6: `URL` and `URLSearchParams`, with the web's names and manners.

The only room with values that change. May use `origins` and below.
"""
