"""Makes the URLs in existing rows canonical, without losing any data.

`run` goes through a table in batches. `reading` classifies each text. `table` has all the SQL.
`rules` has the unique constraints that may make rows collide. `foreign_keys` and `merging` merge
such rows into one. `disposing` removes text that is not a URL. `report` records what happened to
each row, and `journal` what `undoing` undoes. `recomputing` fills the columns beside a URL.
Commands and operations call this room.
"""
