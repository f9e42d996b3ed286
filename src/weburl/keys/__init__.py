"""Keys for finding URLs that are probably one page, to be kept beside a URL, never instead of it.

`url_key` makes a key of a URL by `KeyRules`. Public are the names in `__all__`. Nothing imports
this room when `weburl` is imported.
"""

from collections.abc import Callable  # noqa: F401  # for annotations, as below

from weburl.keys.lists import ParamList, params_from_clearurls
from weburl.keys.params import ParamRule, Params
from weburl.keys.patterns import linear_pattern
from weburl.keys.rules import (
    RULE_NAMES,
    KeyExplanation,
    KeyPlan,  # noqa: F401
    KeyRules,
    StepTaken,
    url_key,
)
from weburl.keys.steps import (
    DEFAULT_DOCUMENTS,
    STEPS,
    Certainty,
    Details,  # noqa: F401
    Run,  # noqa: F401
    Step,
)
from weburl.keys.surt import SURTProfile, surt
from weburl.keys.tracking import TRACKING_PARAMS, TrackingParams

__all__ = [
    "DEFAULT_DOCUMENTS",
    "RULE_NAMES",
    "STEPS",
    "TRACKING_PARAMS",
    "Certainty",
    "KeyExplanation",
    "KeyRules",
    "ParamList",
    "ParamRule",
    "Params",
    "SURTProfile",
    "Step",
    "StepTaken",
    "TrackingParams",
    "linear_pattern",
    "params_from_clearurls",
    "surt",
    "url_key",
]
