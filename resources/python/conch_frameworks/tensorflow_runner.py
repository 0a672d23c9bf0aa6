"""TensorFlow models: a SavedModel's signature, or a frozen graph, in a session that MAX_SESSION_SHARE_COUNT instances
share; one each by default."""

import os

import numpy as np

from conch_python.link import link
from conch_python.logger import Logger

from .config import Config
from .faults import internal, invalid_arg, package_missing, unavailable
from .framework_model import FrameworkModel
from .in_common import in_common
from .tensorflow_interface import SignatureTensor, check_graph, check_signature, complete
from .tensorflow_parameters import TensorFlowParameters, choose_signature

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
try:
    import tensorflow as tf
except Exception as error:  # noqa: BLE001
    tf = None
    _missing = error

_TYPES = frozenset(
    f"TYPE_{name}"
    for name in "BOOL UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FP16 FP32 FP64 STRING".split()
)
_DATA_TYPES = {
    "bool": "TYPE_BOOL",
    "uint8": "TYPE_UINT8",
    "uint16": "TYPE_UINT16",
    "uint32": "TYPE_UINT32",
    "uint64": "TYPE_UINT64",
    "int8": "TYPE_INT8",
    "int16": "TYPE_INT16",
    "int32": "TYPE_INT32",
    "int64": "TYPE_INT64",
    "float16": "TYPE_FP16",
    "float32": "TYPE_FP32",
    "float64": "TYPE_FP64",
    "string": "TYPE_STRING",
}


