"""An app with a model for test data."""
