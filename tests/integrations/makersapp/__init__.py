"""An app for what makes test data."""