class TritonPythonModel(FrameworkModel):
    @staticmethod
    def auto_complete_config(given):
        config = Config(given.as_dict())
        if config.platform == "tensorflow_graphdef":
            return given
        try:
            parameters = TensorFlowParameters(config, config.name, link.arguments)
            file = _existing(config, link.version_dir, config.name)
            loaded = _SavedModel(file, parameters, config.name)
        except Exception as error:
            text = str(error)
            raise internal(
                f"unable to auto-complete model configuration for '{config.name}', failed to load model: {text}"
            ) from None
        complete(config, loaded.inputs, loaded.outputs, int(link.arguments.get("default_max_batch_size") or 0))
        return given

    def open(self):
        config = self.config
        if config.platform not in ("tensorflow_savedmodel", "tensorflow_graphdef"):
            raise invalid_arg(f"platform {config.platform} not supported for TensorFlow model '{self.model_name}'")
        for tensor in (*config.inputs, *config.outputs):
            if tensor.data_type not in _TYPES:
                raise invalid_arg(
                    f"unsupported datatype '{tensor.data_type}' for tensor '{tensor.name}' for model '{self.model_name}'"
                )
        parameters = TensorFlowParameters(config, self.model_name, link.arguments)
        if parameters.ignores_accelerators and self.kind == "CPU":
            Logger.log_warn("GPU Execution Accelerator will be ignored for model instance on CPU")
        file = _existing(config, self.version_dir, self.instance_name)
        in_common("operators", self._load_operators)
        share = ("session", self.kind, self.device_id, self.ordinal // parameters.share_count)
        self._loaded, _ = in_common(share, lambda: self._load(file, parameters))
        self._callables = {}

    def _load_operators(self):
        library = (self.config.fields.get("model_operations") or {}).get("op_library_filename") or ()
        for name in library:
            _step(tf.load_op_library, name)

    def _load(self, file, parameters):
        """The model in a session of its own."""
        config = self.config
        if config.platform == "tensorflow_graphdef":
            loaded = _FrozenGraph(file, parameters, self.model_name)
            check_graph(config, loaded.inputs, loaded.outputs, self.model_name)
        else:
            loaded = _SavedModel(file, parameters, self.model_name)
            check_signature(config, loaded.inputs, loaded.outputs, self.model_name)
        for name in parameters.init_operations(self.version_dir):
            _step(loaded.session.run, loaded.graph.get_operation_by_name(name))
        return loaded

    def run(self, inputs, wanted):
        feeds = tuple(sorted(inputs))
        # Triton's backend answers in the order of names, whatever the configuration's is.
        fetches = tuple(sorted(each.name for each in self.config.outputs if each.name in wanted))
        key = (feeds, fetches)
        function = self._callables.get(key)
        if function is None:
            loaded = self._loaded
            function = self._callables[key] = _step(
                loaded.session.make_callable,
                [loaded.tensor(name, is_input=False) for name in fetches],
                [loaded.tensor(name, is_input=True) for name in feeds],
            )
        results = _step(function, *[inputs[name] for name in feeds])
        return dict(zip(fetches, (_array_of(each) for each in results)))


class _SavedModel:
    """A SavedModel in a session. `inputs`, `outputs`: what its signature declares."""

    def __init__(self, folder, parameters, model_name):
        self.graph = tf.Graph()
        self.session = _session(self.graph, parameters)
        loader = tf.compat.v1.saved_model.load
        meta = _step(loader, self.session, [parameters.tag], folder)
        key = choose_signature(list(meta.signature_def), parameters.signature, model_name, Logger.log_warn)
        signature = meta.signature_def[key]
        self._tensors = {
            True: {name: info.name for name, info in signature.inputs.items()},
            False: {name: info.name for name, info in signature.outputs.items()},
        }
        self.inputs = _declared(signature.inputs, "input", model_name)
        self.outputs = _declared(signature.outputs, "output", model_name)

    def tensor(self, name, is_input):
        return self.graph.get_tensor_by_name(self._tensors[is_input][name])


class _FrozenGraph:
    """A frozen GraphDef in a session. `inputs`, `outputs`: names of nodes that can be fed and fetched."""

    def __init__(self, file, parameters, model_name):
        definition = tf.compat.v1.GraphDef()
        with open(file, "rb") as content:
            _step(definition.ParseFromString, content.read())
        if not definition.node:
            raise invalid_arg(f"model {model_name} has an empty network")
        self.graph = tf.Graph()
        with self.graph.as_default():
            _step(lambda: tf.import_graph_def(definition, name=""))
        self.session = _session(self.graph, parameters)
        self.inputs = {node.name: None for node in definition.node if node.op == "Placeholder"}
        self.outputs = {node.name: None for node in definition.node if node.op != "Placeholder"}

    def tensor(self, name, is_input):  # noqa: ARG002 - nodes have one name for both
        return self.graph.get_tensor_by_name(f"{name}:0")


def _existing(config, version_dir, instance_name):
    if tf is None:
        raise package_missing("tensorflow", "TensorFlow", _missing)
    default = "model.graphdef" if config.platform == "tensorflow_graphdef" else "model.savedmodel"
    file = os.path.join(version_dir, config.file_name or default)
    if not os.path.exists(file):
        raise unavailable(f"unable to find '{file}' for model instance '{instance_name}'")
    return file


def _session(graph, parameters):
    options = tf.compat.v1.ConfigProto(
        intra_op_parallelism_threads=parameters.intra_threads,
        inter_op_parallelism_threads=parameters.inter_threads,
        use_per_session_threads=parameters.per_session_threads,
        allow_soft_placement=parameters.soft_placement,
    )
    options.gpu_options.allow_growth = parameters.memory_fraction == 0
    options.gpu_options.per_process_gpu_memory_fraction = parameters.memory_fraction
    level = parameters.jit_level
    if level != 0:
        options.graph_options.optimizer_options.global_jit_level = -1 if level < 0 else min(level, 2)
    return tf.compat.v1.Session(graph=graph, config=options)


def _declared(tensors, kind, model_name):
    declared = {}
    for name in sorted(tensors):
        info = tensors[name]
        dtype = tf.as_dtype(info.dtype).name
        data_type = _DATA_TYPES.get(dtype)
        if data_type is None:
            raise invalid_arg(
                f"unable to process {kind} '{name}' for '{model_name}', unsupported datatype 'DT_{dtype.upper()}'"
            )
        shape = info.tensor_shape
        dims = None if shape.unknown_rank else [int(dim.size) for dim in shape.dim]
        declared[name] = SignatureTensor(name, data_type, dims)
    return declared


def _array_of(result):
    """Strings come as an object array, or as one `bytes` when the tensor has no dimensions."""
    if isinstance(result, bytes):
        array = np.empty((), np.object_)
        array[()] = result
        return array
    return np.asarray(result)


def _step(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001
        raise internal(str(error)) from None
