"""TensorRT models over a made-up package and a made-up driver: a plan as JSON, its configuration, an instance."""

import importlib
import json

import numpy as np
from conch_frameworks import tensorrt_engine, tensorrt_runner
from conch_python import cuda_driver
from conch_python.model_config import ModelConfig
from conch_python.tensor import Tensor
from fake_driver import FakeLibrary

import fake_tensorrt

in_common = importlib.import_module("conch_frameworks.in_common")


def limits(*profiles):
    """Least, best and largest shape of each profile."""
    return [[list(each) for each in profile] for profile in profiles]


ROWS = limits(([1, 2], [4, 2], [8, 2]))
TWICE = {
    "inputs": [{"name": "A", "dims": [-1, 2], "limits": ROWS}],
    "outputs": [{"name": "O", "dims": [-1, 2], "is": "twice", "of": "A"}],
}


TWO_PROFILES = {
    "profiles": 2,
    "inputs": [{"name": "A", "dims": [-1, 2], "limits": limits(([1, 2], [1, 2], [4, 2]), ([1, 2], [8, 2], [16, 2]))}],
    "outputs": TWICE["outputs"],
}
SHAPES = {
    "inputs": [
        {"name": "A", "dims": [-1, 2], "limits": ROWS},
        {"name": "S", "type": "INT32", "dims": [2], "is_shape": True, "values": limits(([1, 1], [4, 2], [8, 4]))},
    ],
    "outputs": [
        {"name": "O", "dims": [-1, -1], "is": "ones", "of": "S"},
        {"name": "T", "type": "INT32", "dims": [2], "is_shape": True, "is": "shape", "of": "A"},
    ],
}


def tensor(name, dims=("2",), data_type="TYPE_FP32", **more):
    return {"name": name, "data_type": data_type, "dims": list(dims), **more}


def shape_config():
    shape = {"dims": ["1"], "data_type": "TYPE_INT32", "is_shape_tensor": True}
    return {"input": [{"name": "S", **shape}, tensor("A")], "output": [tensor("O", ["-1"]), {"name": "T", **shape}]}


class World:
    def __init__(self, folder, link, monkeypatch):
        self.folder = folder
        self.link = link
        self.library = FakeLibrary()
        self.runners = []
        monkeypatch.setattr(cuda_driver, "_found", [cuda_driver.CudaDriver(self.library)])
        monkeypatch.setattr(tensorrt_engine, "trt", fake_tensorrt)
        monkeypatch.setattr(in_common, "_made", {})
        monkeypatch.setattr(fake_tensorrt, "plugins_of", [])
        monkeypatch.setattr(fake_tensorrt, "runtimes", [])
        link.version_dir = str(folder)

    def write(self, plan, name="model.plan"):
        text = plan if isinstance(plan, str) else json.dumps(plan)
        (self.folder / name).write_text(text)

    def config(self, **more):
        group = {"name": "m_0", "kind": "KIND_GPU", "count": 1, "gpus": [0], "profile": more.pop("profile", [])}
        return {
            "name": "m",
            "platform": "tensorrt_plan",
            "max_batch_size": 8,
            "input": [tensor("A")],
            "output": [tensor("O")],
            "instance_group": [group],
            **more,
        }

    def complete(self, settings=None, **more):
        """The configuration after completion."""
        self.link.arguments = {"backend_settings": json.dumps(settings or {})}
        config = {**self.config(max_batch_size=0, input=[], output=[]), **more}
        given = ModelConfig(json.dumps(config))
        return tensorrt_runner.TritonPythonModel.auto_complete_config(given).as_dict()

    def start(self, settings=None, kind="GPU", device=0, ordinal=0, **more):
        """An instance that has been initialised."""
        self.link.arguments = {"backend_settings": json.dumps(settings or {})}
        runner = tensorrt_runner.TritonPythonModel()
        runner.initialize(
            {
                "model_config": json.dumps(self.config(**more)),
                "model_name": "m",
                "model_instance_name": f"m_0_{ordinal}",
                "model_instance_kind": kind,
                "model_instance_device_id": str(device),
                "instance_ordinal": str(ordinal),
            }
        )
        self.runners.append(runner)
        return runner


class Request:
    def __init__(self, *inputs, outputs=("O",)):
        self._inputs = inputs
        self._outputs = outputs

    def inputs(self):
        return list(self._inputs)

    def request_id(self):
        return ""


def floats(name, rows):
    return Tensor(name, np.array(rows, np.float32))


def answers(runner, *requests):
    """For each request name -> list of the answer, or the text of its error."""
    told = []
    for response in runner.execute(list(requests)):
        if response.has_error():
            told.append(response.error().message())
        else:
            told.append({each.name(): each._array.tolist() for each in response.output_tensors()})
    return told
