"""§4: the URL record, its parser, its setters, its origin, and the reports of what is wrong.

A record has methods that parse, and a parser makes records. So the files of this room know each
other. `api` has the public functions, and tries the `fast_path` before the general `parser`.
"""
