"""Arguments of the interface, taken as Triton's extension module takes them: text also as bytes, whole numbers from
whatever is one (numpy's among them), any sequence for a list. What does not fit is a TypeError."""

import operator

_SMALLEST_64, _LARGEST_64 = -(1 << 63), (1 << 63) - 1
LARGEST_U32, LARGEST_U64 = (1 << 32) - 1, (1 << 64) - 1


def require(value, kind, name):
    """Raises TypeError unless `value` is of that kind."""
    if not isinstance(value, kind):
        raise _refusal(value, kind.__name__, name)


def text(value, name):
    if isinstance(value, str):
        if not value.isascii():
            _check_encodable(value, name)
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    raise _refusal(value, "str", name)


def whole(value, name, smallest=_SMALLEST_64, largest=_LARGEST_64):
    if type(value) is not int:
        value = _whole(value, name)
    if not smallest <= value <= largest:
        raise TypeError(f"{name} must be from {smallest} to {largest}, got {value}")
    return value


def number(value, name):
    if type(value) is float:
        return value
    if isinstance(value, (str, bytes, bytearray)) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise _refusal(value, "float", name)
    return float(value)


def flag(value, name):
    if value is None or not hasattr(value, "__bool__"):
        raise _refusal(value, "bool", name)
    return bool(value)


def sequence(value, name):
    """A list of what any sequence holds."""
    if isinstance(value, (str, bytes, bytearray, dict)) or not hasattr(value, "__getitem__"):
        raise _refusal(value, "list", name)
    return list(value)


def _whole(value, name):
    # Before Python 3.11 a fraction has `__trunc__` alone.
    if isinstance(value, (float, str, bytes, bytearray)) or not any(
        hasattr(value, way) for way in ("__index__", "__int__", "__trunc__")
    ):
        raise _refusal(value, "int", name)
    try:
        return operator.index(value)
    except TypeError:
        return int(value)


def _check_encodable(value, name):
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise TypeError(f"{name} must be text that UTF-8 can hold: {error}") from None


def _refusal(value, wanted, name):
    return TypeError(f"{name} must be of type {wanted}, got {type(value).__name__}")
