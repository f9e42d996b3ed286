"""How other software reads a URL: where it would connect to, and whether all agree.

`standards` reads text as standards say, `libraries` as programs do, and `agreement` compares. This
does not decide whether a URL is safe. May use `legacy`.
"""
