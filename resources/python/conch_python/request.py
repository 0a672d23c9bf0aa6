"""InferenceRequest: those that `execute` gets, and those that a model makes for other models."""

import asyncio

from .arguments import LARGEST_U32, LARGEST_U64, flag, require, sequence, text, whole
from .bls import run_call
from .errors import TritonModelException
from .memory_kind import MemoryType, PreferredMemory
from .names import native
from .parameters import checked_parameters, of_wire, own_parameters_text, parameters_text
from .response import InferenceResponseSender, is_cancelled
from .tensor import Tensor

RELEASE_ALL, RELEASE_RESCHEDULE = 1, 2

_MISSING = object()


@native
class InferenceTrace:
    """The trace of a request; `get_context()` is JSON text, or None where contexts are not passed on."""

    __slots__ = ("_context", "_key", "__weakref__")

    def __init__(self, context=None, key=0):
        self._context = context
        self._key = key

    def get_context(self):
        return self._context


@native
class InferenceRequest:
    __slots__ = (
        "_block",
        "_answer",
        "_sender",
        "_inputs",
        "_outputs",
        "_id",
        "_correlation_id",
        "_flags",
        "_timeout",
        "_parameters",
        "_trace",
        "_release_flags",
        "_model_name",
        "_model_version",
        "_memory",
        "__weakref__",
    )

    def __init__(
        self,
        request_id="",
        correlation_id=0,
        inputs=_MISSING,
        requested_output_names=_MISSING,
        model_name=_MISSING,
        model_version=-1,
        flags=0,
        timeout=0,
        preferred_memory=PreferredMemory(MemoryType.TRITONSERVER_MEMORY_CPU),
        trace=InferenceTrace(),
        parameters=None,
    ):
        for value, name in ((inputs, "inputs"), (requested_output_names, "requested_output_names"), (model_name, "model_name")):
            if value is _MISSING:
                raise TypeError(f"InferenceRequest needs the argument '{name}'")
        request_id = text(request_id, "request_id")
        model_name = text(model_name, "model_name")
        inputs = sequence(inputs, "inputs")
        outputs = sequence(requested_output_names, "requested_output_names")
        model_version = whole(model_version, "model_version")
        flags = whole(flags, "flags", 0, LARGEST_U32)
        timeout = whole(timeout, "timeout", 0, LARGEST_U64)
        require(preferred_memory, PreferredMemory, "preferred_memory")
        require(trace, InferenceTrace, "trace")
        if correlation_id is None:
            raise TypeError("correlation_id must be of type int or str, got NoneType")
        for tensor in inputs:
            if tensor is None:
                raise TritonModelException(
                    f"Input tensor for request with id '{request_id}' and model name '{model_name}' should not be empty."
                )
            require(tensor, Tensor, "each of inputs")
        outputs = [text(name, "each of requested_output_names") for name in outputs]
        for name in outputs:
            if name == "":
                raise TritonModelException(
                    f"Requested output name for request with id '{request_id}' and model name '{model_name}' "
                    "should not be empty."
                )
        if not isinstance(correlation_id, (int, str)):
            raise TritonModelException("Correlation ID must be integer or string")
        self._block = self._answer = self._sender = None
        if isinstance(correlation_id, int) and not 0 <= correlation_id <= LARGEST_U64:
            raise RuntimeError(f"correlation_id must be from 0 to {LARGEST_U64}, got {correlation_id}")
        self._inputs = inputs
        self._outputs = tuple(sorted(set(outputs)))
        self._id = request_id
        self._correlation_id = int(correlation_id) if isinstance(correlation_id, int) else str(correlation_id)
        self._flags = flags
        self._timeout = timeout
        self._parameters = checked_parameters(parameters) or {}
        self._trace = trace
        self._release_flags = RELEASE_ALL
        self._model_name = model_name
        self._model_version = model_version
        self._memory = preferred_memory

    @classmethod
    def _of_block(cls, block, answer):
        """A request of the engine; its tensors are made when they are asked for."""
        self = cls.__new__(cls)
        extra = block.extra
        self._block = block
        self._answer = answer
        self._sender = None
        self._inputs = None
        self._outputs = block.head[1]
        self._release_flags = RELEASE_ALL
        self._model_name = ""
        self._model_version = -1
        self._memory = None
        if extra:
            self._id = extra.get("id", "")
            correlation = extra.get("c", 0)
            self._correlation_id = int(correlation[0]) if isinstance(correlation, list) else correlation
            self._flags = extra.get("f", 0)
            # The engine rounds beyond 2^53; rounded up, the largest of all would be no number of 64 bits.
            self._timeout = min(extra.get("u", 0), LARGEST_U64)
            self._parameters = of_wire(extra["p"]) if "p" in extra else {}
            self._trace = InferenceTrace(extra.get("t"), block.key)
        else:
            self._id = ""
            self._correlation_id = 0
            self._flags = 0
            self._timeout = 0
            self._parameters = {}
            self._trace = None
        return self

    def inputs(self):
        if self._inputs is None:
            self._inputs = self._block.tensors()
            self._block = None
        return list(self._inputs)

    def requested_output_names(self):
        return set(self._outputs)

    def request_id(self):
        return self._id

    def correlation_id(self):
        return self._correlation_id

    def flags(self):
        return self._flags

    def set_flags(self, flags):
        self._flags = whole(flags, "flags", 0, LARGEST_U32)

    def timeout(self):
        return self._timeout

    def parameters(self):
        # Only requests of the engine have no model name of their own.
        return parameters_text(self._parameters) if self._model_name == "" else own_parameters_text(self._parameters)

    def trace(self):
        if self._trace is None:
            self._trace = InferenceTrace(None, 0 if self._answer is None else self._answer.key)
        return self._trace

    def get_response_sender(self):
        if self._sender is None:
            self._sender = InferenceResponseSender(self._answer)
        return self._sender

    def is_cancelled(self):
        return is_cancelled(self._answer)

    def set_release_flags(self, flags):
        self._release_flags = whole(flags, "flags", 0, LARGEST_U32)

    def exec(self, decoupled=False):
        """One InferenceResponse, or with `decoupled` a ResponseIterator. Blocks until it is there."""
        return run_call(self, flag(decoupled, "decoupled"))

    def async_exec(self, decoupled=False):
        """On its way at once, whenever its future is waited for."""
        return asyncio.get_running_loop().run_in_executor(None, run_call, self, flag(decoupled, "decoupled"))
