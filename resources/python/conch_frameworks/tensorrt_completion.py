"""What a TensorRT engine completes of a configuration. Needs no framework."""

from conch_python.logger import Logger

from .faults import internal, invalid_arg
from .tensorrt_parameters import profiles_of_model


def complete(config, plan):
    """Fills the configuration's fields in place."""
    fields = config.fields
    size = _batch_size(config, plan)
    fields["max_batch_size"] = size
    has_scheduler = any(key in fields for key in ("dynamic_batching", "sequence_batching", "ensemble_scheduling"))
    if size > 1 and not has_scheduler:
        fields["dynamic_batching"] = {}
    skipped = {name for each in config.batch_inputs for name in each.names} | {each.name for each in config.controls}
    skipped |= {name for each in config.states for name in (each.input_name, each.output_name)}
    for side, tensors in (("input", plan.inputs), ("output", plan.outputs)):
        if not fields.get(side):
            fields[side] = [{"name": name} for name in tensors if name not in skipped]
        for each in fields[side]:
            if each.get("name") in tensors:
                _fill(each, tensors[each["name"]], size > 0, side, config.name)


def _batch_size(config, plan):
    most = _largest_batch(plan, profiles_of_model(config, plan.profile_count))
    votes = _votes(config, plan)
    written = config.max_batch_size
    if len(votes) == 2:
        raise internal(
            f"unable to autofill for '{config.name}', model tensor configurations are contradicting each other in terms of "
            "whether batching is supported"
        )
    if votes == {True} and most == 0:
        raise internal(
            f"autofill failed for model '{config.name}': model tensor shape configuration hints for dynamic batching but the "
            "underlying engine doesn't support batching."
        )
    if votes == {False}:
        if most > 0 or written > 0:
            Logger.log_warn(
                f"The dimensions in the configuration of model '{config.name}' are complete shapes of its engine, so batching "
                "is off: max_batch_size is 0"
            )
        return 0
    if written > most:
        raise internal(
            f"autofill failed for model '{config.name}': configuration specified max-batch {written} but TensorRT engine only "
            f"supports max-batch {most}"
        )
    return written or most


def _largest_batch(plan, profiles):
    """0 where a first dimension is fixed."""
    inputs = plan.inputs.values()
    if not inputs or any(not each.is_shape and each.dims[:1] != [-1] for each in inputs):
        return 0
    return max(min(_first_limit(each, profile) for each in inputs) for profile in profiles)


def _first_limit(tensor, profile):
    most = (tensor.values if tensor.is_shape else tensor.limits)[profile].most
    return most[0] if most else 0


def _votes(config, plan):
    """What written dimensions say about batching: {True}, {False}, both or nothing."""
    votes = set()
    for written, given in ((config.inputs, plan.inputs), (config.outputs, plan.outputs)):
        for tensor in written:
            if tensor.is_ragged:
                return {True}
            of_engine = given.get(tensor.name)
            if of_engine is not None and not of_engine.is_shape and of_engine.dims and tensor.dims:
                votes.add(len(tensor.model_dims) == len(of_engine.dims) - 1)
    return votes


def _fill(fields, tensor, is_batching, side, model_name):
    name = tensor.name
    if fields.get("data_type", "TYPE_INVALID") == "TYPE_INVALID":
        if tensor.data_type == "TYPE_INVALID":
            raise internal(f"unsupported datatype TYPE_INVALID for {side} '{name}' for model '{model_name}'")
        fields["data_type"] = tensor.data_type
    if fields.get("is_shape_tensor") and not tensor.is_shape:
        raise invalid_arg(f"'{name}' is incorrectly specified as a shape tensor.")
    if fields.get("is_non_linear_format_io") and tensor.is_linear:
        raise invalid_arg(
            f"'{name}' uses a linear IO format, but 'is_non_linear_format_io' is incorrectly set to true in the model "
            "configuration."
        )
    if tensor.is_shape:
        fields["is_shape_tensor"] = True
    if not tensor.is_linear:
        fields["is_non_linear_format_io"] = True
    if not fields.get("dims"):
        _fill_dims(fields, tensor, is_batching)


def _fill_dims(fields, tensor, is_batching):
    if tensor.is_shape and is_batching:
        # The batch is the first of the values, not a dimension.
        dims = [dim if dim == -1 else dim - 1 for dim in tensor.dims]
    else:
        dims = tensor.dims[1:] if is_batching else tensor.dims
    if not dims:
        fields["reshape"] = {"shape": []}
        dims = [1]
    fields["dims"] = [str(dim) for dim in dims]
