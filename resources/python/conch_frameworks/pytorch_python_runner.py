"""PyTorch models with `runtime: "model.py"`: a class of the user's that is a torch.nn.Module, with weights beside it, or a
TorchScript file. Errors of a run are those of a Python model."""

import importlib.util
import inspect
import json
import os
import sys

from conch_python.dtypes import BF16, BYTES
from conch_python.link import link
from conch_python.logger import Logger
from conch_python.response import InferenceResponse
from conch_python.tensor import Tensor

from .config import Config
from .faults import internal, package_missing

try:
    import torch
except Exception as error:  # noqa: BLE001 - a package that is there and broken is missing as well
    torch = None
    _missing = error

_COMPILE_PARAMETERS = "TORCH_COMPILE_OPTIONAL_PARAMETERS"
_LONGEST_REASON = 300


class TritonPythonModel:
    def initialize(self, args):
        if torch is None:
            raise package_missing("torch", "PyTorch", _missing)
        self._config = Config(args["model_config"])
        self._name = args["model_name"]
        self._kind = args["model_instance_kind"]
        Logger.log_info(f"Initializing model instance for '{self._name}'")
        self._set_threads()
        file = find_file(link.version_dir, self._config.file_name)
        device = "cpu"
        if self._kind == "GPU":
            device = f"cuda:{int(args['model_instance_device_id'] or 0)}"
        if file.endswith(".py"):
            self._model = self._compiled(self._eager(file, device))
        else:
            Logger.log_info(f"Loading '{self._name}' as TorchScript")
            self._model = torch.jit.load(file)
            if self._kind != "MODEL":
                self._model.to(device)
            self._model.eval()
        self._device = self._device_of(device)

    def execute(self, requests):
        with torch.inference_mode():
            if self._config.max_batch_size > 0:
                return self._run(requests)
            return [response for request in requests for response in self._run([request])]

    def finalize(self):
        Logger.log_info(f"Removing model instance for '{self._name}'")

    def _run(self, requests):
        given = [[self._input(request, each.name) for each in self._config.inputs] for request in requests]
        joined = given[0] if len(given) == 1 else [torch.cat(parts) for parts in zip(*given)]
        try:
            results = self._model(*joined)
        except Exception as error:
            reason = compiler_reason(error)
            if reason is None:
                raise
            Logger.log_error(f"torch.compile failed for '{self._name}': {error}")
            raise internal(f"torch.compile failed: {reason}") from None
        if not isinstance(results, tuple):
            results = (results,)
        # By position; a model with fewer results has no answer for the last ones.
        outputs = [(each.name, results[index]) for index, each in enumerate(self._config.outputs)]
        if len(requests) == 1:
            return [self._response(outputs)]
        rows = [parts[0].shape[0] for parts in given]
        cut = [(name, torch.split(result, rows)) for name, result in outputs]
        return [self._response([(name, parts[index]) for name, parts in cut]) for index in range(len(requests))]

    def _input(self, request, name):
        tensor = next(each for each in request.inputs() if each.name() == name)
        if tensor.triton_dtype() in (BF16, BYTES):
            given = torch.utils.dlpack.from_dlpack(tensor.to_dlpack())
        else:
            given = torch.from_numpy(tensor.as_numpy())
        return given.to(self._device)

    @staticmethod
    def _response(outputs):
        tensors = []
        for name, result in outputs:
            on_host = result.detach().cpu().contiguous()
            if on_host.dtype == torch.bfloat16:
                tensors.append(Tensor.from_dlpack(name, torch.utils.dlpack.to_dlpack(on_host)))
            else:
                tensors.append(Tensor(name, on_host.numpy()))
        return InferenceResponse(tensors)

    # --- loading ---

    def _set_threads(self):
        counts = {key: max(1, self._config.integer(key, 1)) for key in ("NUM_THREADS", "NUM_INTEROP_THREADS")}
        torch.set_num_threads(counts["NUM_THREADS"])
        torch.set_num_interop_threads(counts["NUM_INTEROP_THREADS"])
        listed = "".join(f"{key} = {count}; " for key, count in counts.items())
        Logger.log_verbose(f"Torch parallelism settings for '{self._name}': {listed}")

    def _eager(self, file, device):
        spec = importlib.util.spec_from_file_location(self._name, file)
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(self._name, module)
        spec.loader.exec_module(module)
        kind = module_class(module, torch.nn.Module)
        if kind.__module__ != module.__name__:
            Logger.log_info(
                f"'{self._name}' runs the class '{kind.__name__}' that its file imports from {kind.__module__}: the first by "
                "name is taken; import the module instead of the class to leave it out"
            )
        model = kind()
        weights = f"{os.path.splitext(file)[0]}.pt"
        if os.path.exists(weights):
            where = None if self._kind == "MODEL" else device
            # Numbers only: a file of weights has no business to run code.
            model.load_state_dict(torch.load(weights, map_location=where, weights_only=True))
        else:
            Logger.log_info(f"Model parameter file not found for '{self._name}'")
        return model if self._kind == "MODEL" else model.to(device)

    def _compiled(self, model):
        options = compile_options(self._config.text(_COMPILE_PARAMETERS))
        Logger.log_verbose(f"'torch.compile' optional parameter(s) for '{self._name}': {json.dumps(options)}")
        if not hasattr(torch, "compile"):
            Logger.log_info(f"'{self._name}' runs without torch.compile, which PyTorch {torch.__version__} does not have")
            return model
        return torch.compile(model, **options)

    def _device_of(self, device):
        if self._kind != "MODEL":
            return torch.device(device)
        first = next(self._model.parameters(), None)
        if first is None:
            raise internal("Cannot determine model device")
        return first.device


def find_file(folder, named):
    """The configured file, model.py or model.pt: the first that is there."""
    names = [*([named] if named else []), "model.py", "model.pt"]
    for name in names:
        file = os.path.join(folder, name)
        if os.path.exists(file):
            return file
    raise internal(f"No model found in {folder}/{names}")


def module_class(module, base):
    """The first class in alphabetical order that is a module of the framework; an imported one counts."""
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if issubclass(kind, base):
            return kind
    raise internal("Cannot find a subclass of torch.nn.Module")


def compiler_reason(error):
    """The one line of a failure of torch.compile that says what is wrong; None for any other error, that of the model's own
    operations among them, which the compiler meets when it tries them. The first run compiles, so its failures come with
    advice to those who develop the compiler, and with the output of g++."""
    kind = type(error)
    if not kind.__module__.startswith(("torch._dynamo", "torch._inductor")) or kind.__name__ == "TorchRuntimeError":
        return None
    lines = [line.strip() for line in str(error).splitlines()]
    reason = next((line for line in lines if line != "" and not line.endswith("raised:")), type(error).__name__)
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}..."


def compile_options(text):
    """Arguments of torch.compile out of a JSON object."""
    if text == "":
        return {}
    try:
        options = json.loads(text)
    except ValueError as error:
        raise internal(f"parameter '{_COMPILE_PARAMETERS}' is no JSON: {error}") from None
    if not isinstance(options, dict):
        raise internal(f"parameter '{_COMPILE_PARAMETERS}' must be a JSON object, got {text}")
    if "model" in options:
        raise internal("'model' is not an optional parameter for 'torch.compile'")
    return options
