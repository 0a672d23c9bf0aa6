"""Errors of models, and the text that clients see of a Python exception."""

import importlib
import re
import traceback
from concurrent.futures import _base

from .arguments import text
from .hints import hint_of
from .names import NativeEnum, native

# One number per code on the wire between engine and host: the position in this list.
CODES = (
    "UNKNOWN",
    "INTERNAL",
    "NOT_FOUND",
    "INVALID_ARG",
    "UNAVAILABLE",
    "UNSUPPORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
)


@native
class TritonModelException(Exception):
    """What the functions of pb_utils raise, and what a model may raise itself; only its text matters."""


@native
class ErrorCode(NativeEnum):
    """The codes of TritonError, in the order of CODES."""

    UNKNOWN, INTERNAL, NOT_FOUND, INVALID_ARG, UNAVAILABLE, UNSUPPORTED, ALREADY_EXISTS, CANCELLED = range(8)


ErrorCode.__name__, ErrorCode.__qualname__ = "__ErrorCode", "TritonError.__ErrorCode"


class ModelFault(Exception):
    """What is wrong with a model, in a sentence that is shown as it is. `code`: one of those of TritonError."""

    def __init__(self, message, code=ErrorCode.INTERNAL):
        super().__init__(message)
        self.code = code


@native
class TritonError:
    """An error that is the response to one request."""

    UNKNOWN, INTERNAL, NOT_FOUND, INVALID_ARG, UNAVAILABLE, UNSUPPORTED, ALREADY_EXISTS, CANCELLED = ErrorCode

    __slots__ = ("_message", "_code", "__weakref__")

    def __init__(self, message, code=INTERNAL):
        if not isinstance(code, ErrorCode):
            raise TypeError(f"code must be one of the codes of TritonError, got {code!r}")
        self._message = text(message, "message")
        self._code = code

    def message(self):
        return self._message

    def code(self):
        return self._code

    @staticmethod
    def _of_wire(pair):
        """From `[code name, message]`; a code that is not known counts as UNKNOWN."""
        name, message = pair
        return TritonError(message, ErrorCode[name] if name in CODES else ErrorCode.UNKNOWN)

    def _to_wire(self):
        return [CODES[self._code], self._message]


def failure_of(error):
    """What the engine is told of a failed start: the text, and the code where it is not INTERNAL."""
    hint = "" if isinstance(error, ModelFault) else hint_of(error)
    failure = {"text": f"{error_text(error)}\n{hint}" if hint else error_text(error)}
    code = CODES[error.code] if isinstance(error, ModelFault) else "INTERNAL"
    return failure if code == "INTERNAL" else {**failure, "code": code}


def error_text(error):
    """`Type: text`, then the places it came through under `At:`, innermost first; frames of the host are left out."""
    if isinstance(error, ModelFault):
        return str(error)
    # One that code raised by itself, or about a text without a file, is an error like any other.
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        return _syntax_text(error)
    text, failure = _text_of(error)
    places = "".join(_places_of(error))
    head = f"{type(error).__name__}: {text}" + (f"\n\nAt:\n{places}" if places else "")
    return head if failure is None else f"{head}\nMESSAGE UNAVAILABLE DUE TO EXCEPTION: {error_text(failure)}"


def _syntax_text(error):
    """With the line itself, and the files that imported the one that cannot be read."""
    head = f"{type(error).__name__}: {error.msg} ({_base_name(error.filename)}, line {error.lineno})"
    lines = "".join(traceback.format_exception_only(type(error), error)).rstrip("\n")
    places = _places_of(error)
    importers = places if any(not place.startswith("  <frozen ") for place in places) else []
    return f"{head}\n\nAt:\n  {error.filename}({error.lineno})\n{''.join(importers)}\n{lines}"


def _places_of(error):
    """Read off the traceback itself: the module of that name also looks for the source of each of a million frames."""
    places = [f"  {file}({line}): {name}\n" for file, line, name in _from_the_model(_frames_of(error))]
    return places[::-1]


def _frames_of(error):
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if not code.co_filename.startswith(_OUR_FOLDER):
            yield code.co_filename, step.tb_lineno, code.co_name
        step = step.tb_next


def _from_the_model(frames):
    """The way into the model's own file: its first two steps are how the host imports it, or waits for a coroutine."""
    for frame in frames:
        if frame[0] not in _WAYS_IN and frame[2] != "_gcd_import":
            yield frame
            break
    yield from frames


def _text_of(error):
    """The text, and what a `__str__` of the model's own threw instead of giving one."""
    try:
        return str(error) or "<EMPTY MESSAGE>", None
    except BaseException as failure:  # noqa: BLE001
        return "<MESSAGE UNAVAILABLE DUE TO ANOTHER EXCEPTION>", failure


def _base_name(file):
    return re.split(r"[/\\]", file)[-1]


_WAYS_IN = (importlib.__file__, _base.__file__)
_OUR_FOLDER = re.sub(r"[^/\\]+$", "", __file__)
