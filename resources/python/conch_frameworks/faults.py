"""Failures of loads and runs, with the code that clients see."""

import sys

from conch_python.errors import ModelFault, TritonError
from conch_python.install import install_words


def invalid_arg(text):
    return ModelFault(text, TritonError.INVALID_ARG)


def internal(text):
    return ModelFault(text, TritonError.INTERNAL)


def unavailable(text):
    return ModelFault(text, TritonError.UNAVAILABLE)


def unsupported(text):
    return ModelFault(text, TritonError.UNSUPPORTED)


def unknown(text):
    return ModelFault(text, TritonError.UNKNOWN)


def package_missing(package, title, error):
    """`error`: why the import failed. One sentence with the command that mends it."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    if isinstance(error, ModuleNotFoundError):
        reason = f"Python {version} ('{sys.executable}') has no package '{package}'"
    else:
        reason = f"the package '{package}' of Python {version} ('{sys.executable}') cannot be imported: {error}"
    return unavailable(
        f"{title} models need {title}, and {reason}: {install_words(package)}, or name another Python with "
        "--backend-config=python,python-executable=/path/to/python3"
    )
