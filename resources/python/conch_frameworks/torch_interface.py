"""The arguments of a TorchScript module's forward, and whether a configuration fits them. Needs no framework: arguments
come as (name, kind, text of the type)."""

from .faults import internal, invalid_arg

UNSUPPORTED = frozenset(("TYPE_UINT16", "TYPE_UINT32", "TYPE_UINT64", "TYPE_BF16", "TYPE_INVALID"))
_POSITIONAL = ("TensorType", "ListType")


def is_dictionary_model(arguments):
    """Whether forward takes one dictionary of tensors. Raises INTERNAL for arguments that cannot be fed."""
    kinds = [kind for _, kind, _ in arguments]
    if kinds == ["DictType"]:
        return True
    for position, (_, kind, text) in enumerate(arguments):
        if kind == "DictType" and position > 0:
            raise internal(
                "Multiple inputs of kind DictType were detected. Only a single input of type Dict(str, Tensor) is "
                "supported."
            )
        if kind not in _POSITIONAL:
            raise internal(
                f"An input of type '{text}' was detected in the model. Only a single input of type Dict(str, Tensor) or "
                "input(s) of type Tensor are supported."
            )
    return False


def check_counts(config, argument_count, model_name):
    """`argument_count`: None for dictionary models."""
    given = len(config.inputs) + len(config.batch_inputs) + len(config.controls) + len(config.states)
    if argument_count is not None and given != argument_count:
        raise invalid_arg(
            f"unable to load model '{model_name}', configuration expects {given} inputs, model provides {argument_count}"
        )
    for kind, tensors in (("input", config.inputs), ("output", config.outputs)):
        if not tensors:
            raise internal(f"model configuration must contain at least one {kind}, none were specified.")


def check_types(config, model_name):
    for control in config.controls:
        if control.kind == "CONTROL_SEQUENCE_CORRID" and control.data_type in UNSUPPORTED:
            raise internal(f"input '{control.name}' type '{control.data_type}' is not supported by PyTorch.")
    for kind, tensors in (("input", config.inputs), ("output", config.outputs)):
        for tensor in tensors:
            _check_type(tensor.data_type, f"{kind} '{tensor.name}'", model_name)
            if tensor.data_type == "TYPE_STRING":
                rank = len(tensor.model_dims) + (config.max_batch_size > 0)
                if rank != 1:
                    raise internal(
                        f"Triton only supports 1 dimensional List of String as {kind} for '{tensor.name}' for model "
                        f"'{model_name}'"
                    )
    for state in config.states:
        _check_type(state.data_type, f"input state '{state.input_name}'", model_name)


def _check_type(data_type, subject, model_name):
    if data_type in UNSUPPORTED:
        raise internal(f"unsupported datatype {data_type} for {subject} for model '{model_name}'")
