"""An app with keys beside URLs of several kinds."""
