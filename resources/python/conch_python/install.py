"""The words that say how a package gets into this Python. pip refuses to install into one that its system manages (PEP
668): there the package goes into an environment beside the model repository, which the server finds by itself."""

import os
import sys
import sysconfig

_ENVIRONMENT = ".venv"


def install_words(package):
    """"run `COMMAND`" and where; it begins in the middle of a sentence and has no end of its own."""
    if not is_managed():
        return f"run `{sys.executable} -m pip install {package}`"
    program = os.path.join(_ENVIRONMENT, "bin", "python3")
    return (
        f"run `{sys.executable} -m venv --system-site-packages {_ENVIRONMENT} && {program} -m pip install {package}` in "
        f"the folder that holds the model repository, where the server takes {_ENVIRONMENT} at the next load"
    )


def is_managed():
    """An environment never is, whatever it was made of."""
    if sys.prefix != sys.base_prefix:
        return False
    return os.path.exists(os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED"))
