"""The configuration of a model as runners read it: numbers as numbers, tensors with the shape that the model sees."""

import json
import re

from .faults import invalid_arg

_BOOLEANS = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}


def backend_settings(arguments):
    """What the server says to the backend: key -> text."""
    return json.loads(arguments.get("backend_settings") or "{}")


class TensorConfig:
    """`dims`: as written. `model_dims`: what the model sees, without the batch dimension (`reshape` applied)."""

    def __init__(self, fields):
        self.name = fields.get("name", "")
        self.data_type = fields.get("data_type", "TYPE_INVALID")
        self.dims = _numbers(fields.get("dims"))
        reshape = fields.get("reshape")
        self.model_dims = self.dims if reshape is None else _numbers(reshape.get("shape"))
        self.is_ragged = fields.get("allow_ragged_batch", False)
        self.is_shape_tensor = fields.get("is_shape_tensor", False)
        self.is_non_linear = fields.get("is_non_linear_format_io", False)


class ControlConfig:
    def __init__(self, name, fields):
        self.name = name
        self.kind = fields.get("kind", "CONTROL_SEQUENCE_START")
        self.data_type = fields.get("data_type", "TYPE_INVALID")
        for prefix, data_type in (("int32", "TYPE_INT32"), ("fp32", "TYPE_FP32"), ("bool", "TYPE_BOOL")):
            if fields.get(f"{prefix}_false_true"):
                self.data_type = data_type


class StateConfig:
    def __init__(self, fields):
        self.input_name = fields.get("input_name", "")
        self.output_name = fields.get("output_name", "")
        self.data_type = fields.get("data_type", "TYPE_INVALID")
        self._fields = fields

    def as_output(self):
        return TensorConfig({**self._fields, "name": self.output_name})


class BatchTensorConfig:
    """An entry of batch_input or batch_output."""

    def __init__(self, fields):
        self.kind = fields.get("kind", "")
        self.names = list(fields.get("target_name", ()))
        self.data_type = fields.get("data_type", "TYPE_INVALID")
        self.sources = list(fields.get("source_input", ()))


class Config:
    def __init__(self, text):
        fields = json.loads(text) if isinstance(text, str) else text
        sequences = fields.get("sequence_batching") or {}
        self.fields = fields
        self.name = fields["name"]
        self.platform = fields.get("platform", "")
        self.file_name = fields.get("default_model_filename", "")
        self.max_batch_size = int(fields.get("max_batch_size", 0))
        self.inputs = [TensorConfig(each) for each in fields.get("input", ())]
        self.outputs = [TensorConfig(each) for each in fields.get("output", ())]
        self.batch_inputs = [BatchTensorConfig(each) for each in fields.get("batch_input", ())]
        self.batch_outputs = [BatchTensorConfig(each) for each in fields.get("batch_output", ())]
        self.controls = [
            ControlConfig(each.get("name", ""), control)
            for each in sequences.get("control_input", ())
            for control in each.get("control", ())
        ]
        self.states = [StateConfig(each) for each in sequences.get("state", ())]
        self.has_parameters = bool(fields.get("parameters"))
        self._parameters = {key: each.get("string_value", "") for key, each in (fields.get("parameters") or {}).items()}

    def text(self, key, default=""):
        return self._parameters.get(key, default)

    def has(self, key):
        return key in self._parameters

    def boolean(self, key, default=False):
        """Raises INVALID_ARG for what is neither true, on, 1 nor false, off, 0 (any case)."""
        if key not in self._parameters:
            return default
        return boolean_of(self._parameters[key])

    def integer(self, key, default=0):
        """Leading digits are enough. Raises INVALID_ARG where there are none."""
        if key not in self._parameters:
            return default
        text = self._parameters[key]
        match = re.match(r"\s*([+-]?\d+)", text)
        if match is None:
            raise invalid_arg(f"failed to convert '{text}' to integral number")
        return int(match.group(1))


def boolean_of(text):
    value = _BOOLEANS.get(text.lower())
    if value is None:
        raise invalid_arg(f"failed to convert '{text}' to boolean")
    return value


def check_names(kind, tensors, allowed):
    """Raises INVALID_ARG for the first configured input or output (`kind`) that the model does not have."""
    for tensor in tensors:
        if tensor.name not in allowed:
            names = ", ".join(sorted(allowed))
            raise invalid_arg(f"unexpected inference {kind} '{tensor.name}', allowed {kind}s are: {names}")


def dimensions_refusal(model_name, name, model_shape, wanted, is_batching):
    """INVALID_ARG for a tensor whose configured shape `wanted`, the batch dimension included, is not the model's."""
    explanation = (
        " (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete "
        f"shape {shape_text(wanted)})"
        if is_batching
        else f" (shape {shape_text(wanted)})"
    )
    return invalid_arg(
        f"model '{model_name}', tensor '{name}': the model expects {len(model_shape)} dimensions (shape "
        f"{shape_text(model_shape)}) but the model configuration specifies {len(wanted)} dimensions{explanation}"
    )


def shape_text(shape):
    return "[" + ",".join(str(dim) for dim in shape) + "]"


def _numbers(dims):
    return [int(dim) for dim in dims or ()]
