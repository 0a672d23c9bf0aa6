"""A TensorRT plan as the package `tensorrt` opens it, read into data: names, types, shapes, optimisation profiles."""

import ctypes
import threading

from conch_python.install import install_words
from conch_python.logger import LogLevel, log

from .faults import internal, package_missing, unavailable
from .in_common import in_common
from .tensorrt_interface import EngineTensor, Limits

try:
    import tensorrt as trt
except Exception as error:  # noqa: BLE001 - a package that is there and broken is missing as well
    trt = None
    _missing = error

_PACKAGE = "tensorrt-cu12"
_OLDEST = 10
_TYPES = {
    "FLOAT": "TYPE_FP32",
    "HALF": "TYPE_FP16",
    "BF16": "TYPE_BF16",
    "INT8": "TYPE_INT8",
    "UINT8": "TYPE_UINT8",
    "INT32": "TYPE_INT32",
    "INT64": "TYPE_INT64",
    "BOOL": "TYPE_BOOL",
}
_LEVELS = {
    "INTERNAL_ERROR": LogLevel.ERROR,
    "ERROR": LogLevel.ERROR,
    "WARNING": LogLevel.WARNING,
    "INFO": LogLevel.INFO,
    "VERBOSE": LogLevel.VERBOSE,
}


def framework():
    """The package. Raises UNAVAILABLE with the command that installs it."""
    if trt is None:
        raise package_missing(_PACKAGE, "TensorRT", _missing)
    if int(trt.__version__.split(".")[0]) < _OLDEST:
        raise unavailable(
            f"TensorRT models need TensorRT {_OLDEST} or later, and the package of the chosen Python is {trt.__version__}: "
            f"{install_words(f'--upgrade {_PACKAGE}')} for it"
        )
    return trt


class Plan:
    """An engine, and what it says of itself. `inputs`, `outputs`: name -> EngineTensor, in the engine's order."""

    def __init__(self, engine):
        self.engine = engine
        self.profile_count = engine.num_optimization_profiles
        self.inputs = {}
        self.outputs = {}
        for index in range(engine.num_io_tensors):
            name = engine.get_tensor_name(index)
            is_input = engine.get_tensor_mode(name) == trt.TensorIOMode.INPUT
            (self.inputs if is_input else self.outputs)[name] = self._describe(name, is_input)

    @property
    def is_dynamic(self):
        return any(each.is_shape or -1 in each.dims for each in self.inputs.values())

    def _describe(self, name, is_input):
        engine = self.engine
        dims = list(engine.get_tensor_shape(name))
        is_shape = engine.is_shape_inference_io(name)
        is_linear = engine.get_tensor_format(name, 0) == trt.TensorFormat.LINEAR
        profiles = range(self.profile_count) if is_input else ()
        return EngineTensor(
            name,
            _TYPES.get(engine.get_tensor_dtype(name).name, "TYPE_INVALID"),
            dims,
            is_shape=is_shape,
            is_on_host=engine.get_tensor_location(name) == trt.TensorLocation.HOST,
            vector=None
            if is_linear
            else (engine.get_tensor_vectorized_dim(name, 0), engine.get_tensor_components_per_element(name, 0)),
            limits=[_limits(engine.get_tensor_profile_shape(name, profile), dims) for profile in profiles],
            # The package names these two arguments the other way round: they are taken by their places.
            values=[_limits(engine.get_tensor_profile_values(profile, name), None) for profile in profiles if is_shape],
        )


def _limits(three, dims):
    """`three`: least, best and largest. Where the engine has none, a shape is what `dims` says."""
    lists = [list(each) for each in three or ()]
    if len(lists) == 3 and (dims is None or all(len(each) == len(dims) for each in lists)):
        return Limits(*lists)
    return Limits(dims or [], dims or [], dims or [])


class Engines:
    """The engine of a file on a GPU. Instances share one whose shapes are fixed, as in Triton; others have their own."""

    def __init__(self, file, device, settings):
        self._load = lambda: load_plan(file, device, settings)
        self._lock = threading.Lock()
        self._is_taken = False
        self.first = self._load()

    def take(self):
        with self._lock:
            is_first, self._is_taken = not self._is_taken, True
        return self.first if is_first or not self.first.is_dynamic else self._load()


def load_plan(file, device, settings):
    """Raises INTERNAL with what TensorRT logged. The GPU has been entered."""
    framework()
    journal = journal_of_process()
    journal.taken()
    in_common("TensorRT's plugins", lambda: _load_plugins(settings, journal))
    runtime, _ = in_common(("TensorRT's runtime", device), lambda: _runtime(settings, journal))
    with open(file, "rb") as content:
        data = content.read()
    engine = _attempt(lambda: runtime.deserialize_cuda_engine(data), journal)
    if engine is None:
        raise internal(f"unable to create TensorRT engine: {journal.taken()}")
    return Plan(engine)


def journal_of_process():
    """TensorRT has one logger in a process, whoever made it."""
    return in_common("TensorRT's journal", lambda: _journal_class()())[0]


def _runtime(settings, journal):
    runtime = _attempt(lambda: trt.Runtime(journal), journal)
    if runtime is None:
        raise internal(f"unable to create TensorRT runtime: {journal.taken()}")
    if settings.is_version_compatible:
        runtime.engine_host_code_allowed = True
    return runtime


def _load_plugins(settings, journal):
    for path in settings.plugins:
        try:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise internal(f"unable to load custom plugin library of --backend-config=tensorrt,plugins: {error}") from None
    trt.init_libnvinfer_plugins(journal, "")
    return True


def _attempt(call, journal):
    """None where TensorRT gives nothing; older and newer bindings tell that in different ways."""
    try:
        return call()
    except (RuntimeError, TypeError) as error:
        journal.keep(str(error))
        return None


def _journal_class():
    class Journal(trt.ILogger):
        """Writes TensorRT's lines into the log of the model, and keeps the errors of each thread for its next failure."""

        def __init__(self):
            trt.ILogger.__init__(self)
            self._kept = threading.local()

        def log(self, severity, msg):
            level = _LEVELS.get(severity.name, LogLevel.INFO)
            if level is LogLevel.ERROR:
                self.keep(msg)
            log(msg, level)

        def keep(self, message):
            self._kept.__dict__.setdefault("lines", []).append(message)

        def taken(self):
            """What was kept of this thread since the last time."""
            return "; ".join(self._kept.__dict__.pop("lines", [])) or "TensorRT gives no reason"

    return Journal
