"""Parameters of requests and responses: dictionaries of bool, int and str on the way out, JSON text to models."""

import json
import math
from decimal import Decimal

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
    if not any(isinstance(value, float) for value in parameters.values()):
        return _encode(parameters) if parameters else "{}"
    members = (
        f"{_encode(key)}:{_real_text(value) if isinstance(value, float) else _encode(value)}"
        for key, value in parameters.items()
    )
    return "{" + ",".join(members) + "}"


def own_parameters_text(parameters):
    """As Python's `json` writes what the model itself made: blanks between members, other letters escaped."""
    return json.dumps(parameters)


def to_wire(parameters):
    """Integers as text beside their kind, since JSON of the other side has 53 bits."""
    return {key: [str(value)] if _is_integer(value) else value for key, value in parameters.items()}


def of_wire(parameters):
    """A number that is no text is a double; so is a text whose kind is named."""
    return {key: _of_wire(value) for key, value in parameters.items()}


def _of_wire(value):
    if isinstance(value, list):
        return int(value[0]) if len(value) == 1 else float(value[0])
    return float(value) if type(value) is int else value


def _real_text(value):
    """A double with a point or an exponent, without zeros or a plus sign in that: `1000.0`, `1e30`, `1e-7`, `NaN`."""
    if not math.isfinite(value) or value == 0:
        return json.dumps(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    shown = "".join(map(str, digits))
    before_point = len(digits) + exponent
    if exponent >= 0 and before_point <= 21:
        text = shown + "0" * exponent + ".0"
    elif 0 < before_point <= 21:
        text = f"{shown[:before_point]}.{shown[before_point:]}"
    elif -6 < before_point <= 0:
        text = f"0.{'0' * -before_point}{shown}"
    else:
        text = f"{shown[0]}{'.' + shown[1:] if len(shown) > 1 else ''}e{before_point - 1}"
    return f"-{text}" if sign else text


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)
