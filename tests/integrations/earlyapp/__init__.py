"""An app whose models come with their filters and serializers, in one file."""
