"""The options of `KeyRules` as JSON, for files and command lines.

It reads and writes the options. `rules` makes rules of them, which check the values.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final

import attrs

from weburl.keys.params import ParamRule
from weburl.standard.support import json_options

ALSO_DROP_PARAMS: Final = "also_drop_params"
"""The key for parameters to drop in addition to those of the ready rules."""
_RULES_OF_PARAMS: Final = ("keep_params", "drop_params", ALSO_DROP_PARAMS)


def options_in(text: str, names: Collection[str]) -> dict[str, Any]:
    """Return the options in the JSON object ``text``, with a `ParamRule` for each object in them.

    ``names``: those that an option may have. Raises ValueError for other JSON.
    """
    options = json_options.options_in(text, "rules", names, '{"from": "page"}')
    for name in _RULES_OF_PARAMS:
        if isinstance(options.get(name), list):
            options[name] = [_param_rule(each) for each in options[name]]
    return options


def options_as_json(options: dict[str, Any]) -> str:
    """Return the JSON for options, from which `options_in` reads the same."""
    return json.dumps(options, default=attrs.asdict)


def _param_rule(value: object) -> object:
    if not isinstance(value, dict):
        return value
    json_options.refuse_others(value, "rules", [field.name for field in attrs.fields(ParamRule)])
    return ParamRule(**value)
