"""An app with an interface for programs."""
