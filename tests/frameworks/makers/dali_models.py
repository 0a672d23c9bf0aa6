"""Writes DALI pipelines for tests: `dali_models.py FOLDER`."""

import os
import sys

import nvidia.dali as dali
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from motion_jpeg import film

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


@dali.pipeline_def(batch_size=2, num_threads=1, device_id=None, output_dtype=types.UINT8, output_ndim=[4])
def frames():
    """Two sequences of two frames in each run, the last one filled up with black frames."""
    return fn.experimental.inputs.video(
        name="INPUT", sequence_length=2, device="cpu", last_sequence_policy="pad"
    )


@dali.pipeline_def(batch_size=8, num_threads=1, device_id=None)
def mixed():
    data = fn.external_source(name="IMAGE", device="cpu", dtype=types.UINT8, ndim=1)
    return fn.decoders.image(data, device="mixed")


# The field of the device in a serialised pipeline: none, and the first GPU.
NO_DEVICE, FIRST_DEVICE = b"@\xe1\xf2\xf9\xff\xff\xff\xff\xff\xff\x01", b"@\x00"

DECLARED = '''
import nvidia.dali as dali
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.plugin.triton import autoserialize

@autoserialize
@dali.pipeline_def(batch_size=8, num_threads=1, device_id=None, output_dtype=types.FLOAT, output_ndim=1)
def pipe():
    return fn.external_source(name="INPUT", device="cpu", dtype=types.FLOAT, ndim=1) * 2.0
'''


def write(folder, name, file, content):
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, file), "wb") as target:
        target.write(content)


def main(folder):
    for name, pipeline in (("typed", typed), ("sliced", sliced), ("rows", rows), ("decoded", decoded), ("mixed", mixed), ("frames", frames)):
        write(folder, name, "model.dali", pipeline().serialize())
    for name, greys in (("five.avi", [0, 20, 128, 255, 100]), ("four.avi", [1, 2, 3, 4])):
        write(folder, name, "film", film(greys))
    stored = typed().serialize()
    assert stored.count(NO_DEVICE) == 1
    write(folder, "gpu_stored", "model.dali", stored.replace(NO_DEVICE, FIRST_DEVICE))
    write(folder, "declared", "dali.py", DECLARED.encode())
    for name, device in (("source", "None"), ("gpu_source", "0")):
        write(folder, name, "dali.py", SOURCE.format(device=device).encode())


main(sys.argv[1])
