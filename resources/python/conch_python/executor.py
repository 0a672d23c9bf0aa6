"""Runs `execute` of the model and turns what it returns, sends or throws into one EXECUTED frame per batch.

Invariant: every request of a batch is answered, kept open by its sender, or rescheduled when the frame leaves."""

import asyncio
import threading
import weakref
from collections.abc import Coroutine

from .errors import ModelFault, error_text
from .frames import ANSWERED, BATCH_FAILED, EXECUTED, FRAME, FRAME_SIZE, OPEN, RESCHEDULED, append_block, json_frame
from .link import link
from .logger import LogLevel, log
from .model_loader import has
from .request import RELEASE_RESCHEDULE, InferenceRequest
from .response import Answer, InferenceResponse, append_response


class Executor:
    def __init__(self, model, reader, model_file, on_drop):
        self.model = model
        self._execute = model.execute if has(model, "execute") else None
        self._reader = reader
        self._model_file = model_file
        self._on_drop = on_drop
        # Requests that can still be cancelled: strong while their batch runs, weak while only a sender knows them.
        self._running = {}
        self._waiting = weakref.WeakValueDictionary()
        self._cancelled_early = set()
        self._loop = None

    def cancel(self, key, has_work):
        """Told by the channel, from whatever thread reads. `has_work`: batches wait that were not begun."""
        answer = self._running.get(key) or self._waiting.get(key)
        if answer is not None:
            answer.is_cancelled = True
        elif has_work:
            self._cancelled_early.add(key)

    def execute(self, execution, count, data, at, is_last):
        """`is_last`: no other batch waits, so the answer leaves at once."""
        requests = self._requests(data, at, count)
        try:
            responses = self._run(requests)
            parts = [b""]
            size = FRAME_SIZE
            for request, response in zip(requests, responses):
                size += self._append(parts, request, response)
        except BaseException as error:  # noqa: BLE001 - whatever a model throws is the error of the batch
            self._fail(execution, requests, error)
            return
        parts[0] = FRAME.pack(size, EXECUTED, 0, execution, count)
        self._running.clear()
        if is_last:
            self._cancelled_early.clear()
            link.channel.send(*parts)
        else:
            link.channel.post(*parts)

    def stop(self):
        """Ends the event loop of coroutines."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)

    def _requests(self, data, at, count):
        requests = []
        read = self._reader.read
        early = self._cancelled_early
        for _ in range(count):
            block = read(data, at)
            at += block.size
            answer = Answer(block.key, block.head[1], self._on_drop)
            self._running[block.key] = answer
            if early and block.key in early:
                answer.is_cancelled = True
            requests.append(InferenceRequest._of_block(block, answer))
        return requests

    def _run(self, requests):
        if self._execute is None:
            raise ModelFault(f"Python model {self._model_file} does not implement `execute` method.")
        returned = self._execute(requests)
        if not link.is_decoupled:
            if isinstance(returned, Coroutine):
                returned = asyncio.run_coroutine_threadsafe(returned, self._event_loop()).result()
            return _checked(returned, requests)
        if isinstance(returned, Coroutine):
            asyncio.run_coroutine_threadsafe(_logged(returned), self._event_loop())
        elif returned is not None:
            raise ModelFault(
                f"Python model '{link.instance_name}' is using the decoupled mode and the execute function must "
                "return None."
            )
        return [None] * len(requests)

    def _append(self, parts, request, response):
        answer = request._answer
        if response is not None:
            answer.is_closed = True
            return append_response(parts, answer.key, ANSWERED, response, answer.wanted)
        if request._release_flags == RELEASE_RESCHEDULE:
            answer.is_closed = True
            return append_block(parts, answer.key, RESCHEDULED, b"", b"", ())
        if not answer.is_closed:
            self._waiting[answer.key] = answer
        return append_block(parts, answer.key, OPEN, b"", b"", ())

    def _fail(self, execution, requests, error):
        message = f"Failed to process the request(s) for model '{link.instance_name}', message: {error_text(error)}"
        log(message, LogLevel.ERROR)
        for request in requests:
            request._answer.is_closed = True
        self._running.clear()
        link.channel.send(json_frame(EXECUTED, message, a=execution, b=len(requests), flags=BATCH_FAILED))

    def _event_loop(self):
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, name="coroutines", daemon=True).start()
        return self._loop


async def _logged(coroutine):
    """The background work of a decoupled model: nobody waits for its result, so an error is a line in the log."""
    try:
        await coroutine
    except BaseException as error:  # noqa: BLE001
        log(f"execute of '{link.instance_name}' failed in the background: {error_text(error)}", LogLevel.ERROR)


def _checked(returned, requests):
    """One response, or None, for each request. Raises ModelFault with the reference's texts."""
    if returned is None:
        return [None] * len(requests)
    if not isinstance(returned, list):
        raise ModelFault(f"Expected a list in the execute return, found type '{type(returned)}'.")
    if len(returned) != len(requests):
        raise ModelFault(
            "Number of InferenceResponse objects do not match the number of InferenceRequest objects. "
            f"InferenceRequest(s) size is:{len(requests)}, and InferenceResponse(s) size is:{len(returned)}\n"
        )
    for request, response in zip(requests, returned):
        if response is None:
            continue
        if not isinstance(response, InferenceResponse):
            raise ModelFault(
                "Expected an 'InferenceResponse' object in the execute function return list, found type "
                f"'{type(response)}'."
            )
        if request._release_flags == RELEASE_RESCHEDULE:
            raise ModelFault(
                "Expected a None object in the execute function return list for reschduled request, found type "
                f"'{type(response)}'."
            )
    return returned
