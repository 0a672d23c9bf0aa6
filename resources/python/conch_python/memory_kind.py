"""PreferredMemory: where a model wants the outputs of another model. Here they always come in host memory."""

from .arguments import require, whole
from .names import NativeEnum, native


@native
class MemoryType(NativeEnum):
    TRITONSERVER_MEMORY_GPU = 0
    TRITONSERVER_MEMORY_CPU = 1


@native
class PreferredMemory:
    __slots__ = ("_kind", "_device_id")

    def __init__(self, preferred_memory_type, preferred_device_id=0):
        require(preferred_memory_type, MemoryType, "preferred_memory_type")
        self._kind = preferred_memory_type
        self._device_id = whole(preferred_device_id, "preferred_device_id")
