"""The command ``weburl``, which is also ``python -m weburl``: a file for each of its commands.

`main` finds the command and sets up the streams. A command's file has `argument_parser` and `run`,
and imports what only this command needs. `lines` runs the commands that answer for each URL. It
reads by `reading` and writes by `writing`. This room may use every other room except
`integrations`.
"""
