"""Tensor: a named array, from a request, for a response, or for a request to another model."""

import numpy as np

from . import dlpack
from .dtypes import BF16, BYTES, code_of, deserialize_bytes_tensor, encode_bytes
from .arguments import require, text
from .errors import TritonModelException
from .gpu_memory import GpuMemory, to_gpu
from .names import native


@native
class Tensor:
    """`Tensor(name, array)` as models make it; those of requests are views on what the engine sent."""

    __slots__ = ("_name", "_code", "_shape", "_array", "_raw", "__weakref__")

    def __init__(self, name, array, /):
        if type(name) is not str:
            name = text(name, "name")
        if type(array) is not np.ndarray:
            require(array, np.ndarray, "array")
        if name == "":
            raise TritonModelException("Tensor name cannot be an empty string.")
        code = code_of(array.dtype)
        if code is None:
            raise TritonModelException("NumPy dtype is not supported.")
        if not array.flags.c_contiguous:
            array = np.ascontiguousarray(array)
        self._name = name
        self._code = code
        self._shape = None
        self._array = array
        # Texts are what they were when the tensor was made; an array of numbers may change until it is sent.
        self._raw = encode_bytes(array) if code == BYTES else None

    @classmethod
    def _of_parts(cls, name, code, shape, array, raw):
        """A tensor of `code`: `array` holds its values (bits for BF16), or `raw` the wire bytes of BYTES, or where
        it lies on a GPU."""
        self = cls.__new__(cls)
        self._name, self._code, self._shape, self._array, self._raw = name, code, shape, array, raw
        return self

    def name(self):
        return self._name

    def shape(self):
        return list(self._array.shape if self._shape is None else self._shape)

    def triton_dtype(self):
        return self._code

    def is_cpu(self):
        return type(self._raw) is not GpuMemory

    def as_numpy(self):
        if type(self._raw) is GpuMemory:
            raise TritonModelException("Tensor is stored in GPU and cannot be converted to NumPy.")
        if self._code == BF16:
            raise TritonModelException(
                "Tensor dtype is BF16 and cannot be converted to NumPy. Use to_dlpack() and from_dlpack() instead."
            )
        if self._array is None:
            self._array = deserialize_bytes_tensor(self._raw).reshape(self._shape)
        return self._array

    def to_dlpack(self):
        if self._code == BYTES:
            raise TritonModelException("DLPack does not have support for string tensors.")
        if type(self._raw) is GpuMemory:
            return dlpack.capsule_of_gpu(self._raw, self._code)
        return dlpack.capsule_of(self._array, self._code)

    @staticmethod
    def from_dlpack(name, tensor, /):
        name = text(name, "name")
        if name == "":
            raise TritonModelException("Tensor name cannot be an empty string.")
        code, array, device = dlpack.array_of(tensor)
        if device is None:
            return Tensor._of_parts(name, code, None, array, None)
        return Tensor._of_parts(name, code, array.shape, None, GpuMemory(array, device))

    def __dlpack__(self, stream=None, **_kwargs):
        return self.to_dlpack()

    def __dlpack_device__(self):
        return (dlpack.CUDA, self._raw.device) if type(self._raw) is GpuMemory else (dlpack.CPU, 0)


def on_gpu(tensor, device):
    """The same tensor in the memory of that GPU; texts stay on the host."""
    if tensor._code == BYTES:
        return tensor
    return Tensor._of_parts(tensor._name, tensor._code, tensor._array.shape, None, to_gpu(tensor._array, device))


def wire_data(tensor):
    """What is sent of a tensor: a contiguous buffer in wire layout, and its size in bytes."""
    if tensor._code == BYTES:
        return tensor._raw, len(tensor._raw)
    array = tensor._array
    if array is None:
        array = tensor._raw.to_host()
    return array, array.nbytes
