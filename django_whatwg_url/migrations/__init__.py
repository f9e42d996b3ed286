"""The migrations of the journal. A migration that rewrites URLs depends on the first one."""
