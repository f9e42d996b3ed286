"""An app with OAuth applications and clients."""
