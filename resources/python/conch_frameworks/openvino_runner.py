"""OpenVINO models (model.xml with model.bin, and what else the runtime reads): one compiled model for all instances, and
an infer request for each."""

import os

import numpy as np

from conch_python.link import link
from conch_python.logger import Logger

from .config import Config
from .faults import internal, invalid_arg, package_missing, unavailable
from .framework_model import FrameworkModel
from .in_common import in_common
from .openvino_interface import ModelTensor, check_inputs, check_outputs, complete
from .openvino_parameters import OpenVinoParameters

try:
    import openvino as ov
    from openvino import Layout, PartialShape, preprocess
except Exception as error:  # noqa: BLE001
    ov = None
    _missing = error

_NAMES = {
    "boolean": "TYPE_BOOL",
    "u8": "TYPE_UINT8",
    "u16": "TYPE_UINT16",
    "u32": "TYPE_UINT32",
    "u64": "TYPE_UINT64",
    "i8": "TYPE_INT8",
    "i16": "TYPE_INT16",
    "i32": "TYPE_INT32",
    "i64": "TYPE_INT64",
    "f16": "TYPE_FP16",
    "f32": "TYPE_FP32",
}
_ELEMENTS = {name: element for element, name in _NAMES.items()}


class TritonPythonModel(FrameworkModel):
    @staticmethod
    def auto_complete_config(given):
        config = Config(given.as_dict())
        model = _read(ov_file(config, link.version_dir), config.name)
        inputs, outputs = _interface(model)
        complete(config, inputs, outputs, int(link.arguments.get("default_max_batch_size") or 0))
        return given

    def open(self):
        if self.configured_kind != "CPU":
            raise invalid_arg(
                f"unable to load model '{self.model_name}', Triton OpenVINO backend supports only Kind CPU and AUTO"
            )
        self._parameters = OpenVinoParameters(self.config)
        compiled, _ = in_common("compiled", self._compiled)
        self._request = _step("creating infer request object", compiled.create_infer_request)

    def _compiled(self):
        config, parameters = self.config, self._parameters
        self.log_once(f"Target device {parameters.target}")
        model = _read(ov_file(config, self.version_dir), self.model_name)
        inputs, outputs = _interface(model)
        check_inputs(config, inputs, self.model_name, parameters.takes_config_shapes)
        model = self._prepared(model)
        if config.max_batch_size > 0:
            _step("setting max batch size", ov.set_batch, model, config.max_batch_size)
        dynamic = {each.name for each in outputs if each.is_dynamic}
        check_outputs(config, _interface(model)[1], self.model_name, not parameters.takes_config_shapes, dynamic)
        return self._compile(model)

    def gather(self, batch):
        # Triton's backend looks after each request whether the batch is full, so that only one request alone can fill it.
        limit = self.config.max_batch_size
        if limit > 0 and batch.rows[0] != limit and not self._parameters.pads:
            raise _not_full(limit, batch.rows[0])
        return batch.plain_inputs()

    def run(self, inputs, wanted):
        limit = self.config.max_batch_size
        rows = 0
        if limit > 0:
            rows = next(iter(inputs.values())).shape[0]
            inputs = self._full(inputs, rows, limit)
        for name, array in inputs.items():
            _step("setting tensor data", self._request.set_tensor, name, ov.Tensor(array, shared_memory=True))
        _step("running inference - wait", self._request.infer)
        return {each.name: self._output(each.name, rows, limit) for each in self.config.outputs if each.name in wanted}

    def _output(self, name, rows, limit):
        array = self._request.get_tensor(name).data.copy()
        if limit == 0:
            return array
        if array.shape[0] not in (limit, rows):
            raise internal(f"expected the batch size of openvino model output to be {limit}, got {array.shape[0]}")
        return array[:rows]

    def _full(self, inputs, rows, limit):
        if rows == limit:
            return inputs
        Logger.log_verbose(
            f"padding input with {limit - rows} additional batches to match max_batch_size, send requests with batch_size "
            "equal to max_batch_size for better performance."
        )
        return {
            name: np.concatenate([array, np.zeros((limit - rows, *array.shape[1:]), array.dtype)])
            for name, array in inputs.items()
        }

    def _prepared(self, model):
        """The model with the configured types, and shapes where they are to be taken."""
        config = self.config
        if self._parameters.takes_config_shapes:
            batch = [config.max_batch_size] if config.max_batch_size > 0 else []
            shapes = {each.name: PartialShape([*batch, *each.model_dims]) for each in config.inputs}
            _step("setting shape", model.reshape, shapes)
        processor = preprocess.PrePostProcessor(model)
        for each in config.inputs:
            tensor = processor.input(each.name).tensor()
            tensor.set_element_type(getattr(ov.Type, _ELEMENTS[each.data_type]))
            if config.max_batch_size > 0:
                tensor.set_layout(Layout("N..."))
        for each in config.outputs:
            element = _ELEMENTS.get(each.data_type)
            if element is not None and each.name in _names_of(model.outputs):
                processor.output(each.name).tensor().set_element_type(getattr(ov.Type, element))
        return _step("apply model input preprocessing", processor.build)

    def _compile(self, model):
        parameters = self._parameters
        core = ov.Core()
        if parameters.extension:
            _step(" loading custom CPU extensions", core.add_extension, parameters.extension)
        for properties, device in ((parameters.core, ()), (parameters.device, (parameters.target,))):
            if properties:
                _step("configuring openvino core", core.set_property, *device, properties)
        return _step("loading model", core.compile_model, model, parameters.target, parameters.compiling)


def _not_full(limit, rows):
    return internal(
        f"expected requests with batch size '{limit}', got '{rows}'... this error can be avoided by setting "
        "'ENABLE_BATCH_PADDING' parameter in model configuration to 'YES' at a performance cost."
    )


def ov_file(config, version_dir):
    """Path of the artefact. Raises UNAVAILABLE where it is missing, or the package."""
    if ov is None:
        raise package_missing("openvino", "OpenVINO", _missing)
    file = os.path.join(version_dir, config.file_name or "model.xml")
    if not os.path.exists(file):
        raise unavailable(f"unable to find '{file}' for model '{config.name}'")
    return file


def _read(file, model_name):
    Logger.log_verbose(f"reads '{file}' of model '{model_name}' with OpenVINO {ov.__version__}")
    return _step("reading model", ov.Core().read_model, file)


def _interface(model):
    return [_tensor_of(each) for each in model.inputs], [_tensor_of(each) for each in model.outputs]


def _tensor_of(port):
    shape = port.get_partial_shape()
    dims = []
    if not shape.rank.is_dynamic:
        for dim in shape:
            high = dim.get_max_length()
            dims.append((dim.get_min_length(), None if high < 0 else high))
    node = port.get_node()
    layout = str(getattr(node, "layout", "") or getattr(node, "get_layout", lambda: "")())
    data_type = _NAMES.get(port.get_element_type().get_type_name(), "TYPE_INVALID")
    return ModelTensor(port.get_any_name(), data_type, dims, "N" in layout)


def _names_of(ports):
    return {name for port in ports for name in port.get_names()}


def _step(step, function, *arguments):
    """Runs one call into the framework; what it throws is INTERNAL with the name of the step."""
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001
        raise internal(f"openvino error in {step} : {error}") from None
