"""pydantic: rules for a URL in a schema, whose policy may be a name in the settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import attrs

from django_whatwg_url.policies import PolicyOption, check_policy_option, policy_of
from weburl import URLPolicy
from weburl.integrations import pydantic as without_django

__all__ = ["URLRules"]


def _policy(option: PolicyOption | None) -> URLPolicy | Callable[[], URLPolicy] | None:
    if option is None or isinstance(option, URLPolicy):
        return option
    check_policy_option(option)
    return partial(policy_of, option)


@attrs.frozen(kw_only=True)
class URLRules(without_django.URLRules):
    """`weburl.integrations.pydantic.URLRules`, for projects with Django.

    ``policy``: a policy or a reference to one, see `policies.PolicyOption`. Another value raises
    TypeError.
    """

    policy: URLPolicy | Callable[[], URLPolicy] | None = attrs.field(
        default=None, converter=_policy
    )
