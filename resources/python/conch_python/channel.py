"""The socket to the engine. Any thread may write; whoever has to wait for something reads, one thread at a time, and
hands out what arrived for others. So a request costs no change of threads, and a model that waits for another model,
or for a response to be taken, still hears everything else.

Invariant: frames are handed out in the order in which they came, each once, by one thread at a time. Handlers run in
whatever thread reads: they only note down what came, and neither write nor wait."""

import os
import select
import socket
import struct
import sys
import threading
from collections import deque

from .frames import FRAME, FRAME_SIZE
from .lines import Lines

_READ_SIZE = 1 << 16
_LARGEST_READ = 1 << 20
_SIZE = struct.Struct("<I")


class Closed(Exception):
    """The engine is gone."""


class Channel:
    def __init__(self, connection):
        self._socket = connection
        self._receive_some = connection.recv
        self._handlers = {}
        self._rest = None
        self._needed = 0
        # Held by the thread that reads.
        self._leading = threading.Lock()
        self._changed = threading.Condition(threading.Lock())
        self._followers = 0
        self._is_closed = False
        self._outgoing = deque()
        self._write_lock = threading.Lock()
        # Of the log.
        self.lines = Lines(self)

    def on(self, kind, handler):
        """`handler(data, at, flags, a, b)`: `data` is the memory of the frame, its payload begins at `at`."""
        self._handlers[kind] = handler

    def send(self, *parts):
        """Writes a frame, together with what others have to write. One call is one or more whole frames."""
        self.post(*parts)
        self.flush()

    def post(self, *parts):
        """Like `send`, but leaves the writing to the next `send` or `flush`."""
        if not self._is_closed:
            self._outgoing.append(parts)

    def abandon(self):
        """In a child that the model forked: the connection is its parent's alone. What runs on here neither answers
        for the parent nor reads what was sent to it, and ends when it comes back to the host."""
        self._is_closed = True
        self._outgoing.clear()
        # Others may have held them, and these are not here any more.
        self._leading = threading.Lock()
        self._changed = threading.Condition(threading.Lock())
        self._write_lock = threading.Lock()
        self._followers = 0
        self._socket.close()

    def flush(self):
        """Whoever writes takes everything along, so a thread that finds another one writing is done at once. May be
        called by finalizers, which run anywhere, even inside of a write of the same thread."""
        outgoing = self._outgoing
        while outgoing:
            if not self._write_lock.acquire(blocking=False):
                return
            try:
                parts = []
                while outgoing:
                    parts.extend(outgoing.popleft())
                if parts:
                    self._socket.sendall(parts[0] if len(parts) == 1 else b"".join(parts))
            except OSError:
                outgoing.clear()
                self._is_closed = True
            finally:
                self._write_lock.release()

    def wait_until_written(self, limit_s):
        """Waits while another thread writes. The limit is for a finalizer that runs inside of a write of its thread."""
        if self._write_lock.acquire(timeout=limit_s):
            self._write_lock.release()
            self.flush()

    def wait(self, is_done):
        """Returns when `is_done()` holds; it is asked whenever something arrived. Raises Closed."""
        leading = self._leading
        while not is_done():
            if not leading.acquire(False):
                self._follow(is_done)
                continue
            try:
                # Whoever led before may have read what this thread waits for.
                while not is_done():
                    if self._is_closed:
                        raise Closed("the engine closed the connection")
                    self._read(self._receive)
            finally:
                leading.release()
                self._tell_followers()

    def poll(self):
        """Hands out what has arrived, without waiting."""
        if self._is_closed or not self._leading.acquire(False):
            return
        try:
            self._read(self._receive_now)
        finally:
            self._leading.release()
            self._tell_followers()

    @property
    def is_closed(self):
        return self._is_closed

    def _follow(self, is_done):
        """Waits until the thread that reads has read something, or leaves."""
        with self._changed:
            # Counted before the questions: whoever reads asks for followers after it has changed what they ask for.
            self._followers += 1
            if self._leading.locked() and not is_done():
                self._changed.wait()
            self._followers -= 1

    def _tell_followers(self):
        if self._followers:
            with self._changed:
                self._changed.notify_all()

    def _read(self, receive):
        """`receive` gives bytes, none at the end of the connection, or None when nothing is there."""
        data = receive()
        if data:
            self._hand_out(data)
        elif data is not None:
            self._is_closed = True
        self._tell_followers()

    def _receive(self):
        try:
            return self._receive_some(min(max(_READ_SIZE, self._needed), _LARGEST_READ))
        except OSError:
            return b""

    def _receive_now(self):
        readable, _, _ = select.select([self._socket], [], [], 0)
        return self._receive() if readable else None

    def _hand_out(self, data):
        """Reads whole frames; what is left waits for the rest. Arrays of requests are views of what is read here, so
        it is writable memory that is never changed afterwards."""
        rest = self._rest
        if rest is not None:
            rest.append(data)
            self._needed -= len(data)
            if self._needed > 0:
                return
            data = bytearray(b"".join(rest))
        else:
            data = bytearray(data)
        at, end = 0, len(data)
        while end - at >= FRAME_SIZE:
            size, kind, flags, a, b = FRAME.unpack_from(data, at)
            if end - at < size:
                break
            if size < FRAME_SIZE or kind not in self._handlers:
                self._is_closed = True
                print(f"the engine sent no message: kind {kind}, {size} bytes", file=sys.stderr, flush=True)
                return
            self._handlers[kind](data, at + FRAME_SIZE, flags, a, b)
            at += size
        left = end - at
        if left == 0:
            self._rest = None
            self._needed = 0
            return
        size = _SIZE.unpack_from(data, at)[0] if left >= FRAME_SIZE else FRAME_SIZE
        self._rest = [bytes(memoryview(data)[at:])]
        self._needed = size - left


def open_channel(descriptor):
    if os.name == "nt":
        return Channel(_Pipe(descriptor))
    connection = socket.socket(fileno=descriptor)
    connection.setblocking(True)
    channel = Channel(connection)
    os.register_at_fork(after_in_child=channel.abandon)
    return channel


class _Pipe:
    """A pipe behind a file descriptor, used like a socket: where descriptors cannot carry sockets (Windows)."""

    def __init__(self, descriptor):
        self._descriptor = descriptor

    def recv(self, size):
        return os.read(self._descriptor, size)

    def sendall(self, data):
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def fileno(self):
        return self._descriptor
