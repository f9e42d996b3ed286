"""From the rows that people have to canonical ones, and nothing lost.

`run` goes through a table in batches: `reading` judges each text, `table` is all the SQL, `rules`
are the unique constraints that rows may collide under, `references` and `merging` make one row of
several, `aside` is where text goes that is no URL, and `report` says what became of each row. The
command ``canonicalize_urls`` and the operation `CanonicalizeURLs` are thin doors to it.
May use `forms`, `columns` and `validators`.
"""
