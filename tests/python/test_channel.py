import gc
import os
import socket
import tempfile
import threading
import time

import numpy as np
import pytest
from conch_python.blocks import BlockReader, BlockWriter
from conch_python.channel import Channel, Closed
from conch_python.frames import (
    FRAME,
    FRAME_SIZE,
    append_block,
    json_frame,
    offsets_frame,
    plain_frame,
    read_json,
    to_json,
)
from conch_python.memory import SHARED_FROM, InputMemory, OutputMemory
from conch_python.tensor import Tensor


class Pair:
    """A channel, and the other end of its socket."""

    def __init__(self):
        self.peer, mine = socket.socketpair()
        self.channel = Channel(mine)
        self.got = []
        for kind in (1, 2):
            self.channel.on(kind, lambda data, at, flags, a, b, kind=kind: self.got.append((kind, flags, a, b)))


@pytest.fixture
def pair():
    made = Pair()
    yield made
    made.peer.close()


def test_frames_arrive_in_order_however_they_are_cut(pair):
    frames = b"".join(plain_frame(1 + index % 2, a=index, b=7, flags=index % 3) for index in range(50))
    sender = threading.Thread(target=lambda: [pair.peer.sendall(frames[at : at + 5]) for at in range(0, len(frames), 5)])
    sender.start()
    pair.channel.wait(lambda: len(pair.got) == 50)
    sender.join()
    assert pair.got == [(1 + index % 2, index % 3, index, 7) for index in range(50)]


def test_json_passes_whatever_its_size(pair):
    seen = []
    pair.channel.on(3, lambda data, at, flags, a, b: seen.append(read_json(data, at)))
    values = [{"text": "ä\ud800", "n": [1, None]}, "x" * 300_000, [], None]
    sender = threading.Thread(target=lambda: [pair.peer.sendall(json_frame(3, value)) for value in values])
    sender.start()
    pair.channel.wait(lambda: len(seen) == len(values))
    sender.join()
    assert seen == values


def test_frames_of_many_threads_stay_whole(pair):
    def write():
        for _ in range(200):
            pair.channel.send(plain_frame(1, a=5), plain_frame(2, a=6))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    wanted = 4 * 200 * 2 * FRAME_SIZE
    data = b""
    while len(data) < wanted:
        data += pair.peer.recv(1 << 16)
    for thread in threads:
        thread.join()
    heads = [FRAME.unpack_from(data, at)[1] for at in range(0, wanted, FRAME_SIZE)]
    assert heads == [1, 2] * 800


