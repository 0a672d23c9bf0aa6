"""Writes OpenVINO models for tests: `openvino_models.py FOLDER`, one folder with model.xml and model.bin per model."""

import os
import sys

import numpy as np
import openvino as ov
from openvino import opset13 as ops


def save(folder, name, inputs, outputs, layout=None):
    """`inputs`: (name, shape, type); `outputs`: function of the parameters giving (name, node) pairs."""
    parameters = []
    for input_name, shape, kind in inputs:
        parameter = ops.parameter(shape, kind, name=input_name)
        parameter.output(0).set_names({input_name})
        if layout:
            parameter.set_layout(ov.Layout(layout))
        parameters.append(parameter)
    results = []
    for output_name, node in outputs(*parameters):
        result = ops.result(node)
        node.output(0).set_names({output_name})
        result.output(0).set_names({output_name})
        if layout:
            result.set_layout(ov.Layout(layout))
        results.append(result)
    target = os.path.join(folder, name)
    os.makedirs(target)
    ov.save_model(ov.Model(results, parameters, name), os.path.join(target, "model.xml"), compress_to_fp16=False)


def add_sub(a, b):
    return (("OUTPUT0", ops.add(a, b)), ("OUTPUT1", ops.subtract(a, b)))


def counted(x):
    """As many rounds of a loop as the input says, one after another: seconds for some hundred thousand."""
    total = ops.parameter([1], ov.Type.f32, name="total")
    body = ov.Model([ops.add(ops.sin(total), ops.constant(np.float32([1]))), ops.constant(True)], [total], "round")
    loop = ops.loop(ops.squeeze(x, np.int32([0])), ops.constant(True))
    loop.set_function(body)
    loop.set_special_body_ports([-1, 1])
    loop.set_merged_input(total, ops.constant(np.float32([0])).output(0), body.results[0].output(0))
    return (("y", ops.relu(loop.get_iter_value(body.results[0].output(0), -1))),)


def main(folder):
    save(folder, "addsub", [("INPUT0", [-1, 4], ov.Type.f32), ("INPUT1", [-1, 4], ov.Type.f32)], add_sub)
    save(folder, "fixed", [("INPUT0", [1, 4], ov.Type.f32), ("INPUT1", [1, 4], ov.Type.f32)], add_sub)
    save(folder, "layout", [("INPUT0", [1, 4], ov.Type.f32), ("INPUT1", [1, 4], ov.Type.f32)], add_sub, "[N,H]")
    save(folder, "growing", [("INPUT0", [-1, 4], ov.Type.f32), ("INPUT1", [-1, 4], ov.Type.f32)], add_sub, "[N,H]")
    save(folder, "dynamic", [("x", [-1, 4], ov.Type.f32)], lambda x: (("y", ops.relu(x)),))
    save(folder, "integers", [("x", [1, 4], ov.Type.i32)], lambda x: (("y", ops.add(x, ops.constant(np.int32(1)))),))
    save(folder, "pooled", [("x", [1, 3, 8, 8], ov.Type.f32)], lambda x: (("y", ops.reduce_mean(x, np.array([2, 3]))),))
    save(folder, "counted", [("x", [1], ov.Type.i32)], counted)
    for factor in (1, 2, 3):
        by_factor = lambda x: (("y", ops.multiply(x, ops.constant(np.float32(factor)))),)  # noqa: B023
        save(folder, f"times{factor}", [("x", [-1, 4], ov.Type.f32)], by_factor)
    os.makedirs(os.path.join(folder, "broken"))
    with open(os.path.join(folder, "broken", "model.xml"), "w") as broken:
        broken.write("<net")


main(sys.argv[1])
