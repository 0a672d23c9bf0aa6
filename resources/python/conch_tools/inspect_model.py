"""What a model file of a framework says about its tensors: `python inspect_model.py BACKEND PATH`. One line of JSON goes
out. What a file does not have is null, and asked of the user. Nothing of the model is run.

TorchScript files hold the names of arguments, how many results there are and which are texts, OpenVINO and TensorFlow files everything, DALI
pipelines what their author declared, Python models the names that their code mentions; TensorRT plans can be read only
where TensorRT is.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from conch_python.install import install_words  # noqa: E402
from conch_tools.torch_signature import Unservable, inputs_of, outputs_of  # noqa: E402

_TYPES = {
    "bool": "BOOL",
    "boolean": "BOOL",
    "uint8": "UINT8",
    "u8": "UINT8",
    "uint16": "UINT16",
    "u16": "UINT16",
    "uint32": "UINT32",
    "u32": "UINT32",
    "uint64": "UINT64",
    "u64": "UINT64",
    "int8": "INT8",
    "i8": "INT8",
    "int16": "INT16",
    "i16": "INT16",
    "int32": "INT32",
    "i32": "INT32",
    "int64": "INT64",
    "i64": "INT64",
    "float16": "FP16",
    "half": "FP16",
    "f16": "FP16",
    "float32": "FP32",
    "float": "FP32",
    "f32": "FP32",
    "float64": "FP64",
    "double": "FP64",
    "f64": "FP64",
    "bfloat16": "BF16",
    "bf16": "BF16",
    "string": "BYTES",
}


def tensor(name, data_type=None, shape=None):
    """`shape`: -1 for dimensions of any size; None when it is not known."""
    return {"name": name, "datatype": _TYPES.get(data_type or ""), "shape": shape}


class NoModel(Exception):
    """The file can never be served. The text says what to do instead."""


class Told:
    """`note`: a sentence for the user. `completes`: what is left open, the server finds when it loads the model.
    `batch`: the largest batch that the file names; None = it names none. `name`: what the file calls itself, "" = nothing."""

    def __init__(self, inputs, outputs, note="", completes=False, batch=None, name=""):
        self.inputs = inputs
        self.outputs = outputs
        self.note = note
        self.completes = completes
        self.batch = batch
        self.name = name


_AOT_NOTE = (
    "A package of AOT Inductor does not say how its tensors are called here: INPUT__0, INPUT__1, OUTPUT__0 and so on go by "
    "their place. Types and shapes are those that it was compiled for."
)
_WEIGHTS_ONLY = (
    "This is not TorchScript: torch.save wrote it, and such a file holds weights or a pickled object without the code that "
    "uses them. Write torch.jit.script(module).save('model.pt'), or torch.jit.trace for a module without control flow, and "
    "drop that file"
)


def inspect_pytorch(path):
    import torch

    if path.lower().endswith(".pt2"):
        return Told([tensor("INPUT__0")], [tensor("OUTPUT__0")], _AOT_NOTE)
    try:
        module = torch.jit.load(path, map_location="cpu")
    except RuntimeError as error:
        if "constants.pkl" in str(error):
            raise NoModel(_WEIGHTS_ONLY) from None
        if "PytorchStreamReader failed" in str(error):
            raise NoModel("This is no file of PyTorch: a TorchScript file is a zip archive that torch.jit.save wrote") from None
        raise
    schema = module.forward.schema
    try:
        inputs, note = inputs_of(
            [(each.name, _type_of(each.type)) for each in schema.arguments if each.type.kind() != "ClassType"]
        )
        outputs = outputs_of(_type_of(schema.returns[0].type))
    except Unservable as reason:
        raise NoModel(str(reason)) from None
    return Told([tensor(*each) for each in inputs], [tensor(*each) for each in outputs], note, name=_module_name(module))


def _type_of(of):
    """A type of TorchScript as (kind, text, types of its elements)."""
    kind = of.kind()
    elements = of.elements() if kind == "TupleType" else [of.getElementType()] if kind == "ListType" else []
    return kind, str(of), [_type_of(each) for each in elements]


# What modules are called that nobody named.
_PLAIN_MODULES = ("Module", "Model", "Net", "Network", "Sequential", "Wrapper", "RecursiveScriptModule", "ScriptModule")


def _module_name(module):
    """"ResNet" becomes "resnet", "TextEncoder" "text_encoder"."""
    name = getattr(module, "original_name", "") or ""
    if name in _PLAIN_MODULES:
        return ""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z]{3})", "_", name).lower()


def inspect_openvino(path):
    import openvino

    model = openvino.Core().read_model(path)

    def tensors(ports):
        found = []
        for port in ports:
            dims = port.get_partial_shape()
            shape = None
            if dims.rank.is_static:
                shape = [int(each.get_length()) if each.is_static else -1 for each in dims]
            names = port.get_names()
            name = port.get_any_name() if names else port.get_node().get_friendly_name()
            found.append(tensor(name, port.get_element_type().get_type_name(), shape))
        return found

    return Told(tensors(model.inputs), tensors(model.outputs), completes=True)


def inspect_tensorflow(path):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if not os.path.isdir(path):
        return inspect_graph(path)
    from tensorflow.core.protobuf import saved_model_pb2
    from tensorflow.python.framework import dtypes

    saved = saved_model_pb2.SavedModel()
    with open(os.path.join(path, "saved_model.pb"), "rb") as file:
        saved.ParseFromString(file.read())
    graphs = [graph for graph in saved.meta_graphs if "serve" in graph.meta_info_def.tags] or list(saved.meta_graphs)
    signatures = graphs[0].signature_def
    usable = sorted(name for name in signatures if not name.startswith("__"))
    if not usable:
        raise ValueError("the SavedModel has no signature to serve")
    name = "serving_default" if "serving_default" in usable else usable[0]

    def tensors(entries):
        found = []
        for key, info in sorted(entries.items()):
            shape = None if info.tensor_shape.unknown_rank else [int(dim.size) for dim in info.tensor_shape.dim]
            found.append(tensor(key, dtypes.as_dtype(info.dtype).name, shape))
        return found

    note = "" if name == "serving_default" else f"Its signature is '{name}': set the parameter TF_SIGNATURE_DEF."
    return Told(tensors(signatures[name].inputs), tensors(signatures[name].outputs), note, completes=True)


_GRAPH_NOTE = "A frozen graph has no signature: its placeholders are taken for inputs, and what nothing else reads for outputs."


_NO_GRAPH = "This is no frozen graph of TensorFlow: a GraphDef in binary form. A SavedModel is a folder, and is dropped as one"


def inspect_graph(path):
    """Shapes as TensorFlow infers them."""
    import tensorflow as tf
    from google.protobuf.message import DecodeError

    definition = tf.compat.v1.GraphDef()
    with open(path, "rb") as file:
        try:
            definition.ParseFromString(file.read())
        except DecodeError:
            raise NoModel(_NO_GRAPH) from None
    if not definition.node:
        raise NoModel(_NO_GRAPH)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    inputs, outputs = [], []
    for operation in graph.get_operations():
        if operation.type == "Placeholder":
            inputs.append(operation.outputs[0])
        elif operation.type != "Const" and operation.outputs and not any(each.consumers() for each in operation.outputs):
            outputs.append(operation.outputs[0])

    def tensors(found):
        shapes = [None if each.shape.rank is None else [-1 if dim is None else dim for dim in each.shape] for each in found]
        return [tensor(each.op.name, each.dtype.name, shape) for each, shape in zip(found, shapes)]

    return Told(tensors(inputs), tensors(outputs), _GRAPH_NOTE)


_UNDECLARED = "What is still empty the pipeline does not declare. Say it here, or give pipeline_def output_dtype and output_ndim."


def inspect_dali(path):
    if path.lower().endswith(".py"):
        return Told([], [], "The pipeline is made when the model is loaded, and says then what its tensors are.", completes=True)
    from conch_frameworks.dali_file import PipelineFile

    with open(path, "rb") as file:
        pipeline = PipelineFile(file.read())

    def tensors(declared):
        # The first dimension is the batch.
        return [
            tensor(each.name, _plain(each.data_type), None if each.rank is None else [-1] * (each.rank + 1))
            for each in declared
        ]

    declared = all(each.data_type and each.rank is not None for each in pipeline.inputs + pipeline.outputs)
    note = "" if declared else _UNDECLARED
    return Told(tensors(pipeline.inputs), tensors(pipeline.outputs), note, declared, pipeline.batch_size)


def inspect_python(path):
    from conch_tools.read_source import ModelSource

    with open(path, encoding="utf-8", errors="replace") as file:
        source = ModelSource(file.read())

    def tensors(found):
        return [tensor(name, _plain(data_type), dims) for name, data_type, dims in found]

    if source.completes:
        note = "Its auto_complete_config() says what its tensors are when the model is loaded."
    else:
        note = "These are the names that the code mentions. Types and shapes are yours to say."
    return Told(tensors(source.inputs), tensors(source.outputs), note, source.completes, name=source.name)


def _plain(data_type):
    """"TYPE_FP32" as frameworks write it; None for what is not known."""
    name = (data_type or "").replace("TYPE_", "")
    return next((key for key, value in _TYPES.items() if value == name), "string" if name == "STRING" else None)


def inspect_tensorrt(path):
    import tensorrt

    with open(path, "rb") as file, tensorrt.Runtime(tensorrt.Logger(tensorrt.Logger.ERROR)) as runtime:
        engine = runtime.deserialize_cuda_engine(file.read())
    if engine is None:
        raise ValueError("this TensorRT cannot read the plan: it was built for another version or another GPU")
    sides = {"INPUT": [], "OUTPUT": []}
    for index in range(engine.num_io_tensors):
        name = engine.get_tensor_name(index)
        data_type = re.sub(r".*\.", "", str(engine.get_tensor_dtype(name))).lower()
        mode = re.sub(r".*\.", "", str(engine.get_tensor_mode(name)))
        sides[mode].append(tensor(name, data_type, list(engine.get_tensor_shape(name))))
    return Told(sides["INPUT"], sides["OUTPUT"], completes=True)


READERS = {
    "pytorch": inspect_pytorch,
    "openvino": inspect_openvino,
    "tensorflow": inspect_tensorflow,
    "tensorrt": inspect_tensorrt,
    "dali": inspect_dali,
    "python": inspect_python,
}
# What installs the package of a backend.
# Said where the package would not help by itself.
ONLY_ON = {"tensorrt": " It runs on NVIDIA GPUs only."}
PACKAGES = {"tensorflow": "tensorflow-cpu", "pytorch": "torch", "tensorrt": "tensorrt-cu12"}


def answer(backend, path):
    """`error`: why nothing was read, "" = it was. `isServable`: false for a file that no configuration can help."""
    told = Told([], [])
    error = ""
    is_servable = True
    try:
        told = READERS[backend](path)
    except ModuleNotFoundError as missing:
        package = PACKAGES.get(backend, missing.name)
        error = (
            f"Python ('{sys.executable}') has no package '{missing.name}', so the file was not read. The model needs it too: "
            f"{install_words(package)}.{ONLY_ON.get(backend, '')}"
        )
    except NoModel as reason:
        error = f"{reason}."
        is_servable = False
    except SyntaxError as fault:
        error = f"The code has a fault in line {fault.lineno}: {fault.msg}."
    except Exception as thrown:  # noqa: BLE001 - whatever the framework says about the file is the answer
        error = f"{type(thrown).__name__}: {thrown}"
    return {
        "inputs": told.inputs,
        "outputs": told.outputs,
        "note": told.note,
        "completes": told.completes,
        "batch": told.batch,
        "name": told.name,
        "error": error,
        "isServable": is_servable,
    }


if __name__ == "__main__":
    print(json.dumps(answer(sys.argv[1], sys.argv[2])))
