"""Logger: lines for the log of the server, with the place in the model's code that wrote them."""

import sys

from .arguments import require, text
from .frames import LOG, json_frame
from .link import link
from .names import NativeEnum, native


@native
class LogLevel(NativeEnum):
    INFO, WARNING, ERROR, VERBOSE = range(4)


@native
class Logger:
    """Never an object: its functions belong to the class."""

    LogLevel = LogLevel
    LogLevel.__qualname__ = "Logger.LogLevel"
    INFO, WARNING, ERROR, VERBOSE = LogLevel

    def __init__(self):
        raise TypeError("c_python_backend_utils.Logger: No constructor defined!")

    @staticmethod
    def log(message, level=LogLevel.INFO):
        require(level, LogLevel, "level")
        _write(text(message, "message"), level)

    @staticmethod
    def log_info(message):
        _write(text(message, "message"), LogLevel.INFO)

    @staticmethod
    def log_warn(message):
        _write(text(message, "message"), LogLevel.WARNING)

    @staticmethod
    def log_error(message):
        _write(text(message, "message"), LogLevel.ERROR)

    @staticmethod
    def log_verbose(message):
        _write(text(message, "message"), LogLevel.VERBOSE)


# The engine reads a line at once, while everybody else waits.
_LARGEST_MESSAGE = 1 << 18


def _write(message, level):
    caller = sys._getframe(2)
    log(message, level, caller.f_code.co_filename, caller.f_lineno)


def log(message, level, file="", line=0):
    """Before the link is up, and without one, lines go to the standard error."""
    channel = link.channel
    if channel is None or channel.is_closed:
        print(f"{level.name} {file}:{line}] {message}", file=sys.stderr, flush=True)
        return
    if len(message) > _LARGEST_MESSAGE:
        message = f"{message[:_LARGEST_MESSAGE]}... ({len(message) - _LARGEST_MESSAGE} characters more)"
    channel.lines.add(json_frame(LOG, [level.name, file, line, message]))
