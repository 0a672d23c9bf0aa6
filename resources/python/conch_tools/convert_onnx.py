"""Converts a TorchScript or TensorFlow model to ONNX and runs the original on made-up inputs, so that both can be
compared: `python convert_onnx.py ORDER.json`. The order names files and tensors; the answers of the original are written
as JSON with the bytes in base64. Each step is announced on stdout; what went wrong is the last line on stderr, behind all
that the framework says of it.

Order: {"backend", "model", "onnx", "answers", "batched", "inputs": [{"name", "numpy", "shape"}], "outputs": [{"name"}]};
shapes are those of one run, -1 of the configuration replaced by 1 or 2 (the batch).
"""

import base64
import importlib.util
import json
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from conch_frameworks.config import Config  # noqa: E402
from conch_frameworks.torch_interface import is_dictionary_model  # noqa: E402
from conch_frameworks.torch_names import input_positions, output_positions  # noqa: E402
from conch_python.install import install_words  # noqa: E402

OPSET = 17


def begin(step):
    """`step`: "reading", "running" or "exporting"."""
    print(f"conch-step: {step}", flush=True)


def fail(text):
    print(f"error: {text}", file=sys.stderr, flush=True)
    sys.exit(2)


def missing(package):
    fail(f"Python ('{sys.executable}') has no package '{package}': {install_words(package)}")


def sample(order, batch):
    """Reproducible values: small integers for whole numbers, -1 to 1 for others."""
    random = np.random.default_rng(7)
    arrays = []
    for tensor in order["inputs"]:
        shape = list(tensor["shape"])
        if order["batched"]:
            shape[0] = batch
        kind = np.dtype(tensor["numpy"])
        if kind == np.bool_:
            arrays.append(random.integers(0, 2, shape).astype(kind))
        elif kind.kind in "iu":
            arrays.append(random.integers(0, 3, shape).astype(kind))
        else:
            arrays.append(random.uniform(-1, 1, shape).astype(kind))
    return arrays


def convert_pytorch(order):
    try:
        import torch
    except ModuleNotFoundError:
        missing("torch")
    begin("reading")
    # As it is served: the flag of training is what was saved.
    module = torch.jit.load(order["model"], map_location="cpu")
    inputs, names = places(order, module)
    arrays = sample(order, 2 if order["batched"] else 1)
    given = dict(zip((each["name"] for each in order["inputs"]), arrays))
    tensors = tuple(torch.from_numpy(given[name]) for name in inputs)
    begin("running")
    with torch.no_grad():
        returned = module(*tensors)
    results = list(returned) if isinstance(returned, (tuple, list)) else [returned]
    if len(results) != len(names):
        fail(f"the module gives {len(results)} results, the configuration names {len(names)}")
    axes = {name: {0: "batch"} for name in inputs + names} if order["batched"] else {}
    for tensor in order["inputs"]:
        for axis in tensor["dynamic"]:
            axes.setdefault(tensor["name"], {})[axis] = f"{tensor['name']}_{axis}"
    begin("exporting")
    options = {"input_names": inputs, "output_names": names, "dynamic_axes": axes, "opset_version": OPSET}
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2] if part.isdigit())
    if version >= (2, 5):
        options["dynamo"] = False
    if version < (2, 0):
        options["opset_version"] = 16
    try:
        torch.onnx.export(module, tensors, order["onnx"], **options)
    except ModuleNotFoundError as error:
        missing(error.name)
    return arrays, [result.detach().numpy() for result in results], names


def places(order, module):
    """The names of inputs and outputs in the order of the module's arguments and results, as they are served."""
    config = Config({"name": "", "input": order["inputs"], "output": order["outputs"]})
    schema = [(each.name, each.type.kind(), str(each.type)) for each in module.forward.schema.arguments]
    if schema and schema[0][1] == "ClassType":
        schema = schema[1:]
    if is_dictionary_model(schema):
        fail("the module takes a dictionary of tensors, and ONNX has none")
    if len(schema) != len(config.inputs):
        fail(f"the module takes {len(schema)} tensors, the configuration names {len(config.inputs)} inputs")
    sides = input_positions(config, [name for name, _, _ in schema], ""), output_positions(config, "")
    for positions in sides:
        if sorted(positions.values()) != list(range(len(positions))):
            fail(f"the names {', '.join(positions)} do not stand for different places, the first of them 0")
    return [sorted(positions, key=positions.get) for positions in sides]


def convert_tensorflow(order):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    # TensorFlow takes seconds to import: what is missing is told before.
    if importlib.util.find_spec("tf2onnx") is None:
        missing("tf2onnx")
    try:
        import tensorflow as tf
    except ModuleNotFoundError:
        missing("tensorflow")
    begin("reading")
    loaded = tf.saved_model.load(order["model"])
    wanted = order.get("signature") or "serving_default"
    if wanted not in loaded.signatures:
        fail(f"the SavedModel has no signature '{wanted}', but {', '.join(sorted(loaded.signatures)) or 'none'}")
    signature = loaded.signatures[wanted]
    arrays = sample(order, 2 if order["batched"] else 1)
    begin("running")
    given = {tensor["name"]: tf.constant(array) for tensor, array in zip(order["inputs"], arrays)}
    results = signature(**given)
    begin("exporting")
    command = [sys.executable, "-m", "tf2onnx.convert", "--saved-model", order["model"], "--output", order["onnx"]]
    command += ["--opset", str(OPSET), "--signature_def", wanted]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr, flush=True)
        fail(last_words(done.stdout) or "tf2onnx ended without a word")
    names = [each["name"] for each in order["outputs"]]
    return arrays, [np.asarray(results[name]) for name in names], names


def reason_of(error):
    """One line. What TorchScript raises begins with a traceback of its own, and what went wrong stands at its end."""
    text = str(error).strip()
    if "Traceback of TorchScript" in text:
        return last_words(text)
    return f"{type(error).__name__}: {text.splitlines()[0] if text else 'no reason given'}"


def last_words(text):
    """The last line with a word in it; "" when there is none."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip(" ~<-\t")), "")


def packed(names, arrays):
    tensors = []
    for name, array in zip(names, arrays):
        data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
        tensors.append({"name": name, "numpy": array.dtype.name, "shape": list(array.shape), "data": data})
    return tensors


def main(path):
    with open(path, encoding="utf-8") as file:
        order = json.load(file)
    convert = {"pytorch": convert_pytorch, "tensorflow": convert_tensorflow}[order["backend"]]
    try:
        arrays, results, names = convert(order)
    except Exception as error:  # noqa: BLE001 - whatever the framework says is the answer
        print(str(error).strip(), file=sys.stderr, flush=True)
        fail(reason_of(error))
    answer = {
        "inputs": packed([each["name"] for each in order["inputs"]], arrays),
        "outputs": packed(names, results),
    }
    with open(order["answers"], "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main(sys.argv[1])
