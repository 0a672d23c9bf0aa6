"""TorchScript models (`pytorch_libtorch`, model.pt), run with the tensors of a batch. Each instance has a module of its own,
unless the model shares its weights."""

import os
import warnings

import numpy as np

from conch_python.install import install_words
from conch_python.logger import Logger

from .faults import internal, invalid_arg, package_missing, unavailable
from .framework_model import FrameworkModel
from .in_common import in_common
from .torch_interface import check_counts, check_types, is_dictionary_model
from .torch_names import input_positions, output_positions
from .torch_results import array_of, results_of

try:
    import torch
except Exception as error:  # noqa: BLE001 - a package that is there and broken is missing as well
    torch = None
    _missing = error

# As a shell reads it.
_FITTING_NUMPY = "'numpy<2'"
_SWITCHES = (
    ("DISABLE_OPTIMIZED_EXECUTION", "Optimized execution", True),
    ("INFERENCE_MODE", "Inference Mode", False),
    ("DISABLE_CUDNN", "cuDNN", True),
    ("ENABLE_CACHE_CLEANING", "Cache Cleaning", False),
    ("ENABLE_WEIGHT_SHARING", "Weight sharing", False),
    ("ENABLE_JIT_PROFILING", "Jit profiling", False),
    ("ENABLE_JIT_EXECUTOR", "Jit executor", False),
    ("ENABLE_TENSOR_FUSER", "Tensor fuser", False),
)
# Logged for every model that has parameters; the others when they are set.
_ALWAYS_LOGGED = 4


class TritonPythonModel(FrameworkModel):
    def open(self):
        if torch is None:
            raise package_missing("torch", "PyTorch", _missing)
        _check_numpy()
        file = self.path_of("model.pt")
        if not os.path.exists(file):
            raise unavailable(f"unable to find '{file}' for model instance '{self.model_name}'")
        self._read_parameters()
        self._device = self._choose_device()
        self._module = self._load_or_share(file)
        self._read_interface()

    def run(self, inputs, wanted):
        try:
            returned = self._call(inputs)
        except Exception as error:  # noqa: BLE001 - whatever the framework says is the answer
            raise internal(f"PyTorch execute failure: {error}") from None
        finally:
            if self._cleans_cache and self._device is not None and self._device.type == "cuda":
                torch.cuda.empty_cache()
        results = results_of(torch, returned)
        # Triton's backend goes through outputs by name, whatever the configuration's order is.
        return {
            name: self._output(results, position, self._outputs[name])
            for name, position in sorted(self._output_positions.items())
            if name in wanted
        }

    def _output(self, results, position, output):
        if position >= len(results):
            raise invalid_arg(
                f"The output {output.name} in the model configuration refers to an output index which doesn't exist. "
                f"This model has {len(results)} outputs"
            )
        return array_of(torch, results[position], output, _TYPE_NAMES)

    def _call(self, inputs):
        with torch.inference_mode(self._inference_mode), torch.no_grad():
            tensors = {name: self._tensor(name, array) for name, array in inputs.items()}
            if self._is_dictionary:
                return self._module(tensors)
            arguments = [None] * self._argument_count
            for name, tensor in tensors.items():
                arguments[self._input_positions[name]] = tensor
            return self._module(*arguments)

    def _tensor(self, name, array):
        if array.dtype == np.object_:
            return array.reshape(-1).tolist()
        tensor = torch.from_numpy(array) if array.size > 0 else torch.empty(array.shape, dtype=_TORCH_TYPES[array.dtype])
        return tensor if self._device is None else tensor.to(self._device)

    # --- loading ---

    def _choose_device(self):
        """None: wherever the file says (KIND_MODEL)."""
        if self.kind == "MODEL":
            return None
        if self.kind == "GPU":
            if not torch.cuda.is_available():
                raise unavailable(
                    f"instance '{self.instance_name}' is of KIND_GPU, and PyTorch {torch.__version__} finds no CUDA device"
                )
            return torch.device(f"cuda:{self.device_id}")
        return torch.device("cpu")

    def _load_or_share(self, file):
        if not self._shares_weights:
            return self._load(file)
        module, is_new = in_common(("module", str(self._device)), lambda: self._load(file))
        if not is_new:
            Logger.log_info(f"Reusing TorchScript model for instance '{self.instance_name}'")
        return module

    def _load(self, file):
        try:
            with torch.inference_mode(self._inference_mode):
                if self._device is None:
                    return torch.jit.load(file)
                return torch.jit.load(file, map_location=self._device)
        except Exception as error:  # noqa: BLE001
            raise internal(f"failed to load model '{self.model_name}': {error}") from None

    def _read_interface(self):
        config = self.config
        schema = self._module.forward.schema.arguments
        arguments = [(each.name, each.type.kind(), str(each.type)) for each in schema]
        if arguments and arguments[0][1] == "ClassType":
            arguments = arguments[1:]
        self._is_dictionary = is_dictionary_model(arguments)
        self._argument_count = len(arguments)
        check_counts(config, None if self._is_dictionary else len(arguments), self.model_name)
        check_types(config, self.model_name)
        names = [name for name, _, _ in arguments]
        self._input_positions = {} if self._is_dictionary else input_positions(config, names, self.model_name)
        self._output_positions = output_positions(config, self.model_name)
        self._outputs = {each.name: each for each in config.outputs}
        self._outputs.update({each.output_name: each.as_output() for each in config.states})

    def _read_parameters(self):
        config = self.config
        values = {key: config.boolean(key, default=key == "INFERENCE_MODE") for key, _, _ in _SWITCHES}
        self._inference_mode = values["INFERENCE_MODE"]
        self._cleans_cache = values["ENABLE_CACHE_CLEANING"]
        self._shares_weights = values["ENABLE_WEIGHT_SHARING"]
        if values["DISABLE_OPTIMIZED_EXECUTION"]:
            torch._C._set_graph_executor_optimize(False)
        if values["DISABLE_CUDNN"]:
            torch.backends.cudnn.enabled = False
        for key, switch in (
            ("ENABLE_JIT_PROFILING", "_jit_set_profiling_mode"),
            ("ENABLE_JIT_EXECUTOR", "_jit_set_profiling_executor"),
            ("ENABLE_TENSOR_FUSER", "_jit_set_texpr_fuser_enabled"),
        ):
            if config.has(key) and hasattr(torch._C, switch):
                getattr(torch._C, switch)(values[key])
        for index, (key, title, is_inverse) in enumerate(_SWITCHES):
            if index < _ALWAYS_LOGGED or config.has(key):
                state = "enabled" if values[key] != is_inverse else "disabled"
                self.log_once(f"{title} is {state} for model instance '{self.model_name}'")
        self._set_threads("INTRA_OP_THREAD_COUNT", "Intra", torch.set_num_threads, torch.get_num_threads)
        self._set_threads("INTER_OP_THREAD_COUNT", "Inter", _set_interop_threads, torch.get_num_interop_threads)

    def _set_threads(self, key, title, change, current):
        if not self.config.has(key):
            return
        count = self.config.integer(key)
        if count > 0:
            change(count)
        self.log_once(f"{title} op thread count is set to {current()} for model instance '{self.model_name}'")


