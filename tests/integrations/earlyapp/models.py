"""Django imports this before any app is ready, and makes all of these classes."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django_filters.filterset import FilterSet
from rest_framework import serializers

from django_whatwg_url.fields import CanonicalURLField


class Place(models.Model):
    """A place on the web."""

    url = CanonicalURLField()
    name = models.CharField(max_length=10)

    def __str__(self) -> str:
        return self.name


class Trimmed(serializers.CharField):
    """A field of the project's own."""


class PlaceFilters(FilterSet):
    """With a part."""

    class Meta:
        model = Place
        fields: ClassVar[Any] = {"url": ["exact", "host__under"]}


class PlaceSerializer(serializers.ModelSerializer[Place]):
    """As anybody writes it."""

    class Meta:
        model = Place
        fields: ClassVar[Any] = ["url", "name"]


class CopiedSerializer(PlaceSerializer):
    """With a table that copies DRF's, and changes it."""

    serializer_field_mapping: ClassVar[Any] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.CharField: Trimmed,
    }


class ChosenSerializer(PlaceSerializer):
    """With a table that says what a URL is."""

    serializer_field_mapping: ClassVar[Any] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        CanonicalURLField: Trimmed,
    }
