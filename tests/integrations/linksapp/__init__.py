"""An app with links, as a project has them."""