def _set_interop_threads(count):
    """PyTorch takes it once per process."""
    in_common("interop threads", lambda: torch.set_num_interop_threads(count))


def _check_numpy():
    warnings.filterwarnings("ignore", message="The given NumPy array is not writ")
    try:
        torch.from_numpy(np.zeros(1, np.float32))
    except RuntimeError as error:
        raise unavailable(
            f"PyTorch {torch.__version__} cannot use numpy {np.__version__} ({error}): install a numpy that fits it, for "
            f"example {install_words(_FITTING_NUMPY)}"
        ) from None


_TYPE_NAMES = {}
_TORCH_TYPES = {}
if torch is not None:
    _TYPE_NAMES = {
        torch.bool: "TYPE_BOOL",
        torch.uint8: "TYPE_UINT8",
        torch.int8: "TYPE_INT8",
        torch.int16: "TYPE_INT16",
        torch.int32: "TYPE_INT32",
        torch.int64: "TYPE_INT64",
        torch.float16: "TYPE_FP16",
        torch.float32: "TYPE_FP32",
        torch.float64: "TYPE_FP64",
    }
    _TORCH_TYPES = {
        np.dtype(np.bool_): torch.bool,
        np.dtype(np.uint8): torch.uint8,
        np.dtype(np.int8): torch.int8,
        np.dtype(np.int16): torch.int16,
        np.dtype(np.int32): torch.int32,
        np.dtype(np.int64): torch.int64,
        np.dtype(np.float16): torch.float16,
        np.dtype(np.float32): torch.float32,
        np.dtype(np.float64): torch.float64,
    }
