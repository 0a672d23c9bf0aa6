"""Large tensors: two files that both processes have open, one for each direction. Nobody else knows of them: they have
no name any more, so nothing is left behind when processes end in whatever way.

The engine writes inputs, this side maps them and tells when the last view of a tensor is gone. This side writes
outputs, the engine reads them and tells when their room is free again."""

import mmap
import os
import threading
import weakref

import numpy as np

# Tensors of this size and more travel through the files.
SHARED_FROM = 1 << 16


class _Lease(np.ndarray):
    """The bytes of one tensor in the file; every view of them keeps this one alive."""


class InputMemory:
    """The file with inputs. `on_freed(offset)` is told of tensors that nobody sees any more; it may be called
    anywhere, also inside of code that holds a lock."""

    def __init__(self, descriptor, on_freed):
        self._descriptor = descriptor
        self._on_freed = on_freed
        self._maps = {}

    def bytes_at(self, offset, room, size):
        """Writable uint8 array over the tensor at `offset`; `room` is what was set aside there."""
        mapped = self._maps.get((offset, room))
        if mapped is None:
            mapped = self._maps[(offset, room)] = mmap.mmap(self._descriptor, room, offset=offset)
        # Made over the map itself: numpy would let a view of another array refer to that one, past the lease.
        lease = _Lease((size,), np.uint8, mapped)
        weakref.finalize(lease, self._on_freed, offset).atexit = False
        return lease


class OutputMemory:
    """The file with outputs: rooms of powers of two, kept for the next tensor of their size."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._free = {}
        self._rooms = {}
        self._end = 0
        self._lock = threading.Lock()

    def put(self, buffer, size):
        """Writes the bytes; returns `(offset, room)`. Raises MemoryError when the file cannot take them."""
        room = max(SHARED_FROM, 1 << (size - 1).bit_length())
        with self._lock:
            free = self._free.get(room)
            if free:
                offset = free.pop()
            else:
                offset = self._end
                self._end += room
            self._rooms[offset] = room
        try:
            _write_all(self._descriptor, memoryview(buffer).cast("B"), offset)
        except OSError as error:
            self.release(offset)
            raise MemoryError(
                f"Failed to grow the shared memory by {size} bytes for an output tensor: {error.strerror}. "
                "Enlarge the shared memory (/dev/shm) of this machine or container."
            ) from None
        return offset, room

    def release(self, offset):
        with self._lock:
            room = self._rooms.pop(offset, None)
            if room is not None:
                self._free.setdefault(room, []).append(offset)


if hasattr(os, "pwrite"):

    def _write_all(descriptor, view, offset):
        while view:
            count = os.pwrite(descriptor, view, offset)
            offset += count
            view = view[count:]

else:
    _position_lock = threading.Lock()

    def _write_all(descriptor, view, offset):
        with _position_lock:
            os.lseek(descriptor, offset, os.SEEK_SET)
            while view:
                view = view[os.write(descriptor, view) :]
