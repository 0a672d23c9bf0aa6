"""System shared memory as input and output, the register of regions, and what is said about CUDA regions."""

import base64
import contextlib
import uuid

import numpy as np
import tritonclient.utils.shared_memory as shm
from tritonclient.utils import serialize_byte_tensor

from expectations import equal, holds, raises, same_array
from registry import check


@contextlib.contextmanager
def _region(t, byte_size, register=True, offset=0):
    """A named object of the system, registered under a name of its own; gone afterwards."""
    name = f"region-{uuid.uuid4().hex[:12]}"
    key = f"/conch-{uuid.uuid4().hex[:12]}"
    handle = shm.create_shared_memory_region(name, key, byte_size)
    try:
        if register:
            t.call("register_system_shared_memory", name, key, byte_size - offset, offset)
        yield name, key, handle
    finally:
        t.call("unregister_system_shared_memory", name)
        shm.destroy_shared_memory_region(handle)


def _status(t, name=""):
    seen = t.read("get_system_shared_memory_status", name)
    return seen.get("regions", {}) if t.is_grpc else {entry["name"]: entry for entry in seen}


@check("tensors in and out of system shared memory")
def in_and_out(t):
    left, right = np.arange(16, dtype=np.int32), np.linspace(0, 1, 16, dtype=np.float32)
    with _region(t, 128) as (source, _, read), _region(t, 128) as (target, _, written):
        shm.set_shared_memory_region(read, [left, right])
        inputs = [t.module.InferInput("INPUT0", [16], "INT32"), t.module.InferInput("INPUT1", [16], "FP32")]
        inputs[0].set_shared_memory(source, 64)
        inputs[1].set_shared_memory(source, 64, offset=64)
        outputs = [t.module.InferRequestedOutput("OUTPUT0"), t.module.InferRequestedOutput("OUTPUT1")]
        outputs[0].set_shared_memory(target, 64)
        outputs[1].set_shared_memory(target, 64, offset=64)
        result = t.infer("two", inputs, outputs=outputs)
        if t.is_grpc:
            equal(list(result.get_response().raw_output_contents), [b"", b""], "data in the reply")
        else:
            equal(set(result.get_output("OUTPUT0")), {"name", "datatype", "shape"}, "members in the reply")
        same_array(shm.get_contents_as_numpy(written, np.int32, [16]), left)
        same_array(shm.get_contents_as_numpy(written, np.float32, [16], offset=64), right)


@check("text in system shared memory")
def text(t):
    array = np.array([b"one", b"", "drei €".encode()], np.object_)
    with _region(t, 64) as (source, _, handle):
        packed = serialize_byte_tensor(array)
        shm.set_shared_memory_region(handle, [packed])
        size = len(packed.item())
        made = t.module.InferInput("INPUT0", [3], "BYTES")
        made.set_shared_memory(source, size)
        same_array(t.infer("echo_bytes", [made]).as_numpy("OUTPUT0"), array)


@check("shared and ordinary tensors in one request")
def mixed(t):
    left = np.arange(4, dtype=np.int32)
    right = np.ones(4, np.float32)
    with _region(t, 16) as (source, _, handle):
        shm.set_shared_memory_region(handle, [left])
        shared = t.module.InferInput("INPUT0", [4], "INT32")
        shared.set_shared_memory(source, 16)
        result = t.infer("two", [shared, t.input("INPUT1", right, "FP32")])
        same_array(result.as_numpy("OUTPUT0"), left)
        same_array(result.as_numpy("OUTPUT1"), right)


@check("status, and registering at an offset")
def status(t):
    with _region(t, 8192, offset=4096) as (name, key, handle):
        entry = _status(t, name)[name]
        equal([entry["key"], int(entry["offset"]), int(entry["byte_size"])], [key, 4096, 4096])
        shm.set_shared_memory_region(handle, [np.array([9, 8], np.int32)], offset=4096)
        made = t.module.InferInput("INPUT0", [2], "INT32")
        made.set_shared_memory(name, 8)
        same_array(t.infer("echo_int32", [made]).as_numpy("OUTPUT0"), np.array([9, 8], np.int32))
        t.call("unregister_system_shared_memory", name)
        raises(f"Unable to find system shared memory region: '{name}'", _status, t, name)


@check("registering twice, beyond the object, a key that is not there")
def register_faults(t):
    with _region(t, 64) as (name, key, _):
        raises(
            f"shared memory region '{name}' already in manager",
            t.call,
            "register_system_shared_memory",
            name,
            key,
            64,
            status=("400", "ALREADY_EXISTS"),
        )
        raises(
            "failed to register shared memory region 'other': invalid args",
            t.call,
            "register_system_shared_memory",
            "other",
            key,
            1 << 30,
        )
    raises(
        "Unable to open shared memory region: '/conch-not-there'",
        t.call,
        "register_system_shared_memory",
        "absent",
        "/conch-not-there",
        64,
        status=("500", "INTERNAL"),
    )
    raises(
        "cannot register shared memory region 'absent' - invalid shm key '/'",
        t.call,
        "register_system_shared_memory",
        "absent",
        "/",
        64,
    )


@check("requests beyond a region are refused")
def beyond(t):
    with _region(t, 64) as (name, _, _):
        made = t.module.InferInput("INPUT0", [16], "INT32")
        made.set_shared_memory(name, 64, offset=64)
        raises(f"Invalid offset for shared memory region: '{name}'", t.infer, "echo_int32", [made])
        made.set_shared_memory(name, 64, offset=32)
        raises(f"Invalid offset + byte size for shared memory region: '{name}'", t.infer, "echo_int32", [made])
        made.set_shared_memory("no-region", 64)
        raises("Unable to find shared memory region: 'no-region'", t.infer, "echo_int32", [made])
        short = t.module.InferInput("INPUT0", [4], "INT32")
        short.set_shared_memory(name, 64)
        raises("input byte size mismatch for input 'INPUT0'", t.infer, "echo_int32", [short])
        output = t.module.InferRequestedOutput("OUTPUT0")
        output.set_shared_memory(name, 8)
        error = raises(
            "shared memory size specified with the request for output 'OUTPUT0' (8 bytes) should be at least 16 bytes"
            " to hold the results",
            t.infer,
            "echo_int32",
            [t.input("INPUT0", np.ones(4, np.int32), "INT32")],
            outputs=[output],
        )
        holds(error.status(), "500" if not t.is_grpc else "INTERNAL")


@check("unregistering unknown regions and all regions succeeds")
def unregister(t):
    t.call("unregister_system_shared_memory", "no-region")
    t.call("unregister_system_shared_memory")
    equal(_status(t), {}, "regions")


@check("CUDA regions: none there, and none without a GPU")
def cuda(t):
    seen = t.read("get_cuda_shared_memory_status")
    equal(seen.get("regions", {}) if t.is_grpc else seen, {} if t.is_grpc else [])
    t.call("unregister_cuda_shared_memory")
    raises(
        "failed to register CUDA shared memory region: 'c', GPUs not supported",
        t.call,
        "register_cuda_shared_memory",
        "c",
        base64.b64encode(b"x" * 64) if not t.is_grpc else b"x" * 64,
        0,
        64,
    )
