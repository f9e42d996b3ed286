"""The options of `KeyRules` as JSON, for files and command lines.

It reads and writes the options. `rules` makes rules of them, which check the values.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any, Final

import attrs

from weburl.keys.params import ParamRule

FROM: Final = "from"
"""The key that names the ready rules whose options hold where the JSON has none."""
ALSO_DROP_PARAMS: Final = "also_drop_params"
"""The key of params that go beside those which the ready rules drop."""
_RULES_OF_PARAMS: Final = ("keep_params", "drop_params", ALSO_DROP_PARAMS)


def options_in(text: str, names: Collection[str]) -> dict[str, Any]:
    """Return the options in the JSON object ``text``, with a `ParamRule` for each object in them.

    ``names``: those that an option may have. Raises ValueError for other JSON.
    """
    try:
        options = json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("the rules are not JSON of key rules: too many brackets") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"the rules are not JSON: {error.msg} at {place}") from None
    if not isinstance(options, dict):
        raise ValueError('the rules are not a JSON object, such as {"from": "page"}')  # noqa: TRY004  # it is text
    _refuse_others(options, names)
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
    _refuse_others(value, [field.name for field in attrs.fields(ParamRule)])
    return ParamRule(**value)


def _refuse_others(given: dict[str, Any], names: Iterable[str]) -> None:
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(
            f"the rules have no option {unknown[0]!r}: it is one of {', '.join(names)}"
        )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the rules have the option {name!r} twice")
        found[name] = value
    return found
