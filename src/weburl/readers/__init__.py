"""How other software reads a URL: where it would connect to, and whether all would agree.

`standards` asks what documents say, `libraries` what programs do, `agreement` compares. No text
is judged safe here. May use `legacy`.
"""
