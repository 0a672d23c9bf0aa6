"""What the instances of a model have in common when they run in one process: compiled models, weights, what may be set
only once. They are of one model version, so a name is enough to tell such things apart."""

import threading

# What is made may itself be made of what is in common.
_lock = threading.RLock()
_made = {}


def in_common(name, make):
    """`(what make() returned for the first instance that asked, whether this is that instance)`. `name`: anything that
    can be a key. An error of `make` is that of the instance, and the next one tries again."""
    with _lock:
        if name in _made:
            return _made[name], False
        made = _made[name] = make()
        return made, True
