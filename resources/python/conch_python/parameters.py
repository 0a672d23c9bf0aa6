"""Parameters of requests and responses: dictionaries of bool, int and str on the way out, JSON text to models."""

import json

from .errors import TritonModelException

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def checked_parameters(parameters):
    """A copy of the dictionary a model gave, or None for none. Raises TritonModelException."""
    if parameters is None:
        return None
    if not isinstance(parameters, dict):
        raise TritonModelException(f"Expect dict, got {type(parameters)}")
    for key, value in parameters.items():
        if not isinstance(key, str):
            raise TritonModelException(f"Expect parameters keys to have type str, found type {type(key)}")
        if not isinstance(value, (bool, int, str)):
            raise TritonModelException(
                f"Expect parameters values to have type bool/int/str, found type {type(value)}"
            )
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise TritonModelException(f"parameter '{key}' must be an integer of 64 bits, got {value}")
    return dict(parameters)


def parameters_text(parameters):
    """As the server writes the parameters of a request that came to it."""
    return _encode(parameters) if parameters else "{}"


def own_parameters_text(parameters):
    """As Python's `json` writes what the model itself made: blanks between members, other letters escaped."""
    return json.dumps(parameters)


def to_wire(parameters):
    """Integers as text beside their kind, since JSON of the other side has 53 bits."""
    return {key: [str(value)] if _is_integer(value) else value for key, value in parameters.items()}


def of_wire(parameters):
    """A number that is no text is a double."""
    return {
        key: int(value[0]) if isinstance(value, list) else float(value) if type(value) is int else value
        for key, value in parameters.items()
    }


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)
