"""Makes the URLs in existing rows canonical, and loses nothing.

`run` goes through a table in batches. `reading` judges each text. `table` has all the SQL. `rules`
are the unique constraints under which rows may collide. `references` and `merging` make one row of
several. `aside` takes text that is no URL. `report` says what happened to each row. The command
``canonicalize_urls`` and the operation `CanonicalizeURLs` only call it. May use `forms`, `columns`
and `validators`.
"""
