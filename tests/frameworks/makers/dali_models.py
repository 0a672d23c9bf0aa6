"""Writes DALI pipelines for tests: `dali_models.py FOLDER`."""

import os
import sys

import nvidia.dali as dali
import nvidia.dali.fn as fn
import nvidia.dali.types as types

SOURCE = """
import nvidia.dali as dali
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.plugin.triton import autoserialize

@autoserialize
@dali.pipeline_def(batch_size=8, num_threads=1, device_id={device})
def pipe():
    data = fn.external_source(name="INPUT", device="cpu", dtype=types.FLOAT, ndim=1)
    return data * 2.0, fn.reductions.sum(data)
"""


@dali.pipeline_def(batch_size=8, num_threads=1, device_id=None)
def typed():
    data = fn.external_source(name="INPUT", device="cpu", dtype=types.FLOAT, ndim=1)
    return fn.cast(data * 2.0, dtype=types.FLOAT)


@dali.pipeline_def(batch_size=8, num_threads=1, device_id=None)
def sliced():
    data = fn.external_source(name="INPUT", device="cpu", dtype=types.FLOAT, ndim=1)
    return fn.slice(data, start=[0], shape=[2], axes=[0])


@dali.pipeline_def(batch_size=8, num_threads=1, device_id=None)
def rows():
    """Samples of several rows each."""
    data = fn.external_source(name="INPUT", device="cpu", dtype=types.FLOAT, ndim=2)
    return fn.cast(data * 2.0, dtype=types.FLOAT)


@dali.pipeline_def(batch_size=8, num_threads=1, device_id=None)
def decoded():
    """Pictures become 8 x 8 pixels in floating point, channels first."""
    data = fn.external_source(name="IMAGE", device="cpu", dtype=types.UINT8, ndim=1)
    pixels = fn.resize(fn.decoders.image(data, device="cpu"), resize_x=8, resize_y=8)
    return fn.crop_mirror_normalize(pixels, dtype=types.FLOAT, output_layout="CHW", mean=[0.0] * 3, std=[255.0] * 3)


def main(folder):
    for name, pipeline in (("typed", typed), ("sliced", sliced), ("rows", rows), ("decoded", decoded)):
        os.makedirs(os.path.join(folder, name))
        pipeline().serialize(filename=os.path.join(folder, name, "model.dali"))
    for name, device in (("source", "None"), ("gpu_source", "0")):
        os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, name, "dali.py"), "w") as source:
            source.write(SOURCE.format(device=device))


main(sys.argv[1])
