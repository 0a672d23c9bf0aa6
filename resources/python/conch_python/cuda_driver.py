"""NVIDIA's driver, as far as tensors in GPU memory need it. Its primary contexts are those that every framework of this
process works in, so memory of one framework can be copied without asking that framework."""

import contextlib
import ctypes

from .errors import TritonModelException

_LIBRARIES = ("libcuda.so.1", "nvcuda.dll")
_NON_BLOCKING = 1
# The attributes of a device that are the two numbers of its compute capability.
_CAPABILITY = (75, 76)


class CudaDriver:
    """Calls of a loaded `libcuda`. All of them raise TritonModelException with the driver's own words."""

    def __init__(self, library):
        self._library = library
        self._contexts = {}
        self._call("cuInit", 0)

    def synchronize(self, device):
        """Waits for all work on the device that this process gave it."""
        with self.entered(device):
            self._call("cuCtxSynchronize")

    def to_host(self, host_address, address, byte_size, device):
        with self.entered(device):
            self._call("cuMemcpyDtoH_v2", _pointer(host_address), _address(address), ctypes.c_size_t(byte_size))

    def to_device(self, address, host_address, byte_size, device):
        with self.entered(device):
            self._call("cuMemcpyHtoD_v2", _address(address), _pointer(host_address), ctypes.c_size_t(byte_size))

    def allocate(self, byte_size, device):
        address = ctypes.c_uint64()
        with self.entered(device):
            self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(byte_size))
        return address.value

    def free(self, address, device):
        with self.entered(device):
            self._call("cuMemFree_v2", _address(address))

    def create_stream(self, device, preference=0):
        """A queue of work that waits for no other one. `preference`: 1 before others, -1 after them, 0 like them."""
        stream, least, greatest = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
        with self.entered(device):
            self._call("cuCtxGetStreamPriorityRange", ctypes.byref(least), ctypes.byref(greatest))
            priority = (0, greatest.value, least.value)[preference]
            self._call("cuStreamCreateWithPriority", ctypes.byref(stream), _NON_BLOCKING, ctypes.c_int(priority))
        return stream.value

    def destroy_stream(self, stream, device):
        with self.entered(device):
            self._call("cuStreamDestroy_v2", _pointer(stream))

    def synchronize_stream(self, stream, device):
        with self.entered(device):
            self._call("cuStreamSynchronize", _pointer(stream))

    def queue_to_device(self, address, host_address, byte_size, stream, device):
        """The memory of the host must stay until the stream has been waited for."""
        size = ctypes.c_size_t(byte_size)
        with self.entered(device):
            self._call("cuMemcpyHtoDAsync_v2", _address(address), _pointer(host_address), size, _pointer(stream))

    def queue_to_host(self, host_address, address, byte_size, stream, device):
        size = ctypes.c_size_t(byte_size)
        with self.entered(device):
            self._call("cuMemcpyDtoHAsync_v2", _pointer(host_address), _address(address), size, _pointer(stream))

    def compute_capability(self, device):
        """As configurations write it: "7.5"."""
        handle, value = ctypes.c_int(), ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(handle), ctypes.c_int(device))
        numbers = []
        for attribute in _CAPABILITY:
            self._call("cuDeviceGetAttribute", ctypes.byref(value), ctypes.c_int(attribute), handle)
            numbers.append(str(value.value))
        return ".".join(numbers)

    @contextlib.contextmanager
    def entered(self, device):
        """What libraries do in this thread meanwhile happens on that GPU."""
        context = self._contexts.get(device)
        if context is None:
            # Never given back: the framework keeps it for as long as the process lives, too.
            context = ctypes.c_void_p()
            handle = ctypes.c_int()
            self._call("cuDeviceGet", ctypes.byref(handle), ctypes.c_int(device))
            self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), handle)
            self._contexts[device] = context
        self._call("cuCtxPushCurrent_v2", context)
        try:
            yield
        finally:
            self._library.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))

    def _call(self, name, *arguments):
        code = getattr(self._library, name)(*arguments)
        if code != 0:
            words = ctypes.c_char_p()
            self._library.cuGetErrorString(code, ctypes.byref(words))
            raise TritonModelException(f"{name} failed: {(words.value or b'unknown error').decode()} ({code})")


def driver():
    """None where no driver is installed, or where it finds no GPU."""
    if not _found:
        _found.append(_load())
    return _found[0]


_found = []


def _load():
    for name in _LIBRARIES:
        try:
            return CudaDriver(ctypes.CDLL(name))
        except (OSError, TritonModelException):
            continue
    return None


def _pointer(address):
    return ctypes.c_void_p(address)


def _address(value):
    return ctypes.c_uint64(value)
