"""The four official clients behind one face: the asyncio twins run on a loop of their own, so that one check serves all.

Whoever opens a transport closes it; a transport is used from one thread.
"""

import asyncio
import contextlib
import inspect
import threading

import tritonclient.grpc
import tritonclient.grpc.aio
import tritonclient.http
import tritonclient.http.aio

TRANSPORTS = ("http", "http.aio", "grpc", "grpc.aio")
HTTP = ("http", "http.aio")
GRPC = ("grpc", "grpc.aio")


class Transport:
    """`call("is_server_live")` works alike on all four; `client` is the official object itself."""

    def __init__(self, name, client, address, world, loop=None):
        self.name = name
        self.client = client
        self.address = address
        self.world = world
        self.is_grpc = name.startswith("grpc")
        self.module = tritonclient.grpc if self.is_grpc else tritonclient.http
        self._loop = loop

    def wait(self, coroutine, timeout=60):
        """Runs a coroutine on the transport's loop (asyncio clients only)."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout)

    @property
    def is_async(self):
        return self._loop is not None

    def call(self, method, *args, **kwargs):
        """Calls the client's method and waits for its result."""
        function = getattr(self.client, method)
        if not self.is_async:
            return function(*args, **kwargs)

        async def run():
            result = function(*args, **kwargs)
            return await result if inspect.isawaitable(result) else result

        return self.wait(run())

    def read(self, method, *args, **kwargs):
        """A management answer as plain JSON on both protocols (gRPC prints 64-bit integers as text)."""
        return self.call(method, *args, **kwargs, **({"as_json": True} if self.is_grpc else {}))

    def input(self, name, array, datatype, binary=True, shape=None):
        made = self.module.InferInput(name, list(shape or array.shape), datatype)
        made.set_data_from_numpy(array, **({} if self.is_grpc else {"binary_data": binary}))
        return made

    def output(self, name, binary=True, classes=0):
        extra = {} if self.is_grpc else {"binary_data": binary}
        return self.module.InferRequestedOutput(name, class_count=classes, **extra)

    def infer(self, model, inputs, **kwargs):
        return self.call("infer", model, inputs, **kwargs)


def _with_client(kind, address):
    if kind == "http":
        return tritonclient.http.InferenceServerClient(address, concurrency=8)
    if kind == "grpc":
        return tritonclient.grpc.InferenceServerClient(address)
    module = tritonclient.http.aio if kind == "http.aio" else tritonclient.grpc.aio
    return module.InferenceServerClient(address)


@contextlib.contextmanager
def open_transport(kind, server, world):
    """A fresh client for `server` ({"http": "host:port", "grpc": "host:port"})."""
    address = server[kind.split(".")[0]]
    if not kind.endswith(".aio"):
        client = _with_client(kind, address)
        try:
            yield Transport(kind, client, address, world)
        finally:
            client.close()
        return
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def make():
        return _with_client(kind, address)

    client = asyncio.run_coroutine_threadsafe(make(), loop).result(30)
    try:
        yield Transport(kind, client, address, world, loop)
    finally:
        asyncio.run_coroutine_threadsafe(client.close(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
