"""Foreign keys that the database follows: only from Django 6.1 on."""
