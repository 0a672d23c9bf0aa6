"""The extension module of Triton's own backend, which some models import beside triton_python_backend_utils."""

from conch_python.bls import ResponseIterator
from conch_python.control import is_model_ready, load_model, unload_model
from conch_python.errors import TritonError, TritonModelException
from conch_python.logger import Logger
from conch_python.memory_kind import MemoryType, PreferredMemory
from conch_python.metrics import Metric, MetricFamily, MetricKind
from conch_python.request import InferenceRequest, InferenceTrace
from conch_python.response import InferenceResponse, InferenceResponseSender
from conch_python.tensor import Tensor

COUNTER, GAUGE, HISTOGRAM = MetricKind
TRITONSERVER_MEMORY_GPU, TRITONSERVER_MEMORY_CPU = MemoryType

__all__ = [
    "COUNTER",
    "GAUGE",
    "HISTOGRAM",
    "InferenceRequest",
    "InferenceResponse",
    "InferenceResponseSender",
    "InferenceTrace",
    "Logger",
    "MemoryType",
    "Metric",
    "MetricFamily",
    "MetricKind",
    "PreferredMemory",
    "ResponseIterator",
    "TRITONSERVER_MEMORY_CPU",
    "TRITONSERVER_MEMORY_GPU",
    "Tensor",
    "TritonError",
    "TritonModelException",
    "is_model_ready",
    "load_model",
    "unload_model",
]
