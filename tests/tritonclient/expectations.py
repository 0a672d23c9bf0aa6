"""What checks say about answers; every failure tells what was seen and what was expected."""

import numpy as np
from tritonclient.utils import InferenceServerException


def equal(seen, expected, what="value"):
    if seen != expected:
        raise AssertionError(f"{what}: seen {seen!r}, expected {expected!r}")


def same_array(seen, expected, what="tensor"):
    if seen is None:
        raise AssertionError(f"{what}: absent")
    equal(tuple(seen.shape), tuple(expected.shape), f"{what} shape")
    equal(seen.dtype, expected.dtype, f"{what} type")
    is_float = np.issubdtype(expected.dtype, np.floating)
    if not np.array_equal(seen, expected, **({"equal_nan": True} if is_float else {})):
        raise AssertionError(f"{what}: seen {seen!r}, expected {expected!r}")


def holds(text, part):
    if part not in text:
        raise AssertionError(f"seen {text!r}, expected to find {part!r}")


def raises(part, function, *args, status=None, **kwargs):
    """The call fails with a server error whose message holds `part`; `status` as (HTTP, gRPC name) if given."""
    try:
        function(*args, **kwargs)
    except InferenceServerException as error:
        holds(error.message(), part)
        if status is not None and error.status() is not None:
            if error.status() not in (status[0], f"StatusCode.{status[1]}"):
                raise AssertionError(f"status: seen {error.status()!r}, expected one of {status!r}") from error
        return error
    raise AssertionError(f"no error; expected one with {part!r}")
