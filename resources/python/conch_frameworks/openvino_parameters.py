"""The parameters of an OpenVINO model as properties of the runtime. Needs no framework."""

import re

from .faults import invalid_arg

_HINTS = ("LATENCY", "THROUGHPUT", "CUMULATIVE_THROUGHPUT")


class OpenVinoParameters:
    """`core`: properties set on the core without a device; `device`: those of the device; `compiling`: given to compile."""

    def __init__(self, config):
        self._config = config
        self.target = config.text("TARGET_DEVICE", "CPU").upper() or "CPU"
        self.extension = config.text("CPU_EXTENSION_PATH")
        self.pads = self._is_yes("ENABLE_BATCH_PADDING")
        self.takes_config_shapes = self._is_yes("RESHAPE_IO_LAYERS")
        self.core = {}
        self.device = {}
        self.compiling = {}
        self._read_threads()
        self._read_hints()
        if config.max_batch_size > 0 and not self._is_yes("SKIP_OV_DYNAMIC_BATCHSIZE"):
            self.compiling["ALLOW_AUTO_BATCHING"] = True

    def _is_yes(self, key):
        return self._config.text(key).lower() == "yes"

    def _read_threads(self):
        for key, target in (("INFERENCE_NUM_THREADS", self.device), ("COMPILATION_NUM_THREADS", self.core)):
            if not self._config.has(key):
                continue
            text = self._config.text(key)
            if not re.fullmatch(r"\d+", text):
                raise invalid_arg(f"expected the parameter '{key}' to be a non-negative number, got {text.lower()}")
            target[key] = int(text)

    def _read_hints(self):
        config = self._config
        if config.has("HINT_BF16"):
            if not self._is_yes("HINT_BF16"):
                raise invalid_arg(f"expected the parameter 'HINT_BF16' to be YES, got {config.text('HINT_BF16').lower()}")
            self.device["INFERENCE_PRECISION_HINT"] = "bf16"
        if config.has("NUM_STREAMS"):
            text = config.text("NUM_STREAMS").lower()
            if text not in ("auto", "numa") and not re.fullmatch(r"\d+", text):
                raise invalid_arg(f"expected the parameter 'NUM_STREAMS' to be either AUTO/NUMA/<int_value>, got {text}")
            self.device["NUM_STREAMS"] = int(text) if text.isdigit() else text.upper()
        if config.has("PERFORMANCE_HINT"):
            text = config.text("PERFORMANCE_HINT")
            if text.upper() not in _HINTS:
                raise invalid_arg(
                    "expected the parameter 'PERFORMANCE_HINT' to be LATENCY/THROUGHPUT/CUMULATIVE_THROUGHPUT, got "
                    f"{text.lower()}"
                )
            self.device["PERFORMANCE_HINT"] = text.upper()
