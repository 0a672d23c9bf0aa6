"""What passes between engine and host: frames over one socket. The other side is src-main/backends/python-host.

Frame:  u32 size (all of it, a multiple of 8), u16 kind, u16 flags, u32 a, u32 b, then the payload.
Block:  u32 size (all of it, a multiple of 8), u32 key, u32 flags, u32 head size, u32 extra size, u32 0, then head and
        extra (JSON, UTF-8), zeros up to a multiple of 8, then the tensors that lie inside, each filled to 8.
Head:   {"t": [[name, type code, shape, byte size], ...], "o": [names of outputs]}; it repeats from request to request,
        so both sides keep what they read.
Extra:  what differs: {"id", "c" correlation, "f" flags, "u" timeout in us, "p" parameters, "e" error,
        "m": [[tensor, offset, room], ...] for tensors that lie in the shared file, ...}; empty when there is nothing.
"""

import json
import struct

FRAME = struct.Struct("<IHHII")
BLOCK = struct.Struct("<IIIIII")
FRAME_SIZE = FRAME.size
BLOCK_SIZE = BLOCK.size

# Engine to host.
SETUP, EXECUTE, CANCEL, SENT, CALL_RESPONSE, REPLY, FINALIZE, IS_READY, FREE = range(1, 10)
# Host to engine.
READY, FAILED, EXECUTED, RESPONSE, CALL, CANCEL_CALL, LOG, ASK, FREED, FINALIZED, READINESS, COMPLETED = range(1, 13)

# Flags of frames.
FINAL, HAS_BLOCK, BATCH_FAILED, DECOUPLED = 1, 2, 4, 8
# Flags of blocks in EXECUTED: what became of the request.
ANSWERED, OPEN, RESCHEDULED = 0, 1, 2

_PADDING = (b"", b"\0" * 7, b"\0" * 6, b"\0" * 5, b"\0" * 4, b"\0" * 3, b"\0" * 2, b"\0")


def padding(size):
    return _PADDING[size & 7]


# `json.dumps` with options makes an encoder for each call.
_encode = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode


def to_json(value):
    return _encode(value).encode("utf-8", "surrogatepass")


def json_frame(kind, value, a=0, b=0, flags=0):
    """A frame whose payload is JSON; its length stands in front of it."""
    data = to_json(value)
    size = FRAME_SIZE + 4 + len(data)
    return b"".join(
        (
            FRAME.pack(size + (-size & 7), kind, flags, a, b),
            struct.pack("<I", len(data)),
            data,
            padding(size),
        )
    )


def read_json(data, at):
    (size,) = struct.unpack_from("<I", data, at)
    return json.loads(bytes(data[at + 4 : at + 4 + size])) if size else None


def plain_frame(kind, a=0, b=0, flags=0):
    return FRAME.pack(FRAME_SIZE, kind, flags, a, b)


def offsets_frame(kind, offsets):
    data = struct.pack(f"<{len(offsets)}Q", *offsets)
    return FRAME.pack(FRAME_SIZE + len(data), kind, 0, len(offsets), 0) + data


def append_block(parts, key, flags, head, extra, buffers):
    """Appends the parts of a block; returns its size. `buffers`: `(buffer, byte size)` of the tensors inside."""
    size = BLOCK_SIZE + len(head) + len(extra)
    fill = padding(size)
    size += len(fill)
    at = len(parts)
    parts.append(b"")
    if head:
        parts.append(head)
    if extra:
        parts.append(extra)
    if fill:
        parts.append(fill)
    for buffer, count in buffers:
        parts.append(buffer)
        fill = _PADDING[count & 7]
        if fill:
            parts.append(fill)
        size += count + len(fill)
    parts[at] = BLOCK.pack(size, key, flags, len(head), len(extra), 0)
    return size
