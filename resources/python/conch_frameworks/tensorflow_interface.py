"""Whether a configuration fits the signature of a SavedModel, and what a signature completes. Needs no framework: tensors
of the signature come as name -> SignatureTensor."""

from conch_python.errors import ModelFault
from conch_python.logger import Logger

from .config import TensorConfig, check_names, dimensions_refusal, shape_text
from .faults import internal, invalid_arg


class SignatureTensor:
    """`dims`: -1 for unknown ones; None for an unknown rank."""

    def __init__(self, name, data_type, dims):
        self.name = name
        self.data_type = data_type
        self.dims = dims


def check_signature(config, inputs, outputs, model_name):
    prefix = f"unable to load model '{model_name}', "
    for control in config.controls:
        _check_control(config, control, inputs, prefix)
    check_names("input", config.inputs, inputs)
    count = len(config.inputs) + len(config.batch_inputs) + len(config.controls)
    if count != len(inputs):
        raise invalid_arg(f"{prefix}configuration expects {count} inputs, model provides {len(inputs)}")
    for tensor in config.inputs:
        given = inputs[tensor.name]
        if tensor.is_ragged:
            if given.dims is not None and given.dims != [-1]:
                raise invalid_arg(
                    f"{prefix}configuration expects model provides input with shape [-1]  for ragged input "
                    f"'{tensor.name}', model provides {shape_text(given.dims)}"
                )
        else:
            _check_shape(config, tensor, given, model_name, is_exact=False)
        _check_type(tensor, given, "input", prefix)
    check_names("output", config.outputs, outputs)
    scattered = {name for each in config.batch_outputs for name in each.names}
    for tensor in config.outputs:
        if tensor.name not in scattered:
            _check_shape(config, tensor, outputs[tensor.name], model_name, is_exact=True)
        _check_type(tensor, outputs[tensor.name], "output", prefix)


def check_graph(config, placeholders, nodes, model_name):
    """A graph knows names only."""
    for control in config.controls:
        if control.name not in placeholders:
            raise internal(
                f"configuration specified sequence control '{control.name}', but model does not provide that input"
            )
    count = len(config.inputs) + len(config.batch_inputs) + len(config.controls)
    if count > len(placeholders):
        raise invalid_arg(
            f"unable to load model '{model_name}', configuration expects {count} inputs, model provides at most "
            f"{len(placeholders)}"
        )
    check_names("input", config.inputs, placeholders)
    check_names("output", config.outputs, nodes)


def complete(config, inputs, outputs, default_max_batch_size):
    """Fills the configuration's fields in place."""
    fields = config.fields
    name = config.name
    is_batching = _batching_hint(config, inputs, outputs)
    if is_batching and config.max_batch_size == 0 and default_max_batch_size > 0:
        fields["max_batch_size"] = default_max_batch_size
        Logger.log_warn(
            f"autofilled max_batch_size to {default_max_batch_size} for model '{name}' since batching is supporrted but no "
            "max_batch_size is specified in model configuration. Must specify max_batch_size to utilize autofill with a "
            "larger max batch size"
        )
    size = int(fields.get("max_batch_size", 0))
    has_scheduler = any(key in fields for key in ("dynamic_batching", "sequence_batching", "ensemble_scheduling"))
    if size > 1 and not has_scheduler:
        fields["dynamic_batching"] = {}
    skipped = {each for batch in config.batch_inputs for each in batch.names} | {each.name for each in config.controls}
    _complete_side(fields, "input", inputs, size > 0, name, skipped)
    _complete_side(fields, "output", outputs, size > 0, name, set())


def _complete_side(fields, side, tensors, is_batching, model_name, skipped):
    written = fields.setdefault(side, [])
    appends = side == "input" or not written
    for each in written:
        if not each.get("name"):
            raise invalid_arg(f"'name' is a required field for all {side}s.")
        given = tensors.get(each["name"])
        if given is not None:
            _fill(each, given, is_batching, side, model_name)
    names = {each["name"] for each in written}
    for tensor in tensors.values() if appends else ():
        if tensor.name not in names and tensor.name not in skipped:
            added = {"name": tensor.name}
            _fill(added, tensor, is_batching, side, model_name)
            written.append(added)


def _fill(fields, tensor, is_batching, side, model_name):
    if fields.get("data_type", "TYPE_INVALID") == "TYPE_INVALID":
        fields["data_type"] = tensor.data_type
    if fields.get("dims"):
        return
    if not tensor.dims:
        reason = "and dimensions are not defined" if side == "input" else "which is not supported"
        raise invalid_arg(
            f"Unable to autofill for '{model_name}': the rank of model tensor '{tensor.name}' is 0 {reason}"
        )
    dims = tensor.dims[1:] if is_batching else tensor.dims
    if not dims:
        fields["reshape"] = {"shape": []}
        dims = [1]
    fields["dims"] = [str(dim) for dim in dims]


def _batching_hint(config, inputs, outputs):
    """Whether requests are to be batched. Raises INTERNAL for contradictions."""
    tensors = [*inputs.values(), *outputs.values()]
    supports = all(each.dims[0] == -1 for each in tensors if each.dims)
    if not supports:
        if config.max_batch_size > 0:
            raise internal(
                f"unable to autofill for '{config.name}', configuration specified max-batch {config.max_batch_size} but "
                "model signature does not support batching"
            )
        return False
    votes = set()
    for written, given in ((config.inputs, inputs), (config.outputs, outputs)):
        for tensor in written:
            if tensor.is_ragged:
                return True
            model = given.get(tensor.name)
            if model is not None and model.dims and tensor.model_dims:
                votes.add(len(tensor.model_dims) == len(model.dims) - 1)
    if len(votes) == 2:
        raise internal(
            f"unable to autofill for '{config.name}', model tensor configurations are contradicting each other in terms of "
            "whether batching is supported"
        )
    return votes != {False}


def _check_control(config, control, inputs, prefix):
    given = inputs.get(control.name)
    if given is None:
        raise internal(
            f"configuration specified sequence control '{control.name}', but model does not provide that input"
        )
    one = TensorConfig({"name": control.name, "dims": [1]})
    try:
        _check_shape(config, one, given, config.name, is_exact=True)
    except ModelFault as fault:
        raise invalid_arg(f"{prefix}sequence control '{control.name}': {fault}") from None
    if control.data_type not in ("TYPE_INVALID", given.data_type):
        raise invalid_arg(
            f"{prefix}sequence control '{control.name}': the model expects {given.data_type} but the model configuration "
            f"specifies data-type {control.data_type}"
        )


def _check_shape(config, tensor, given, model_name, is_exact):
    if not given.dims:
        return
    is_batching = config.max_batch_size > 0
    if is_batching and given.dims[0] != -1:
        raise invalid_arg(
            f"model '{model_name}', tensor '{tensor.name}': for the model to support batching the shape should have at "
            "least 1 dimension and the first dimension must be -1; but shape expected by the model is "
            f"{shape_text(given.dims)}"
        )
    wanted = [-1, *tensor.model_dims] if is_batching else tensor.model_dims
    if len(wanted) == len(given.dims):
        if all(have == dim or (not is_exact and have == -1) for have, dim in zip(given.dims, wanted)):
            return
    raise dimensions_refusal(model_name, tensor.name, given.dims, wanted, is_batching)


def _check_type(tensor, given, kind, prefix):
    if tensor.data_type == given.data_type:
        return
    provided = "TYPE_BYTES" if given.data_type == "TYPE_STRING" else given.data_type
    raise invalid_arg(
        f"{prefix}configuration expects datatype {tensor.data_type} for {kind} '{tensor.name}', model provides {provided}"
    )
