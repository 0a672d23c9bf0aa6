"""Whether a configuration fits an OpenVINO model, and what a model completes. Needs no framework: tensors of the model
come as ModelTensor."""

from conch_python.logger import Logger

from .config import check_names, dimensions_refusal
from .faults import internal, invalid_arg

TYPES = frozenset(
    f"TYPE_{name}"
    for name in ("BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32")
)


class ModelTensor:
    """`dims`: one pair (low, high) per dimension, equal when fixed, high None without a limit. `has_batch`: its layout
    names a batch dimension."""

    def __init__(self, name, data_type, dims, has_batch):
        self.name = name
        self.data_type = data_type
        self.dims = dims
        self.has_batch = has_batch

    @property
    def is_dynamic(self):
        return any(low != high for low, high in self.dims)

    @property
    def shape(self):
        return [low if low == high else -1 for low, high in self.dims]


def check_inputs(config, model_inputs, model_name, takes_config_shapes):
    if len(config.inputs) != len(model_inputs):
        raise invalid_arg(
            f"unable to load model '{model_name}', configuration expects {len(config.inputs)} inputs, model provides "
            f"{len(model_inputs)}"
        )
    by_name = {each.name: each for each in model_inputs}
    check_names("input", config.inputs, by_name)
    for tensor in config.inputs:
        _check_type(tensor, "input", model_name)
        if takes_config_shapes:
            if any(dim == 0 or dim < -1 for dim in tensor.model_dims):
                raise internal(
                    "openvino backend does not support dimensions values other than `-1` or positive integers"
                )
            continue
        given = by_name[tensor.name]
        _check_shape(config, tensor, given, model_name, is_output=False, takes_any=given.is_dynamic)


def check_outputs(config, model_outputs, model_name, checks_shapes, dynamic_names):
    """`dynamic_names`: outputs that had a dynamic dimension before the batch size was fixed."""
    by_name = {each.name: each for each in model_outputs}
    check_names("output", config.outputs, by_name)
    for tensor in config.outputs:
        _check_type(tensor, "output", model_name)
        if checks_shapes:
            takes_any = tensor.name in dynamic_names
            _check_shape(config, tensor, by_name[tensor.name], model_name, is_output=True, takes_any=takes_any)


def complete(config, model_inputs, model_outputs, default_max_batch_size):
    """Fills the configuration's fields in place."""
    fields = config.fields
    name = config.name
    supports = all(each.has_batch for each in (*model_inputs, *model_outputs))
    size = config.max_batch_size
    if supports:
        if size == 0:
            size = max(default_max_batch_size, 1)
            Logger.log_warn(
                f"autofilled max_batch_size to {size} for model '{name}' since batching is supported but no max_batch_size "
                "is specified in model configuration. Must specify max_batch_size to utilize autofill with a larger max "
                "batch size"
            )
            fields["max_batch_size"] = size
        has_scheduler = any(
            key in fields for key in ("dynamic_batching", "sequence_batching", "ensemble_scheduling")
        )
        if size > 1 and not has_scheduler:
            fields["dynamic_batching"] = {}
    elif size != 0:
        Logger.log_warn(
            f"model layout for model {name} does not support batching while non-zero max_batch_size is specified"
        )
    for side, tensors in (("input", model_inputs), ("output", model_outputs)):
        if fields.get(side):
            Logger.log_info(f"skipping {side} model configuration auto-complete for '{name}': {side} already specified")
        else:
            fields[side] = [_filled(each, size > 0) for each in tensors]


def _filled(tensor, is_batching):
    dims = tensor.shape[1:] if is_batching else tensor.shape
    if tensor.is_dynamic:
        dims = [-1] * len(dims)
    return {"name": tensor.name, "data_type": tensor.data_type, "dims": [str(dim) for dim in dims]}


def _check_type(tensor, kind, model_name):
    if tensor.data_type not in TYPES:
        raise internal(f"unsupported datatype {tensor.data_type} for {kind} '{tensor.name}' for model '{model_name}'")


def _check_shape(config, tensor, model_tensor, model_name, is_output, takes_any):
    """`takes_any`: a configured -1 fits every dimension. Completion writes -1 for all dimensions of a tensor that has a
    dynamic one, and what it wrote must load."""
    is_batching = config.max_batch_size > 0
    if is_batching and not model_tensor.dims:
        raise invalid_arg(
            f"model '{model_name}', tensor '{tensor.name}': for the model to support batching the shape should have at "
            "least 1 dimension"
        )
    wanted = [config.max_batch_size, *tensor.model_dims] if is_batching else tensor.model_dims
    if len(wanted) == len(model_tensor.dims):
        skipped = 1 if is_batching and not is_output else 0
        lenient = takes_any or (is_batching and not is_output)
        pairs = list(zip(wanted, model_tensor.dims))[skipped:]
        if all((lenient and dim == -1) or _matches(dim, limits) for dim, limits in pairs):
            return
    raise dimensions_refusal(model_name, tensor.name, model_tensor.shape, wanted, is_batching)


def _matches(dim, limits):
    low, high = limits
    if low == high:
        return dim == low
    return high is None or low < dim < high
