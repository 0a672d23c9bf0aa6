"""AOT Inductor packages (`torch_aoti`, model.pt2): compiled code for one kind of device, run with the tensors of a
batch. Needs PyTorch 2.6, which can load a package outside of the process that made it."""

import inspect
import os

import numpy as np

from conch_python.errors import ModelFault
from conch_python.logger import Logger

from .faults import internal, invalid_arg, package_missing, unavailable
from .framework_model import FrameworkModel
from .torch_interface import UNSUPPORTED
from .torch_structure import input_names, output_names, position_of

try:
    import torch
except Exception as error:  # noqa: BLE001 - a package that is there and broken is missing as well
    torch = None
    _missing = error


class TritonPythonModel(FrameworkModel):
    def open(self):
        if torch is None:
            raise package_missing("torch", "PyTorch", _missing)
        try:
            self._check()
            file = self.path_of("model.pt2")
            if not os.path.exists(file):
                raise unavailable(f'PyTorch inductor model file "{file}" is unreachable or inaccessible.')
            self._load(file)
        except ModelFault as fault:
            prefix = (
                f'failed to create instance "{self.instance_name}" for inductor model "{self.model_name}": Failed to create '
                f'ModelInstanceState for model "{self.model_name}": '
            )
            raise ModelFault(prefix + str(fault), fault.code) from None

    def run(self, inputs, wanted):
        leaves = [None] * self._input_count
        for name, array in inputs.items():
            leaves[self._inputs[name]] = torch.from_numpy(array).to(self._device)
        try:
            arguments, keywords = self._pytree.tree_unflatten(leaves, self._call)
            with torch.inference_mode():
                results, _ = self._pytree.tree_flatten(self._model(*arguments, **keywords))
        except Exception as error:  # noqa: BLE001 - whatever the framework says is the answer
            raise internal(f'Inductor model instance "{self.instance_name}" execution failure: {error}') from None
        return {
            name: self._array(results, position, self._types[name])
            for name, position in sorted(self._outputs.items())
            if name in wanted
        }

    def _array(self, results, position, output):
        subject = f'Inductor model instance "{self.instance_name}" output tensor "{output.name}"'
        if position >= len(results):
            raise invalid_arg(
                f'The output "{output.name}" in the model configuration refers to an output index which doesn\'t exist. '
                f"This model has {len(results)} outputs."
            )
        result = results[position]
        if result.dim() == 0:
            raise internal(f"{subject} is a scalar which is not supported.")
        array = result.detach().cpu().contiguous().numpy()
        provided = _TYPE_NAMES.get(array.dtype, "TYPE_<invalid>")
        if provided != output.data_type:
            raise internal(
                f"{subject} has datatype {provided} but model configuration expects {output.data_type}"
            )
        return array

    def _check(self):
        config = self.config
        if not config.outputs:
            raise internal(
                f'Configuration for model "{self.instance_name}" must define at least one output, none were specified.'
            )
        sides = [("input", each.name, each.data_type) for each in config.inputs]
        sides += [("output", each.name, each.data_type) for each in config.outputs]
        sides += [("input", each.name, each.data_type) for each in config.controls]
        sides += [("input", each.input_name, each.data_type) for each in config.states]
        for kind, name, data_type in sides:
            if data_type in UNSUPPORTED or data_type == "TYPE_STRING":
                raise internal(
                    f'Unsupported datatype {data_type} for {kind} "{name}" for model instance "{self.instance_name}".'
                )
        if not hasattr(getattr(torch, "_inductor", None), "aoti_load_package"):
            raise unavailable(
                f"AOT Inductor packages (torch_aoti) need PyTorch 2.6 or later, and this is {torch.__version__}: choose "
                "another Python, or save the model as TorchScript"
            )

    def _load(self, file):
        if self.is_first:
            Logger.log_warn(
                "Auto-complete configuration is not supported for Inductor models. Skipping auto-complete for model "
                f'"{self.model_name}".'
            )
        import torch.utils._pytree as pytree  # Old versions lack the functions used here, so it waits for the check.

        self._pytree = pytree
        self._device = torch.device(f"cuda:{self.device_id}" if self.kind == "GPU" else "cpu")
        try:
            self._model = load_package(file, self.device_id if self.kind == "GPU" else None)
            calls = [pytree.treespec_loads(text) for text in self._model.loader.get_call_spec()]
        except Exception as error:  # noqa: BLE001
            raise internal(str(error)) from None
        self._call, result = calls
        self._input_count = self._call.num_leaves
        arguments, keywords = pytree.tree_unflatten(list(range(self._input_count)), self._call)
        inputs = input_names(arguments, keywords)
        outputs = output_names(pytree.tree_unflatten(list(range(result.num_leaves)), result))
        config = self.config
        names = [each.name for each in (*config.inputs, *config.controls)] + [each.input_name for each in config.states]
        names += [name for each in config.batch_inputs for name in each.names]
        self._inputs = {name: position_of(name, inputs, "Input", self.instance_name) for name in names}
        self._types = {each.name: each for each in config.outputs}
        self._types.update({each.output_name: each.as_output() for each in config.states})
        self._outputs = {name: position_of(name, outputs, "Output", self.instance_name) for name in self._types}


def load_package(file, device_id):
    """A package of a GPU goes to the first one unless it is told, which PyTorch takes from 2.7 on."""
    load = torch._inductor.aoti_load_package
    if device_id is not None and "device_index" in inspect.signature(load).parameters:
        return load(file, device_index=device_id)
    if device_id:
        raise unavailable(f"PyTorch {torch.__version__} runs AOT Inductor packages on GPU 0 only, and this instance is for GPU {device_id}")
    return load(file)


_TYPE_NAMES = {
    np.dtype(kind): f"TYPE_{name}"
    for kind, name in (
        (np.bool_, "BOOL"),
        (np.uint8, "UINT8"),
        (np.int8, "INT8"),
        (np.int16, "INT16"),
        (np.int32, "INT32"),
        (np.int64, "INT64"),
        (np.float16, "FP16"),
        (np.float32, "FP32"),
        (np.float64, "FP64"),
    )
}
