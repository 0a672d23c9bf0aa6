"""Where a tensor in GPU memory lies. Nothing here is read on the host but by copying it first."""

import ctypes

import numpy as np

from .cuda_driver import driver
from .errors import TritonModelException


class GpuMemory:
    """`view` has the shape, the type and the address of the tensor, and keeps its owner; its elements must not be touched,
    since the address is one of the GPU."""

    __slots__ = ("view", "device")

    def __init__(self, view, device):
        self.view = view
        self.device = device

    def to_host(self):
        """A copy, when all work on the GPU is done."""
        host = np.empty(self.view.shape, self.view.dtype)
        if host.nbytes > 0:
            cuda = needed_driver()
            cuda.synchronize(self.device)
            cuda.to_host(host.ctypes.data, self.view.ctypes.data, host.nbytes, self.device)
        return host


class Allocation:
    """Memory of a GPU, given back when nobody has a view of it any more."""

    __slots__ = ("address", "device", "_cuda")

    def __init__(self, byte_size, device):
        self._cuda = needed_driver()
        self.device = device
        self.address = self._cuda.allocate(byte_size, device)

    def __del__(self):
        if hasattr(self, "address"):
            self._cuda.free(self.address, self.device)


def to_gpu(array, device):
    """A copy of the array in the memory of that GPU."""
    if array.nbytes == 0:
        return GpuMemory(np.empty(array.shape, array.dtype), device)
    allocation = Allocation(array.nbytes, device)
    allocation._cuda.to_device(allocation.address, array.ctypes.data, array.nbytes, device)
    return GpuMemory(view_of(allocation.address, array.shape, array.dtype, allocation), device)


def view_of(address, shape, dtype, owner):
    """An array over memory at an address, on the host or not, that keeps `owner`. The memory is not looked at."""
    count = 1
    for size in shape:
        count *= size
    if count == 0 or not address:
        return np.empty(shape, dtype)
    buffer = (ctypes.c_ubyte * (count * dtype.itemsize)).from_address(address)
    buffer.owner = owner
    return np.frombuffer(buffer, dtype=dtype).reshape(shape)


def needed_driver():
    cuda = driver()
    if cuda is None:
        raise TritonModelException("The tensor is in GPU memory, and no NVIDIA driver that finds a GPU is here to copy it.")
    return cuda
