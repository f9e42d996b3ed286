"""Providers for polyfactory: calling `register` once covers all factories of a program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import attrs

from weburl.integrations.makers import MAKERS
from weburl.standard.infra.releases import required

with required("polyfactory"):
    from polyfactory.factories.attrs_factory import AttrsFactory
    from polyfactory.factories.base import BaseFactory

__all__ = ["register"]


def register() -> None:
    """Let every factory make URLs, hosts and origins for fields of these types.

    The values are reproducible if a factory is seeded. Calling this twice is harmless.
    """
    for kind, make in MAKERS.items():
        BaseFactory.add_provider(kind, partial(_made, make))
        if attrs.has(kind):
            # For a list of them, polyfactory uses a factory instead of a provider.
            _default_factory(kind, make)


def _made(make: Callable[[Random], Any]) -> Any:  # noqa: ANN401  # as in polyfactory
    # All factories share this source, and seeding any of them seeds it.
    return make(BaseFactory.__faker__.random)


def _default_factory(kind: type[Any], make: Callable[[Random], Any]) -> None:
    def build(
        _cls: type[Any],
        /,
        factory_use_construct: bool | None = None,  # noqa: ARG001  # polyfactory's own
        **components: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        components.pop("_build_context", None)
        return kind(**components) if components else _made(make)

    type(
        f"{kind.__name__}Factory",
        (AttrsFactory,),
        {
            "__model__": kind,
            "__set_as_default_factory_for_type__": True,
            "__doc__": f"Makes values of the class {kind.__name__}.",
            "__module__": __name__,
            "build": classmethod(build),
        },
    )
