"""PreferredMemory: where a model wants the outputs of another model. They come in host memory, and are copied to a GPU
where one is asked for and a driver is here."""

from .arguments import require, whole
from .cuda_driver import driver
from .names import NativeEnum, native


@native
class MemoryType(NativeEnum):
    TRITONSERVER_MEMORY_GPU = 0
    TRITONSERVER_MEMORY_CPU = 1


@native
class PreferredMemory:
    __slots__ = ("_kind", "_device_id", "__weakref__")

    def __init__(self, preferred_memory_type, preferred_device_id=0):
        require(preferred_memory_type, MemoryType, "preferred_memory_type")
        self._kind = preferred_memory_type
        self._device_id = whole(preferred_device_id, "preferred_device_id")

    def _gpu(self):
        """Number of the GPU that is wanted and can be had; None = host memory."""
        return self._device_id if self._kind is MemoryType.TRITONSERVER_MEMORY_GPU and driver() is not None else None
