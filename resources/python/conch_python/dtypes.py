"""Data types: Triton's codes and names beside those of numpy, and the wire layout of BYTES."""

import struct

import numpy as np


BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, FP16, FP32, FP64, BYTES, BF16 = range(1, 15)

# Code of a type -> its name on the wire.
WIRE_NAMES = (
    "",
    "BOOL",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "FP16",
    "FP32",
    "FP64",
    "BYTES",
    "BF16",
)

TRITON_STRING_TO_NUMPY = {
    "TYPE_BOOL": bool,
    "TYPE_UINT8": np.uint8,
    "TYPE_UINT16": np.uint16,
    "TYPE_UINT32": np.uint32,
    "TYPE_UINT64": np.uint64,
    "TYPE_INT8": np.int8,
    "TYPE_INT16": np.int16,
    "TYPE_INT32": np.int32,
    "TYPE_INT64": np.int64,
    "TYPE_FP16": np.float16,
    "TYPE_FP32": np.float32,
    "TYPE_FP64": np.float64,
    "TYPE_STRING": np.object_,
}

_NUMPY_TYPES = {
    BOOL: np.bool_,
    UINT8: np.uint8,
    UINT16: np.uint16,
    UINT32: np.uint32,
    UINT64: np.uint64,
    INT8: np.int8,
    INT16: np.int16,
    INT32: np.int32,
    INT64: np.int64,
    FP16: np.float16,
    FP32: np.float32,
    FP64: np.float64,
    BYTES: np.object_,
}

# How tensor bytes are viewed: as numpy's own type, BF16 as its bits.
VIEW_DTYPES = {code: np.dtype(kind) for code, kind in _NUMPY_TYPES.items() if code != BYTES}
VIEW_DTYPES[BF16] = np.dtype(np.uint16)

_COMPARED = (*((kind, code) for code, kind in _NUMPY_TYPES.items()), (np.bytes_, BYTES))

_CODES = {np.dtype(kind): code for code, kind in _NUMPY_TYPES.items()}


def code_of(dtype):
    """Code of a numpy dtype; None for one that cannot be sent."""
    code = _CODES.get(dtype)
    return BYTES if code is None and dtype.kind == "S" else code


def triton_string_to_numpy(triton_type_string):
    return TRITON_STRING_TO_NUMPY[triton_type_string]


def triton_to_numpy_type(data_type):
    return next((kind for code, kind in _NUMPY_TYPES.items() if data_type == code), None)


def numpy_to_triton_type(data_type):
    """By comparison, as in Triton: types of numpy and their dtypes, no names of them and no types of Python."""
    return next((code for kind, code in _COMPARED if data_type == kind), None)


def serialize_byte_tensor(input_tensor):
    """Bytes of all elements in C order, each after its length as little-endian uint32; `()` for an empty array, None
    for an array of another type."""
    if input_tensor.size == 0:
        return ()
    if input_tensor.dtype != np.object_ and input_tensor.dtype.type != np.bytes_:
        return None
    return encode_bytes(input_tensor)


def encode_bytes(array):
    parts = []
    append = parts.append
    pack = struct.Struct("<I").pack
    for element in array.ravel(order="C").tolist():
        # Anything else is told by its text, also what only derives from bytes.
        data = element if type(element) is bytes else str(element).encode("utf-8")
        append(pack(len(data)))
        append(data)
    return b"".join(parts)


def deserialize_bytes_tensor(encoded_tensor):
    """1-D object array of `bytes`. Raises struct.error when lengths and size do not fit each other."""
    elements = []
    # Elements of an array are counted, not bytes: as in Triton.
    at, end = 0, len(encoded_tensor)
    unpack = struct.Struct("<I").unpack_from
    while at < end:
        (length,) = unpack(encoded_tensor, at)
        at += 4
        (element,) = struct.unpack_from(f"<{length}s", encoded_tensor, at)
        elements.append(element)
        at += length
    array = np.empty(len(elements), dtype=np.object_)
    array[:] = elements
    return array
