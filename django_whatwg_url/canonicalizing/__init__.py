"""Makes the URLs in existing rows canonical, without losing any data.

`run` goes through a table in batches. `reading` classifies each text. `table` has all the SQL.
`rules` has the unique constraints that may make rows collide. `references` and `merging` merge such
rows into one. `aside` moves text that is not a URL. `report` records what happened to each row. The
command ``canonicalize_urls`` and the operation `CanonicalizeURLs` only call this room.
"""
