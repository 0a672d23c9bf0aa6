"""What models import, `import triton_python_backend_utils as pb_utils`: the interface of Triton's Python backend.
What it imports itself is there as well for models that import everything from it."""

import json  # noqa: F401
import struct

import numpy as np

from conch_python.control import is_model_ready, load_model, unload_model
from conch_python.dtypes import (
    TRITON_STRING_TO_NUMPY,
    deserialize_bytes_tensor,
    numpy_to_triton_type,
    serialize_byte_tensor,
    triton_string_to_numpy,
    triton_to_numpy_type,
)
from conch_python.errors import TritonError, TritonModelException
from conch_python.link import link as _link
from conch_python.logger import Logger
from conch_python.memory_kind import MemoryType as _MemoryType
from conch_python.memory_kind import PreferredMemory
from conch_python.metrics import MetricFamily
from conch_python.model_config import ModelConfig
from conch_python.request import InferenceRequest
from conch_python.response import InferenceResponse
from conch_python.tensor import Tensor

TRITONSERVER_REQUEST_FLAG_SEQUENCE_START = 1
TRITONSERVER_REQUEST_FLAG_SEQUENCE_END = 2
TRITONSERVER_RESPONSE_COMPLETE_FINAL = 1
TRITONSERVER_REQUEST_RELEASE_ALL = 1
TRITONSERVER_REQUEST_RELEASE_RESCHEDULE = 2
TRITONSERVER_MEMORY_GPU = _MemoryType.TRITONSERVER_MEMORY_GPU
TRITONSERVER_MEMORY_CPU = _MemoryType.TRITONSERVER_MEMORY_CPU


def get_input_tensor_by_name(inference_request, name):
    """The input of that name, or None."""
    for tensor in inference_request.inputs():
        if tensor._name == name:
            return tensor
    return None


def get_output_tensor_by_name(inference_response, name):
    """The output of that name, or None."""
    for tensor in inference_response.output_tensors():
        if tensor._name == name:
            return tensor
    return None


def get_input_config_by_name(model_config, name):
    """The entry of `input` with that name in a configuration dictionary, or None."""
    return _by_name(model_config, "input", name)


def get_output_config_by_name(model_config, name):
    """The entry of `output` with that name in a configuration dictionary, or None."""
    return _by_name(model_config, "output", name)


def using_decoupled_model_transaction_policy(model_config):
    return "model_transaction_policy" in model_config and model_config["model_transaction_policy"]["decoupled"]


def get_model_dir():
    """The version folder of the model."""
    return _link.version_dir


def _by_name(model_config, side, name):
    entries = model_config[side] if side in model_config else ()
    return next((entry for entry in entries if entry["name"] == name), None)


__all__ = [
    "InferenceRequest",
    "InferenceResponse",
    "Logger",
    "MetricFamily",
    "ModelConfig",
    "PreferredMemory",
    "TRITONSERVER_MEMORY_CPU",
    "TRITONSERVER_MEMORY_GPU",
    "TRITONSERVER_REQUEST_FLAG_SEQUENCE_END",
    "TRITONSERVER_REQUEST_FLAG_SEQUENCE_START",
    "TRITONSERVER_REQUEST_RELEASE_ALL",
    "TRITONSERVER_REQUEST_RELEASE_RESCHEDULE",
    "TRITONSERVER_RESPONSE_COMPLETE_FINAL",
    "TRITON_STRING_TO_NUMPY",
    "Tensor",
    "TritonError",
    "TritonModelException",
    "deserialize_bytes_tensor",
    "get_input_config_by_name",
    "get_input_tensor_by_name",
    "get_model_dir",
    "get_output_config_by_name",
    "get_output_tensor_by_name",
    "is_model_ready",
    "load_model",
    "np",
    "numpy_to_triton_type",
    "serialize_byte_tensor",
    "struct",
    "triton_string_to_numpy",
    "triton_to_numpy_type",
    "unload_model",
    "using_decoupled_model_transaction_policy",
]
