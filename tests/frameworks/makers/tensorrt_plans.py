"""Builds TensorRT plans for the GPU of this machine: `tensorrt_plans.py FOLDER`, one NAME.plan per model, and NAME.json with
what a model has to answer where that is not plain. A plan that cannot be built leaves NAME.error with TensorRT's words,
and the others are built all the same."""

import json
import os
import sys

import numpy as np
import tensorrt as trt

_BATCHES = (1, 4, 8)
_LINES = []


class _Journal(trt.ILogger):
    def __init__(self):
        trt.ILogger.__init__(self)

    def log(self, severity, msg):
        if severity in (trt.ILogger.ERROR, trt.ILogger.INTERNAL_ERROR):
            _LINES.append(msg)


class _Making:
    """A network on its way to a plan. Types are those that its tensors have."""

    def __init__(self, builder):
        self.network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        self.config = builder.create_builder_config()
        # Nothing is measured with them, and a search for the fastest kernels takes minutes.
        self.config.builder_optimization_level = 0
        self._builder = builder
        # TensorRT reads weights while it builds.
        self._kept = []

    def weights(self, array):
        self._kept.append(np.ascontiguousarray(array))
        return self._kept[-1]

    def input(self, name, dtype, shape):
        return self.network.add_input(name, dtype, shape)

    def output(self, tensor, name):
        tensor.name = name
        self.network.mark_output(tensor)

    def profile(self, **shapes):
        """Least, best and largest shape by input; of a shape tensor they are its values."""
        profile = self._builder.create_optimization_profile()
        for name, three in shapes.items():
            if name == "SHAPE":
                profile.set_shape_input(name, *three)
            else:
                profile.set_shape(name, *three)
        if self.config.add_optimization_profile(profile) < 0:
            raise ValueError(f"no valid profile: {shapes}")

    def batches(self, name, *dims):
        self.profile(**{name: [(size, *dims) for size in _BATCHES]})

    def sum(self, left, right):
        return self.network.add_elementwise(left, right, trt.ElementWiseOperation.SUM).get_output(0)

    def constant(self, array):
        return self.network.add_constant(array.shape, self.weights(array)).get_output(0)

    def cast(self, tensor, dtype):
        return self.network.add_cast(tensor, dtype).get_output(0)


def _twice(making):
    a = making.input("A", trt.float32, (-1, 2))
    making.output(making.sum(a, a), "O")
    making.batches("A", 2)


def _profiles(making):
    x = making.input("X", trt.float32, (-1, -1))
    making.output(making.sum(x, x), "Y")
    making.profile(X=[(1, 1), (2, 4), (4, 8)])
    making.profile(X=[(1, 9), (2, 32), (4, 64)])


def _fixed(making):
    a = making.input("A", trt.float32, (4,))
    making.output(making.sum(a, a), "O")


def _of_type(dtype):
    def make(making):
        x = making.input("X", dtype, (-1, 3))
        making.output(making.network.add_identity(x).get_output(0), "Y")
        making.batches("X", 3)

    return make


def _bytes(making):
    """UINT8 may only come in and go out."""
    x = making.input("X", trt.uint8, (-1, 3))
    making.output(making.cast(making.cast(x, trt.float32), trt.uint8), "Y")
    making.batches("X", 3)


def _small_numbers(making):
    """INT8 stands for a number of which it is half."""
    x = making.input("X", trt.int8, (-1, 3))
    scale = making.constant(np.array(0.5, np.float32))
    real = making.network.add_dequantize(x, scale, trt.float32).get_output(0)
    making.output(making.network.add_quantize(real, scale, trt.int8).get_output(0), "Y")
    making.batches("X", 3)


def _nonzero(making):
    x = making.input("X", trt.float32, (-1,))
    making.output(making.network.add_non_zero(x).get_output(0), "PLACES")
    making.profile(X=[(1,), (8,), (64,)])


def _reshape(making):
    x = making.input("X", trt.float32, (-1,))
    shape = making.input("SHAPE", trt.int64, (2,))
    shuffle = making.network.add_shuffle(x)
    shuffle.set_input(1, shape)
    making.output(making.sum(shuffle.get_output(0), shuffle.get_output(0)), "Y")
    making.profile(X=[(1,), (6,), (64,)], SHAPE=[(1, 1), (2, 3), (64, 64)])


