"""Classes that are made while Django imports models, before any app is ready."""

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
    """Filters by the URL and by one of its parts."""

    class Meta:
        model = Place
        fields: ClassVar[Any] = {"url": ["exact", "host__under"]}


class PlaceSerializer(serializers.ModelSerializer[Place]):
    """A serializer that chooses no field classes."""

    class Meta:
        model = Place
        fields: ClassVar[Any] = ["url", "name"]


class CopiedSerializer(PlaceSerializer):
    """A serializer that copies DRF's table and changes a class."""

    serializer_field_mapping: ClassVar[Any] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.CharField: Trimmed,
    }


class ChosenSerializer(PlaceSerializer):
    """A serializer whose table chooses the class for a URL field."""

    serializer_field_mapping: ClassVar[Any] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        CanonicalURLField: Trimmed,
    }
