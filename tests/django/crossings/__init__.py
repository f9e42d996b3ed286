"""The table of crossings: what each field does, however it is declared, in every place of Django.

`rows` has the fields as people declare them, and `places` what is done with them. The files in
``cells`` say what is promised where the two meet. `table` reads them, and `page` writes
``docs/which-field.md``. `test_crossings` compares each cell with what happens.

`make test` takes the declarations that differ most. `make test-crossings` takes all of them on
SQLite, and those that differ by database on PostgreSQL and MariaDB, with the other packages.
"""
