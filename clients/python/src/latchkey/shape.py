"""Whether a JSON value is what a type says: a response of the wrong shape must not surface far from here."""

from functools import lru_cache
from typing import Any, Dict, List, Literal, Tuple, Union, get_args, get_origin, get_type_hints


@lru_cache(maxsize=None)
def _fields(record: Any) -> "Tuple[Dict[str, Any], frozenset[str]]":
    return get_type_hints(record), record.__required_keys__


def fault_of(value: object, expected: Any, path: str = "response") -> str:
    """What is wrong with a value, as part of a sentence; empty if it is of the expected type."""
    origin, arguments = get_origin(expected), get_args(expected)
    if expected is Any:
        return ""
    if origin is Literal:
        return "" if value in arguments else f"{path} is none of its words"
    if origin is Union:
        faults = [fault_of(value, argument, path) for argument in arguments]
        return "" if "" in faults else faults[0]
    if origin is list or origin is List:
        if not isinstance(value, list):
            return f"{path} is not a list"
        return next(filter(None, (fault_of(one, arguments[0], f"an item of {path}") for one in value)), "")
    if origin is dict or origin is Dict:
        if not isinstance(value, dict):
            return f"{path} is not an object"
        return next(filter(None, (fault_of(one, arguments[1], f"a value of {path}") for one in value.values())), "")
    if hasattr(expected, "__required_keys__"):
        return _fault_of_record(value, expected, path)
    # To Python, true is a number.
    is_kind = isinstance(value, (int, float) if expected is float else expected)
    if not is_kind or (isinstance(value, bool) and expected is not bool):
        return f"{path} is not of the type {'null' if expected is type(None) else expected.__name__}"
    return ""


def _fault_of_record(value: object, record: Any, path: str) -> str:
    if not isinstance(value, dict):
        return f"{path} is not an object"
    hints, required = _fields(record)
    for name, hint in hints.items():
        if name in value:
            fault = fault_of(value[name], hint, f"{path}.{name}")
            if fault:
                return fault
        elif name in required:
            return f"{path}.{name} is missing"
    return ""
