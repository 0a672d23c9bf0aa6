"""The names under which models see what comes from the host: those of the extension module of Triton's own backend."""

import enum

NATIVE = "c_python_backend_utils"


class NativeEnumMeta(enum.EnumMeta):
    """Classes that print like those of an extension module."""

    def __repr__(cls):
        return f"<class '{cls.__module__}.{cls.__qualname__}'>"


class NativeEnum(enum.IntEnum, metaclass=NativeEnumMeta):
    """Numbers that print by name, in every Python alike."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, form):
        return format(str(self), form)


def native(kind):
    """Gives a class the module's name; what it has not is missed by its full name. Its objects stand for something of
    this process: they cannot be copied or pickled."""
    kind.__module__ = NATIVE
    if not isinstance(kind, enum.EnumMeta) and not issubclass(kind, BaseException):
        kind.__getattr__ = _missing
        kind.__reduce_ex__ = _refuse_to_be_copied
    return kind


def _missing(self, name):
    raise AttributeError(f"'{NATIVE}.{type(self).__qualname__}' object has no attribute '{name}'")


def _refuse_to_be_copied(self, _protocol):
    raise TypeError(f"cannot pickle '{NATIVE}.{type(self).__qualname__}' object")
