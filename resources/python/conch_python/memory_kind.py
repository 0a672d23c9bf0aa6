"""PreferredMemory: where a model wants the outputs of another model. Here they always come in host memory."""

from .errors import require
from .names import NativeEnum, native


@native
class MemoryType(NativeEnum):
    TRITONSERVER_MEMORY_GPU = 0
    TRITONSERVER_MEMORY_CPU = 1


@native
class PreferredMemory:
    __slots__ = ("kind", "device_id")

    def __init__(self, preferred_memory_type=MemoryType.TRITONSERVER_MEMORY_CPU, preferred_device_id=0):
        require(preferred_memory_type, MemoryType, "preferred_memory_type")
        require(preferred_device_id, int, "preferred_device_id")
        self.kind = preferred_memory_type
        self.device_id = preferred_device_id
