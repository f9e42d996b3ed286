"""A provider for Faker: ``fake.add_provider(URLProvider)``. factory_boy uses it, too."""

from __future__ import annotations

from collections.abc import Sequence

from weburl import Host, TupleOrigin, URLRecord
from weburl.integrations.makers import random_host, random_origin, random_url
from weburl.standard.infra.releases import required

with required("faker"):
    from faker.providers import BaseProvider

__all__ = ["URLProvider"]


class URLProvider(BaseProvider):
    """Random URLs, hosts and origins as values. They are reproducible if Faker is seeded."""

    def url_record(
        self, schemes: Sequence[str] | None = None, max_length: int | None = None
    ) -> URLRecord:
        """Return a URL. The options are the same as for `weburl.integrations.makers.random_url`."""
        return random_url(self.generator.random, schemes=schemes, max_length=max_length)

    def host_record(self) -> Host:
        """Return a domain or an IP address."""
        return random_host(self.generator.random)

    def origin_record(self) -> TupleOrigin:
        """Return the origin of a URL whose scheme is https."""
        return random_origin(self.generator.random)
