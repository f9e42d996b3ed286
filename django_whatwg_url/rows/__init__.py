"""Makes the URLs in existing rows canonical, without losing any data.

`run` goes through a table in batches. `reading` classifies each text. `table` has all the SQL.
`rules` has the unique constraints that may make rows collide. `references` and `merging` merge such
rows into one. `disposing` removes text that is not a URL. `report` tells people what happened to
each row, and `journal` records what `undo` undoes. `recompute` fills companion columns.
Commands and operations use this package.
"""
