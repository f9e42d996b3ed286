"""An app whose models module also defines its filters and serializers."""
