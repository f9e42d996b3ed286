"""Models that are asked by the parts of their URLs: by indexes, generated columns, constraints."""

from __future__ import annotations

from django.db import models

from django_whatwg_url.constraints import IsCanonicalURL, URLAllowedBy
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import URLHost
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex
from weburl import URLPolicy

HOOK_POLICY = URLPolicy(
    schemes=["https", "ws"],
    ports=[443, 80, 8443],
    credentials=False,
    fragments=False,
    max_length=60,
    hosts=["hook.example", "*.hooks.example", "127.0.0.1", "[::1]", "single"],
    registrable_domains=["example.co.uk"],
    refused_hosts=["bad.hooks.example", "*.worse.hooks.example"],
    ip_hosts=False,
    single_labels=False,
    require_agreement=True,
)


class Plain(models.Model):
    """A URL and another, neither with more than the column itself."""

    url = CanonicalURLField(null=True, blank=True, schemes=None)
    other = CanonicalURLField(null=True, blank=True, schemes=None)


class Indexed(models.Model):
    """An index on every part, where the database has indexes on expressions."""

    url = CanonicalURLField(unique=True, schemes=None)
    year = models.IntegerField(db_default=2000)

    class Meta:
        indexes = (
            URLIndex("url", part="scheme"),
            URLIndex("url", part="username"),
            URLIndex("url", part="host"),
            URLIndex("url", part="hostname"),
            URLIndex("url", part="reversed_host"),
            URLIndex("url", part="port"),
            URLIndex("url", part="path"),
            URLIndex("url", part="query"),
            URLIndex("url", part="fragment"),
            URLIndex("url", part="origin"),
            models.Index(URLHost("url"), "year", name="host_and_year"),
        )


class Generated(models.Model):
    """A generated column for every part, with an index, on any database."""

    url = CanonicalURLField(unique=True, schemes=None)
    scheme = GeneratedURLPartField("url", part="scheme", db_index=True)
    username = GeneratedURLPartField("url", part="username", db_index=True)
    host = GeneratedURLPartField("url", part="host", db_index=True)
    hostname = GeneratedURLPartField("url", part="hostname", db_index=True)
    reversed_host = GeneratedURLPartField("url", part="reversed_host", db_index=True)
    port = GeneratedURLPartField("url", part="port", db_index=True)
    path = GeneratedURLPartField("url", part="path", db_index=True)
    query = GeneratedURLPartField("url", part="query", db_index=True)
    fragment = GeneratedURLPartField("url", part="fragment", db_index=True)
    origin = GeneratedURLPartField("url", part="origin", db_index=True)


class Canonical(models.Model):
    """A URL that is refused where it certainly is not canonical."""

    url = CanonicalURLField(null=True, blank=True, schemes=None)

    class Meta:
        constraints = (IsCanonicalURL("url", name="url_looks_canonical"),)


OFFICIAL_POLICY = URLPolicy(schemes=["https"], hosts=[".example.com", ".bücher.example"])
MIRROR_POLICY = URLPolicy(hosts=["mirror.example", "127.0.0.1"])


class Official(models.Model):
    """A URL with but one scheme, and one host or a host below another."""

    url = CanonicalURLField(null=True, blank=True, schemes=None)
    mirror = CanonicalURLField(null=True, blank=True, schemes=None)

    class Meta:
        constraints = (
            URLAllowedBy("url", OFFICIAL_POLICY, name="official_is_ours"),
            URLAllowedBy("mirror", MIRROR_POLICY, name="mirror_is_ours"),
        )


class Hook(models.Model):
    """A URL that a policy allows, as far as the database can tell."""

    url = CanonicalURLField(null=True, blank=True, schemes=None)

    class Meta:
        constraints = (URLAllowedBy("url", HOOK_POLICY, name="hook_is_allowed"),)
