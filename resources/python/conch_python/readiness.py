"""`is_ready` of a model, asked by the engine. It runs beside `execute`, in a thread that exists only for models that
define it, and that keeps listening while the main thread is in the model's code."""

import asyncio
import inspect
import threading
from collections import deque

from .errors import error_text
from .frames import READINESS, json_frame

_LISTEN_SECONDS = 0.05


class Readiness:
    def __init__(self, model, channel):
        self._is_ready = model.is_ready
        self._channel = channel
        self._asked = deque()
        self._has_asked = threading.Event()
        threading.Thread(target=self._listen, name="readiness-listener", daemon=True).start()
        threading.Thread(target=self._answer, name="readiness", daemon=True).start()

    def ask(self, serial):
        """Told by the channel."""
        self._asked.append(serial)
        self._has_asked.set()

    def _listen(self):
        pause = threading.Event()
        while not self._channel.is_closed:
            pause.wait(_LISTEN_SECONDS)
            self._channel.poll()

    def _answer(self):
        while True:
            self._has_asked.wait()
            self._has_asked.clear()
            while self._asked:
                serial = self._asked.popleft()
                self._channel.send(json_frame(READINESS, self._result(), a=serial))

    def _result(self):
        try:
            value = self._is_ready()
            if inspect.isawaitable(value):
                value = asyncio.run(_awaited(value))
        except BaseException as error:  # noqa: BLE001
            return {"error": error_text(error)}
        if not isinstance(value, bool):
            return {"error": "is_ready() must return a boolean value"}
        return {"value": value}


async def _awaited(value):
    return await value
