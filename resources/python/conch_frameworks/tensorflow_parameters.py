"""The parameters of a TensorFlow model. Needs no framework."""

import json
import os

from .config import backend_settings, boolean_of
from .faults import internal, invalid_arg

SKIPPED_SIGNATURES = ("__saved_model_init_op", "__saved_model_train_op")


class TensorFlowParameters:
    def __init__(self, config, model_name, arguments):
        settings = backend_settings(arguments)
        self.soft_placement = boolean_of(settings.get("allow-soft-placement", "true"))
        self.memory_fraction = _fraction(settings.get("gpu-memory-fraction", "0"))
        self.tag = config.text("TF_GRAPH_TAG") or "serve"
        self.signature = config.text("TF_SIGNATURE_DEF")
        self.init_file = config.text("TF_INIT_OPS_FILE")
        self.intra_threads = config.integer("TF_NUM_INTRA_THREADS")
        self.inter_threads = config.integer("TF_NUM_INTER_THREADS")
        self.per_session_threads = config.boolean("TF_USE_PER_SESSION_THREADS")
        if self.intra_threads < 0:
            raise invalid_arg(
                f"parameter 'TF_NUM_INTRA_THREADS' must be non-negative number for TensorFlow model '{model_name}'"
            )
        self.share_count = config.integer("MAX_SESSION_SHARE_COUNT", 1)
        if self.share_count <= 0:
            raise invalid_arg(
                f"parameter 'MAX_SESSION_SHARE_COUNT' must be positive number for TensorFlow model '{model_name}'"
            )
        optimization = config.fields.get("optimization") or {}
        accelerators = optimization.get("execution_accelerators") or {}
        if accelerators.get("cpu_execution_accelerator"):
            raise invalid_arg("CPU Execution Accelerator is not supported in TensorFlow backend")
        self.ignores_accelerators = bool(accelerators.get("gpu_execution_accelerator"))
        self.jit_level = int((optimization.get("graph") or {}).get("level", 0))

    def init_operations(self, version_dir):
        """Names of the operations to run once. The version's file wins over the model's. Raises INTERNAL."""
        if not self.init_file:
            return []
        for folder in (version_dir, os.path.dirname(version_dir)):
            file = os.path.join(folder, self.init_file)
            if os.path.exists(file):
                return _read_operations(file)
        raise internal(f"unable to find '{self.init_file}' with the init operations in '{version_dir}' or above it")


def _fraction(text):
    try:
        return float(text)
    except ValueError:
        raise invalid_arg(f"failed to convert '{text}' to floating point number") from None


def choose_signature(names, wanted, model_name, warn):
    """Name of the signature to serve; `warn` is told when another one than the usual is taken."""
    key = wanted or "serving_default"
    if key in names:
        return key
    if not wanted:
        for name in names:
            if name not in SKIPPED_SIGNATURES:
                warn(f"unable to find serving signature '{key}' of model '{model_name}', using signature '{name}'")
                return name
    raise invalid_arg(f"unable to load model '{model_name}', expected '{key}' signature")


def _read_operations(file):
    try:
        with open(file, encoding="utf-8") as text:
            return [str(name) for name in json.load(text)["init_ops"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise internal(f"'{file}' does not list init operations as {{\"init_ops\": [..]}}: {error}") from None
