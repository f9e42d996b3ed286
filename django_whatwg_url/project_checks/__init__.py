"""The system checks of a project: its models, its migrations and its settings."""
