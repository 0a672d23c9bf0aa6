"""Tensors of requests and responses to and from blocks (frames.py)."""

import json

import numpy as np

from .dtypes import BYTES, VIEW_DTYPES
from .errors import TritonModelException
from .frames import BLOCK, BLOCK_SIZE, append_block, to_json
from .memory import SHARED_FROM
from .tensor import Tensor, wire_data

_NO_EXTRA = {}
# Heads repeat; a model that changes shapes with every request must not fill the memory.
_LARGEST_CACHE = 1024


class Block:
    """What a block says, its tensors not made yet."""

    __slots__ = ("key", "flags", "head", "extra", "data", "at", "size", "shared")

    def tensors(self):
        """The tensors as views of the memory of the frame or of the shared file."""
        at, shared = self.at, self.shared
        made = []
        for index, (name, code, shape, size, dtype) in enumerate(self.head[0]):
            if shared is not None and index in shared:
                source, start = shared[index], 0
            else:
                source, start = self.data, at
                at += size + (-size & 7)
            if dtype is None:
                raw = bytes(memoryview(source)[start : start + size])
                made.append(Tensor._of_parts(name, code, shape, None, raw))
            else:
                array = np.ndarray(shape, dtype, source, start)
                made.append(Tensor._of_parts(name, code, None, array, None))
        return made


class BlockReader:
    def __init__(self, memory):
        self._memory = memory
        self._heads = {}
        self._last_text = b""
        self._last_head = ((), ())

    def read(self, data, at):
        """The block at `at`; the next one begins at `at + block.size`."""
        block = Block()
        size, key, flags, head_size, extra_size, _ = BLOCK.unpack_from(data, at)
        block.key, block.flags, block.size = key, flags, size
        start = at + BLOCK_SIZE
        end = start + head_size
        # Most requests look like the one before: then nothing has to be copied to look its head up.
        if head_size == len(self._last_text) and data.startswith(self._last_text, start):
            block.head = self._last_head
        else:
            self._last_text = text = bytes(data[start:end])
            self._last_head = block.head = self._head(text)
        if extra_size:
            block.extra = json.loads(bytes(data[end : end + extra_size]))
            end += extra_size
        else:
            block.extra = _NO_EXTRA
        block.data = data
        block.at = end + (-(BLOCK_SIZE + head_size + extra_size) & 7)
        block.shared = self._shared(block) if "m" in block.extra else None
        return block

    def _shared(self, block):
        """Taken even if nobody looks at them, so that their room is given back."""
        tensors = block.head[0]
        return {
            index: self._memory.bytes_at(offset, room, tensors[index][3])
            for index, offset, room in block.extra["m"]
        }

    def _head(self, text):
        head = self._heads.get(text)
        if head is not None:
            return head
        value = json.loads(text) if text else {}
        tensors = tuple(
            (name, code, tuple(shape), size, None if code == BYTES else VIEW_DTYPES[code])
            for name, code, shape, size in value.get("t", ())
        )
        head = (tensors, tuple(value.get("o", ())))
        if len(self._heads) >= _LARGEST_CACHE:
            self._heads.clear()
        self._heads[text] = head
        return head


class BlockWriter:
    def __init__(self, memory):
        self._memory = memory
        self._heads = {}

    def append(self, parts, key, flags, tensors, extra, outputs=()):
        """Appends a block to `parts` and returns its size. `extra` may be changed."""
        described, inside, shared = [], [], None
        for index, tensor in enumerate(tensors):
            data, size = wire_data(tensor)
            described.append((tensor._name, tensor._code, _shape_of(tensor), size))
            if size >= SHARED_FROM:
                shared = shared or []
                try:
                    shared.append((index, *self._memory.put(data, size)))
                except MemoryError as error:
                    raise TritonModelException(str(error)) from None
            else:
                inside.append((data, size))
        if shared:
            extra = dict(extra, m=shared) if extra else {"m": shared}
        head = self._head((tuple(described), outputs))
        return append_block(parts, key, flags, head, to_json(extra) if extra else b"", inside)

    def _head(self, key):
        head = self._heads.get(key)
        if head is None:
            tensors, outputs = key
            head = to_json({"t": tensors, "o": outputs} if outputs else {"t": tensors}) if tensors or outputs else b""
            if len(self._heads) >= _LARGEST_CACHE:
                self._heads.clear()
            self._heads[key] = head
        return head


def _shape_of(tensor):
    return tensor._array.shape if tensor._shape is None else tuple(tensor._shape)
