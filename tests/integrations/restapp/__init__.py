"""An app with a REST API."""
