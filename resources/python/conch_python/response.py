"""InferenceResponse, and the sender that answers one request."""

import threading

from .arguments import LARGEST_U32, require, sequence, whole
from .channel import Closed
from .errors import TritonError, TritonModelException
from .frames import FINAL, FRAME, FRAME_SIZE, HAS_BLOCK, RESPONSE
from .link import link
from .names import native
from .parameters import checked_parameters, own_parameters_text, to_wire
from .tensor import Tensor

# A sender goes on without waiting while fewer responses than this are on their way to the engine.
_LARGEST_UNTAKEN = 16


@native
class InferenceResponse:
    __slots__ = ("_outputs", "_error", "_parameters", "_is_last", "__weakref__")

    def __init__(self, output_tensors=(), error=None, parameters=None):
        if type(output_tensors) is not list:
            output_tensors = sequence(output_tensors, "output_tensors")
        for tensor in output_tensors:
            if type(tensor) is Tensor:
                continue
            if tensor is None:
                raise TritonModelException("Output tensor for inference response should not be empty.")
            require(tensor, Tensor, "each of output_tensors")
        if error is not None:
            require(error, TritonError, "error")
        self._outputs = list(output_tensors)
        self._error = error
        self._parameters = None if parameters is None else checked_parameters(parameters)
        self._is_last = False

    def output_tensors(self):
        return list(self._outputs)

    def has_error(self):
        return self._error is not None

    def error(self):
        return self._error

    def parameters(self):
        return own_parameters_text(self._parameters or {})


def append_response(parts, key, flags, response, wanted):
    """Appends the block of a response: the outputs that were asked for, or its error. Returns its size."""
    error = response._error
    if error is not None:
        return link.writer.append(parts, key, flags, (), {"e": error._to_wire()})
    outputs = response._outputs
    for tensor in outputs:
        if tensor._name not in wanted:
            outputs = [each for each in outputs if each._name in wanted]
            break
    extra = {"p": to_wire(response._parameters)} if response._parameters else None
    return link.writer.append(parts, key, flags, outputs, extra)


class Answer:
    """What is known of the answer to one request: shared by the request and its sender."""

    __slots__ = ("key", "wanted", "is_closed", "count", "is_cancelled", "untaken", "failure", "lock", "on_drop", "__weakref__")

    def __init__(self, key, wanted, on_drop):
        self.key = key
        self.wanted = wanted
        self.is_closed = False
        self.count = 0
        self.is_cancelled = False
        self.untaken = 0
        self.failure = None
        self.lock = None
        self.on_drop = on_drop

    def __del__(self):
        """Nobody can answer any more: the client must not wait for ever."""
        if not self.is_closed:
            self.on_drop(self.key)


@native
class InferenceResponseSender:
    """Made by `request.get_response_sender()`; usable from any thread, also after `execute` returned."""

    __slots__ = ("_answer", "__weakref__")

    def __init__(self, answer):
        self._answer = answer

    def is_cancelled(self):
        return is_cancelled(self._answer)

    def send(self, response=None, flags=0):
        flags = whole(flags, "flags", 0, LARGEST_U32)
        if response is not None:
            require(response, InferenceResponse, "response")
        if flags not in (0, FINAL):
            raise TritonModelException("Unable to send response. Unsupported flag provided.")
        if flags == 0 and response is None:
            raise TritonModelException(
                "Inference Response object must be provided when the response flags is set to zero."
            )
        answer = self._answer
        if answer is None:
            raise TritonModelException(
                "Unable to send response. Response sender has no reference to the decoupled state of the model."
            )
        with _lock_of(answer):
            self._check(answer, response)
            answer.count += response is not None
            answer.is_closed = flags == FINAL
            self._post(answer, response, flags)
        self._wait(answer)

    @staticmethod
    def _check(answer, response):
        if not link.is_decoupled:
            if response is not None and answer.count > 0:
                raise TritonModelException(
                    "Unable to send response. Non-decoupled model cannot send more than one response."
                )
            if response is None and answer.count == 0 and not answer.is_closed:
                raise TritonModelException(
                    "Unable to send response. Non-decoupled model cannot send complete final before sending a response."
                )
        if answer.is_closed:
            raise TritonModelException("Unable to send response. Response sender has been closed.")

    @staticmethod
    def _post(answer, response, flags):
        serial = link.next_serial()
        parts = [b""]
        size = FRAME_SIZE
        if response is not None:
            flags |= HAS_BLOCK
            size += append_response(parts, answer.key, 0, response, answer.wanted)
        parts[0] = FRAME.pack(size, RESPONSE, flags, serial, answer.key)
        answer.untaken += 1
        link.sending[serial] = answer
        link.channel.send(*parts)

    @staticmethod
    def _wait(answer):
        if answer.untaken >= _LARGEST_UNTAKEN:
            try:
                link.channel.wait(lambda: answer.untaken < _LARGEST_UNTAKEN)
            except Closed:
                raise TritonModelException("An error occurred while sending a response.") from None
        if answer.failure is not None:
            raise TritonModelException(answer.failure)


_locks_lock = threading.Lock()


def _lock_of(answer):
    if answer.lock is None:
        with _locks_lock:
            if answer.lock is None:
                answer.lock = threading.Lock()
    return answer.lock


def is_cancelled(answer):
    """Asks what has arrived, until it is true once. False when the engine is gone."""
    if answer is None:
        return False
    if not answer.is_cancelled:
        link.channel.poll()
    return answer.is_cancelled
