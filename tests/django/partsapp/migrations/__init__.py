"""The test app's migrations: a test holds them equal to its models."""
