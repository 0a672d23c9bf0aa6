"""Converts a TorchScript or TensorFlow model to ONNX and runs the original on made-up inputs, so that both can be
compared: `python convert_onnx.py ORDER.json`. The order names files and tensors; the answers of the original are written
as JSON with the bytes in base64. Progress goes to stdout, one line per step.

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

OPSET = 17


def say(text):
    print(text, flush=True)


def fail(text):
    print(f"error: {text}", file=sys.stderr, flush=True)
    sys.exit(2)


def missing(package):
    fail(f"Python ('{sys.executable}') has no package '{package}': run `{sys.executable} -m pip install {package}`")


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
    say("Reading the TorchScript module")
    module = torch.jit.load(order["model"], map_location="cpu").eval()
    arrays = sample(order, 2 if order["batched"] else 1)
    tensors = tuple(torch.from_numpy(array) for array in arrays)
    say("Running it on made-up inputs")
    with torch.no_grad():
        returned = module(*tensors)
    results = list(returned) if isinstance(returned, (tuple, list)) else [returned]
    names = [each["name"] for each in order["outputs"]]
    inputs = [each["name"] for each in order["inputs"]]
    if len(results) != len(names):
        fail(f"the module gives {len(results)} results, the configuration names {len(names)}")
    axes = {name: {0: "batch"} for name in inputs + names} if order["batched"] else {}
    for tensor, name in zip(order["inputs"], inputs):
        for axis in tensor["dynamic"]:
            axes.setdefault(name, {})[axis] = f"{name}_{axis}"
    say("Exporting to ONNX")
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


def convert_tensorflow(order):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    # TensorFlow takes seconds to import: what is missing is told before.
    if importlib.util.find_spec("tf2onnx") is None:
        missing("tf2onnx")
    try:
        import tensorflow as tf
    except ModuleNotFoundError:
        missing("tensorflow")
    say("Reading the SavedModel")
    loaded = tf.saved_model.load(order["model"])
    signature = loaded.signatures[order.get("signature") or "serving_default"]
    arrays = sample(order, 2 if order["batched"] else 1)
    say("Running it on made-up inputs")
    given = {tensor["name"]: tf.constant(array) for tensor, array in zip(order["inputs"], arrays)}
    results = signature(**given)
    say("Exporting to ONNX")
    command = [sys.executable, "-m", "tf2onnx.convert", "--saved-model", order["model"], "--output", order["onnx"]]
    command += ["--opset", str(OPSET), "--signature_def", order.get("signature") or "serving_default"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        fail(lines[-1] if lines else "tf2onnx ended without a word")
    names = [each["name"] for each in order["outputs"]]
    return arrays, [np.asarray(results[name]) for name in names], names


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
        fail(f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else 'no reason given'}")
    answer = {
        "inputs": packed([each["name"] for each in order["inputs"]], arrays),
        "outputs": packed(names, results),
    }
    with open(order["answers"], "w", encoding="utf-8") as file:
        json.dump(answer, file)
    say("Converted")


if __name__ == "__main__":
    main(sys.argv[1])
