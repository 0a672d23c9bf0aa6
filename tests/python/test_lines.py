"""Lines of the log on a channel whose writes are counted."""

import socket
import threading
import time

import pytest
from conch_python.channel import Channel
from conch_python.frames import FRAME, FRAME_SIZE, plain_frame

PATIENCE_S = 20


class CountedSocket:
    """Counts the writes of a socket."""

    def __init__(self, connection):
        self._connection = connection
        self.recv = connection.recv
        self.writes = 0

    def sendall(self, data):
        self.writes += 1
        self._connection.sendall(data)

    def close(self):
        self._connection.close()


class Reader:
    """Numbers of the frames that arrive at the other end."""

    def __init__(self, peer):
        self.numbers = []
        self._peer = peer
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        rest = b""
        while data := self._peer.recv(1 << 16):
            rest += data
            whole = len(rest) - len(rest) % FRAME_SIZE
            self.numbers += [frame[3] for frame in FRAME.iter_unpack(rest[:whole])]
            rest = rest[whole:]

    def wait_for(self, count):
        end = time.monotonic() + PATIENCE_S
        while len(self.numbers) < count and time.monotonic() < end:
            time.sleep(0.005)
        return self.numbers


@pytest.fixture
def ends():
    peer, mine = socket.socketpair()
    counted = CountedSocket(mine)
    yield Channel(counted), counted, peer
    mine.close()
    peer.close()


def test_a_single_line_leaves_at_once(ends):
    channel, counted, peer = ends
    channel.lines.add(plain_frame(1, a=0))
    assert counted.writes == 1
    assert peer.recv(1 << 16) == plain_frame(1, a=0)


def test_a_flood_leaves_in_few_writes_and_in_order(ends):
    channel, counted, peer = ends
    reader = Reader(peer)
    for number in range(20_000):
        channel.lines.add(plain_frame(1, a=number))
    assert reader.wait_for(20_000) == list(range(20_000))
    assert counted.writes < 10_000


def test_a_frame_behind_lines_takes_them_along(ends):
    channel, _, peer = ends
    reader = Reader(peer)
    for number in range(100):
        channel.lines.add(plain_frame(1, a=number))
    channel.send(plain_frame(2, a=100))
    assert reader.wait_for(101) == list(range(101))


def test_whoever_logs_waits_for_an_engine_that_does_not_read(ends):
    channel, _, peer = ends
    sent = []

    def flood():
        for number in range(200_000):
            channel.lines.add(plain_frame(1, a=number))
            sent.append(number)

    threading.Thread(target=flood, daemon=True).start()
    time.sleep(0.3)
    waiting = len(channel._outgoing)
    assert waiting < 10_000 and len(sent) < 200_000
    peer.close()


def test_many_threads_lose_nothing(ends):
    channel, _, peer = ends
    reader = Reader(peer)

    def write(first):
        for number in range(first, first + 2_000):
            channel.lines.add(plain_frame(1, a=number))

    threads = [threading.Thread(target=write, args=(first,)) for first in range(0, 8_000, 2_000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(reader.wait_for(8_000)) == list(range(8_000))
