"""A small app whose URLs have their registrable domains beside them; it has no migrations."""
