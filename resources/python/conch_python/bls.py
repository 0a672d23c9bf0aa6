"""Requests of a model to other models: sent to the engine, their responses gathered in a ResponseIterator."""

import threading
from collections import deque

from .channel import Closed
from .errors import TritonError, TritonModelException, error_text
from .frames import CALL, CANCEL_CALL, DECOUPLED, FINAL, FRAME, FRAME_SIZE, plain_frame
from .link import SERVING, link
from .names import native
from .parameters import of_wire, to_wire
from .tensor import on_gpu

_PREFIX = "Model {model} - Error when running inference: "


@native
class ResponseIterator:
    """The responses of a decoupled call, as they come. Iterating again gives those that came before once more."""

    __slots__ = ("_call", "_came", "_is_done", "_at", "_lock", "__weakref__")

    def __init__(self, call):
        self._call = call
        self._came = []
        self._is_done = False
        self._at = 0
        self._lock = threading.Lock()

    def __iter__(self):
        if self._is_done:
            self._at = 0
        return self

    def __next__(self):
        with self._lock:
            if self._at < len(self._came):
                response = self._came[self._at]
                self._at += 1
                return response
            if self._is_done:
                raise StopIteration("Iteration is done for the responses.")
            response, self._is_done = self._call.next()
            self._came.append(_empty() if response is None else response)
            self._at += 1
            return self._came[-1]

    def cancel(self):
        self._call.cancel()

    def __del__(self):
        self._call.leave()


class _Call:
    """One open request to another model."""

    def __init__(self, request, decoupled):
        self.id = link.next_serial()
        self._arrived = deque()
        self._is_final = False
        self._is_wanted = True
        self._gpu = request._memory._gpu()
        link.calls[self.id] = self
        parts = [b""]
        extra = {
            "n": request._model_name,
            "v": request._model_version,
            "p": to_wire(request._parameters),
            "f": request._flags,
            "u": request._timeout,
        }
        if request._id:
            extra["id"] = request._id
        correlation = request._correlation_id
        if correlation:
            extra["c"] = correlation if isinstance(correlation, str) else [str(correlation)]
        if request._trace is not None and request._trace._key:
            extra["k"] = request._trace._key
        try:
            size = link.writer.append(parts, self.id, 0, request.inputs(), extra, request._outputs)
        except BaseException:
            del link.calls[self.id]
            raise
        parts[0] = FRAME.pack(FRAME_SIZE + size, CALL, DECOUPLED if decoupled else 0, self.id, 0)
        link.channel.send(*parts)

    def receive(self, block, flags):
        """Called by the reader of the channel."""
        if self._is_wanted:
            self._arrived.append((block, bool(flags & FINAL)))
        if flags & FINAL:
            link.calls.pop(self.id, None)

    def next(self):
        """`(response or None, is it the last)`. Waits."""
        if self._is_final:
            return None, True
        arrived = self._arrived
        try:
            link.channel.wait(lambda: arrived)
        except Closed as error:
            self._is_final = True
            return _failure(TritonError(str(error))), True
        block, self._is_final = arrived.popleft()
        return (None if block is None else _response_of(block, self._gpu)), self._is_final

    def cancel(self):
        if not self._is_final and self.id in link.calls:
            link.channel.send(plain_frame(CANCEL_CALL, a=self.id))

    def leave(self):
        """Nobody wants the rest: the other model is let finish, as the reference lets it, and what comes is dropped."""
        self._is_wanted = False
        self._arrived.clear()


def run_call(request, decoupled):
    """Every failure comes as a response with an error, but for calls outside of `execute`."""
    if link.phase != SERVING:
        raise TritonModelException("BLS is only supported during the 'execute' function.")
    try:
        call = _Call(request, decoupled)
    except Exception as error:  # noqa: BLE001 - whatever fails here is the answer
        return _failure(TritonError(_PREFIX.format(model=request._model_name) + error_text(error)))
    if decoupled:
        return ResponseIterator(call)
    response, is_final = call.next()
    while not is_final:
        _, is_final = call.next()
    if response is None:
        return _failure(TritonError(_PREFIX.format(model=request._model_name) + "Unexpected empty response."))
    return response


def _response_of(block, gpu):
    from .response import InferenceResponse

    extra = block.extra
    if "e" in extra:
        return _failure(TritonError._of_wire(extra["e"]))
    tensors = block.tensors()
    if gpu is not None:
        try:
            tensors = [on_gpu(tensor, gpu) for tensor in tensors]
        except TritonModelException as error:
            return _failure(TritonError(str(error)))
    response = InferenceResponse(tensors)
    response._parameters = of_wire(extra["p"]) if "p" in extra else None
    return response


def _empty():
    """The final flag alone, as models see it."""
    from .response import InferenceResponse

    return InferenceResponse()


def _failure(error):
    from .response import InferenceResponse

    return InferenceResponse([], error)