def test_whoever_waits_hears_what_others_read(pair):
    done = []

    def wait_for(number):
        pair.channel.wait(lambda: any(a == number for _, _, a, _ in pair.got))
        done.append(number)

    threads = [threading.Thread(target=wait_for, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for number in reversed(range(8)):
        pair.peer.sendall(plain_frame(1, a=number))
        time.sleep(0.005)
    for thread in threads:
        thread.join(timeout=5)
    assert sorted(done) == list(range(8))


def test_the_end_of_the_engine_is_told_to_all_who_wait(pair):
    told = []

    def wait():
        try:
            pair.channel.wait(lambda: False)
        except Closed:
            told.append(1)

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    pair.peer.close()
    for thread in threads:
        thread.join(timeout=5)
    assert len(told) == 3
    assert pair.channel.is_closed
    pair.channel.send(plain_frame(1))


@pytest.mark.parametrize(
    "rubbish", [bytes(64), FRAME.pack(8, 1, 0, 0, 0), plain_frame(99), b"GET / HTTP/1.1\r\n" * 4], ids=str
)
def test_what_is_no_frame_ends_the_connection(pair, rubbish, capsys):
    pair.peer.sendall(plain_frame(1) + rubbish)
    pair.peer.shutdown(socket.SHUT_WR)
    with pytest.raises(Closed):
        pair.channel.wait(lambda: False)
    assert pair.got == [(1, 0, 0, 0)]


def test_polling_reads_what_is_there_and_does_not_wait(pair):
    pair.channel.poll()
    assert pair.got == []
    pair.peer.sendall(plain_frame(2, a=3))
    pair.channel.poll()
    assert pair.got == [(2, 0, 3, 0)]


def test_offsets():
    frame = offsets_frame(9, [0, 1 << 40])
    assert FRAME.unpack_from(frame) == (FRAME_SIZE + 16, 9, 0, 2, 0)
    assert list(memoryview(frame)[FRAME_SIZE:].cast("Q")) == [0, 1 << 40]


@pytest.fixture
def files():
    with tempfile.TemporaryFile() as first, tempfile.TemporaryFile() as second:
        yield first.fileno(), second.fileno()


def block_of(tensors, wanted=("OUT",), extra=None, memory=None):
    parts = []
    size = BlockWriter(memory).append(parts, 5, 2, tensors, extra, wanted)
    data = bytearray(b"".join(part if isinstance(part, bytes) else part.tobytes() for part in parts))
    assert len(data) == size
    return data


ARRAYS = [
    np.arange(6, dtype=np.float32).reshape(2, 3),
    np.zeros((0, 4), np.int8),
    np.array(True),
    np.array([b"a\0", b"", b"\xff"], dtype=np.object_),
    np.array([1, 2, 3], np.uint8),
]


def test_blocks_carry_tensors_of_every_kind():
    data = block_of([Tensor(f"t{index}", array) for index, array in enumerate(ARRAYS)], extra={"id": "ä"})
    block = BlockReader(None).read(bytearray(8) + data, 8)
    assert (block.key, block.flags, block.size, block.extra) == (5, 2, len(data), {"id": "ä"})
    assert block.head[1] == ("OUT",)
    for index, (array, tensor) in enumerate(zip(ARRAYS, block.tensors())):
        assert (tensor.name(), tensor.shape()) == (f"t{index}", list(array.shape))
        assert tensor.as_numpy().tolist() == array.tolist()


def test_blocks_that_look_alike_and_blocks_that_do_not():
    reader = BlockReader(None)
    for shape in ((2,), (2,), (3,), (2,), (1, 2)):
        array = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
        block = reader.read(block_of([Tensor("a", array)]), 0)
        assert block.tensors()[0].as_numpy().tolist() == array.tolist()


def test_a_block_without_anything():
    parts = []
    size = append_block(parts, 1, 0, b"", b"", ())
    block = BlockReader(None).read(bytearray(b"".join(parts)), 0)
    assert (block.size, block.tensors(), block.extra) == (size, [], {})


def test_large_outputs_lie_in_the_file_and_their_room_is_used_again(files):
    memory = OutputMemory(files[1])
    large = np.arange(SHARED_FROM, dtype=np.uint8)
    block = BlockReader(None)
    data = block_of([Tensor("small", np.zeros(2, np.uint8)), Tensor("large", large)], memory=memory)
    assert len(data) < 1000
    offset, room = memory.put(large, large.nbytes)
    assert (offset, room) == (SHARED_FROM, SHARED_FROM)
    assert os.pread(files[1], large.nbytes, offset) == large.tobytes()
    memory.release(offset)
    memory.release(offset)
    assert memory.put(large, large.nbytes)[0] == offset
    assert memory.put(large, SHARED_FROM - 1)[0] == 2 * SHARED_FROM
    assert block is not None


def test_a_full_disk_is_an_error_of_the_tensor(files):
    read_only = os.open(os.devnull, os.O_RDONLY)
    try:
        with pytest.raises(MemoryError, match="shared memory"):
            OutputMemory(read_only).put(b"x" * SHARED_FROM, SHARED_FROM)
    finally:
        os.close(read_only)


def test_large_inputs_are_views_of_the_file_and_told_when_nobody_sees_them(files):
    os.ftruncate(files[0], 2 * SHARED_FROM)
    os.pwrite(files[0], b"\1\2\3\4", SHARED_FROM)
    freed = []
    memory = InputMemory(files[0], freed.append)
    head = {"t": [["a", 2, [SHARED_FROM], SHARED_FROM]], "o": []}
    parts = []
    append_block(parts, 1, 0, to_json(head), to_json({"m": [[0, SHARED_FROM, SHARED_FROM]]}), ())
    block = BlockReader(memory).read(bytearray(b"".join(parts)), 0)
    view = block.tensors()[0].as_numpy()[1:3]
    del block
    gc.collect()
    assert (view.tolist(), freed) == ([2, 3], [])
    view[0] = 9
    assert os.pread(files[0], 2, SHARED_FROM) == b"\1\x09"
    del view
    gc.collect()
    assert freed == [SHARED_FROM]