def _vectors(making):
    x = making.input("X", trt.float16, (-1, 8, 2, 2))
    y = making.sum(x, x)
    making.output(y, "Y")
    for tensor in (x, y):
        tensor.allowed_formats = 1 << int(trt.TensorFormat.HWC8)
    making.batches("X", 8, 2, 2)


def _layers(making):
    """Two layers, whose weights are written into the plan."""
    first = np.sin(np.arange(64 * 32, dtype=np.float32)).reshape(64, 32)
    second = np.cos(np.arange(32 * 10, dtype=np.float32)).reshape(32, 10)
    none = trt.MatrixOperation.NONE
    x = making.input("X", trt.float32, (-1, 64))
    hidden = making.network.add_matrix_multiply(x, none, making.constant(first), none).get_output(0)
    hidden = making.network.add_activation(hidden, trt.ActivationType.RELU).get_output(0)
    making.output(making.network.add_matrix_multiply(hidden, none, making.constant(second), none).get_output(0), "Y")
    making.batches("X", 64)
    sent = np.sin(np.arange(3 * 64, dtype=np.float32) / 7).reshape(3, 64)
    answer = np.maximum(sent.astype(np.float64) @ first, 0) @ second
    return {"sent": sent.reshape(-1).tolist(), "answer": answer.reshape(-1).tolist()}


def _convolution(making):
    """A convolution without padding: its windows are summed up here as well."""
    kernels = np.sin(np.arange(4 * 3 * 3 * 3, dtype=np.float32)).reshape(4, 3, 3, 3)
    x = making.input("X", trt.float32, (-1, 3, 8, 8))
    bias = making.weights(np.zeros(4, np.float32))
    layer = making.network.add_convolution_nd(x, 4, (3, 3), making.weights(kernels), bias)
    making.output(layer.get_output(0), "Y")
    making.batches("X", 3, 8, 8)
    sent = np.cos(np.arange(3 * 8 * 8, dtype=np.float32)).reshape(3, 8, 8)
    windows = np.lib.stride_tricks.sliding_window_view(sent.astype(np.float64), (3, 3), axis=(1, 2))
    answer = np.einsum("cyxij,ocij->oyx", windows, kernels)
    return {"sent": sent.reshape(-1).tolist(), "answer": answer.reshape(-1).tolist()}


def _running_sum(making):
    x = making.input("X", trt.float32, (-1, 1))
    before = making.input("BEFORE", trt.float32, (-1, 1))
    both = making.sum(x, before)
    making.output(making.network.add_identity(both).get_output(0), "SUM")
    making.output(making.network.add_identity(both).get_output(0), "AFTER")
    making.profile(**{name: [(size, 1) for size in _BATCHES] for name in ("X", "BEFORE")})


_PLANS = {
    "twice": _twice,
    "profiles": _profiles,
    "fixed": _fixed,
    "fp32": _of_type(trt.float32),
    "fp16": _of_type(trt.float16),
    "bf16": _of_type(trt.bfloat16),
    "int32": _of_type(trt.int32),
    "int64": _of_type(trt.int64),
    "bool": _of_type(trt.bool),
    "uint8": _bytes,
    "int8": _small_numbers,
    "nonzero": _nonzero,
    "reshape": _reshape,
    "vectors": _vectors,
    "layers": _layers,
    "convolution": _convolution,
    "sum": _running_sum,
}


def main(folder):
    builder = trt.Builder(_Journal())
    for name, make in _PLANS.items():
        _LINES.clear()
        path = os.path.join(folder, name)
        try:
            making = _Making(builder)
            expected = make(making)
            plan = builder.build_serialized_network(making.network, making.config)
            if plan is None:
                raise ValueError("TensorRT built no plan")
            with open(f"{path}.plan", "wb") as file:
                file.write(plan)
            if expected is not None:
                with open(f"{path}.json", "w", encoding="utf-8") as file:
                    json.dump(expected, file)
        except Exception as error:  # noqa: BLE001 - the others are built all the same
            with open(f"{path}.error", "w", encoding="utf-8") as file:
                file.write("; ".join([str(error), *_LINES]))


main(sys.argv[1])
