"""An app with links, as in a typical project."""
