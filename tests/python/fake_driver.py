"""NVIDIA's driver as far as it is called, with memory of this process as memory of GPUs."""

import ctypes


class FakeLibrary:
    """What is called of libcuda, and in which context; GPU 0 and 1 exist."""

    def __init__(self):
        self.calls = []
        self.memory = {}
        self.current = []
        self.streams = []

    def cuInit(self, _flags):
        return 0

    def cuDeviceGet(self, handle, device):
        handle._obj.value = device.value
        return 0 if device.value < 2 else 101

    def cuDevicePrimaryCtxRetain(self, context, handle):
        self.calls.append(f"retain {handle.value}")
        context._obj.value = 100 + handle.value
        return 0

    def cuCtxPushCurrent_v2(self, context):
        self.current.append(context.value - 100)
        return 0

    def cuCtxPopCurrent_v2(self, _context):
        self.current.pop()
        return 0

    def cuCtxSynchronize(self):
        self.calls.append(f"synchronize {self.current[-1]}")
        return 0

    def cuMemcpyDtoH_v2(self, to, source, size):
        self.calls.append(f"to host from {self.current[-1]}")
        ctypes.memmove(to.value, source.value, size.value)
        return 0

    def cuMemcpyHtoD_v2(self, to, source, size):
        self.calls.append(f"to {self.current[-1]}")
        ctypes.memmove(to.value, source.value, size.value)
        return 0

    def cuMemAlloc_v2(self, address, size):
        if size.value > 1 << 20:
            return 2
        buffer = ctypes.create_string_buffer(size.value)
        address._obj.value = ctypes.addressof(buffer)
        self.memory[address._obj.value] = buffer
        return 0

    def cuMemFree_v2(self, address):
        del self.memory[address.value]
        return 0

    def cuGetErrorString(self, code, words):
        words._obj.value = {2: b"out of memory", 101: b"invalid device ordinal", 400: b"invalid resource handle"}[code]
        return 0

    def cuCtxGetStreamPriorityRange(self, least, greatest):
        least._obj.value, greatest._obj.value = 0, -5
        return 0

    def cuStreamCreateWithPriority(self, stream, flags, priority):
        self.streams.append(7000 + len(self.streams))
        self.calls.append(f"stream {self.streams[-1]} with flags {flags} and priority {priority.value}")
        stream._obj.value = self.streams[-1]
        return 0

    def cuStreamDestroy_v2(self, stream):
        if stream.value not in self.streams:
            return 400
        self.streams.remove(stream.value)
        return 0

    def cuStreamSynchronize(self, stream):
        self.calls.append(f"wait for {stream.value}")
        return 0 if stream.value in self.streams else 400

    def cuMemcpyHtoDAsync_v2(self, to, source, size, stream):
        return self.cuMemcpyHtoD_v2(to, source, size) if stream.value in self.streams else 400

    def cuMemcpyDtoHAsync_v2(self, to, source, size, stream):
        return self.cuMemcpyDtoH_v2(to, source, size) if stream.value in self.streams else 400

    def cuDeviceGetAttribute(self, value, attribute, _device):
        value._obj.value = {75: 9, 76: 0}[attribute.value]
        return 0
