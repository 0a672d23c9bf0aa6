"""What a model file of a framework says about its tensors: `python inspect_model.py BACKEND PATH`. One line of JSON goes
out. What a file does not have is null, and asked of the user. Nothing of the model is run.

TorchScript files hold the names of arguments and how many results there are, OpenVINO and TensorFlow files everything;
TensorRT plans can be read only where TensorRT is.
"""

import json
import os
import re
import sys

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


def inspect_pytorch(path):
    import torch

    module = torch.jit.load(path, map_location="cpu")
    arguments = [each for each in module.forward.schema.arguments if each.type.kind() != "ClassType"]
    inputs = [tensor(each.name, "string" if "str" in str(each.type) else None) for each in arguments]
    returned = module.forward.schema.returns[0].type
    count = len(returned.elements()) if returned.kind() == "TupleType" else 1
    outputs = [tensor(f"OUTPUT__{index}") for index in range(count)]
    return inputs, outputs, "The file has the names of its inputs. Types, shapes and the names of outputs are yours to say."


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

    return tensors(model.inputs), tensors(model.outputs), ""


def inspect_tensorflow(path):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
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
    return tensors(signatures[name].inputs), tensors(signatures[name].outputs), note


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
    return sides["INPUT"], sides["OUTPUT"], ""


READERS = {
    "pytorch": inspect_pytorch,
    "openvino": inspect_openvino,
    "tensorflow": inspect_tensorflow,
    "tensorrt": inspect_tensorrt,
}


def main(backend, path):
    try:
        inputs, outputs, note = READERS[backend](path)
        answer = {"inputs": inputs, "outputs": outputs, "note": note, "error": ""}
    except ModuleNotFoundError as error:
        reason = f"Python ('{sys.executable}') has no package '{error.name}', so the file was not read."
        answer = {"inputs": [], "outputs": [], "note": "", "error": reason}
    except Exception as error:  # noqa: BLE001 - whatever the framework says about the file is the answer
        answer = {"inputs": [], "outputs": [], "note": "", "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
