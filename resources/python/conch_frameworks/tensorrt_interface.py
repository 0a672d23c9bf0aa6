"""Whether a configuration fits a TensorRT engine. Needs no framework: tensors of the engine come as EngineTensor."""

from .config import TensorConfig, check_names, dimensions_refusal, shape_text
from .faults import internal, invalid_arg

TYPES = frozenset(f"TYPE_{name}" for name in "FP32 FP16 BF16 INT8 UINT8 INT32 INT64 BOOL".split())


class Limits:
    """What a profile allows: three lists of the same length."""

    def __init__(self, least, best, most):
        self.least = least
        self.best = best
        self.most = most

    def violation(self, numbers, start=0):
        """Words about the first number from `start` on that is out of bounds; None when all fit. -1 fits everything."""
        for index, number in list(enumerate(numbers))[start:]:
            low, high = self.least[index], self.most[index]
            if number != -1 and not low <= number <= high:
                return f"model expected the shape of dimension {index} to be between {low} and {high} but received {number}"
        return None

    def distance(self, numbers):
        return sum(abs(number - best) for number, best in zip(numbers, self.best))


class EngineTensor:
    """`dims`: -1 for unknown ones. `is_shape`: its values are a shape. `vector`: (dimension, components) of a format that
    is not linear; None for one that is. `limits`, `values`: of shapes, and of the values of shape tensors, a Limits for each profile."""

    def __init__(self, name, data_type, dims, is_shape=False, is_on_host=False, vector=None, limits=(), values=()):
        self.name = name
        self.data_type = data_type
        self.dims = dims
        self.is_shape = is_shape
        self.is_on_host = is_on_host
        self.vector = vector
        self.limits = limits
        self.values = values

    @property
    def is_linear(self):
        return self.vector is None


def check(config, plan, profiles, instance_name, model_name):
    """Raises ModelFault with Triton's words. `profiles`: numbers of those of the instance."""
    targets = [name for each in config.batch_inputs for name in each.names]
    count = len(config.inputs) + len(targets) + len(config.controls) + len(config.states)
    if count > len(plan.inputs):
        raise invalid_arg(
            f"unable to load model '{model_name}', configuration expects {count} inputs, model provides at most "
            f"{len(plan.inputs)}"
        )
    for control in config.controls:
        if control.name not in plan.inputs:
            raise internal(
                f"configuration specified sequence control '{control.name}', but model does not provide that input"
            )
    check_names("input", config.inputs, plan.inputs)
    _check_others(config, plan, instance_name, model_name)
    for tensor in config.inputs:
        _check_type(tensor, plan.inputs[tensor.name], "input", instance_name, model_name)
        _check_input(config, tensor, plan.inputs[tensor.name], profiles, model_name)
    known = {each.name for each in (*config.inputs, *config.controls)} | {each.input_name for each in config.states}
    if set(plan.inputs) - known - set(targets):
        raise internal("failed to specify the dimensions of all input tensors or values of all input shape tensors")
    check_names("output", config.outputs, plan.outputs)
    scattered = _scattered(config)
    for tensor in config.outputs:
        given = plan.outputs[tensor.name]
        _check_type(tensor, given, "output", instance_name, model_name)
        _check_marks(tensor, given, "output", model_name)
        if tensor.name not in scattered:
            _check_shape(config, tensor, given, model_name, is_exact=True)


def _check_others(config, plan, instance_name, model_name):
    """What the server adds to requests, and keeps of answers."""
    def tensor(name, data_type):
        return TensorConfig({"name": name, "data_type": data_type})

    added = [tensor(name, each.data_type) for each in config.batch_inputs for name in each.names]
    added += [tensor(each.name, each.data_type) for each in config.controls]
    added += [tensor(each.input_name, each.data_type) for each in config.states]
    kept = [tensor(each.output_name, each.data_type) for each in config.states]
    for side, tensors, given in (("input", added, plan.inputs), ("output", kept, plan.outputs)):
        check_names(side, tensors, given)
        for each in tensors:
            _check_type(each, given[each.name], side, instance_name, model_name)


def request_fault(name, words, instance_name):
    return internal(f"request specifies invalid shape for input '{name}' for {instance_name}. Error details: {words}")


def _scattered(config):
    for each in config.batch_outputs:
        if each.kind != "BATCH_SCATTER_WITH_INPUT_SHAPE":
            raise invalid_arg(f"batch output kind {each.kind} is not supported by TensorRT backend")
    return {name for each in config.batch_outputs for name in each.names}


def _check_type(tensor, given, side, instance_name, model_name):
    if tensor.data_type not in TYPES:
        raise internal(f"unsupported datatype {tensor.data_type} for {side} '{tensor.name}' for model '{model_name}'")
    if tensor.data_type != given.data_type:
        raise invalid_arg(
            f"unexpected datatype {given.data_type} for inference {side} '{tensor.name}', expecting {tensor.data_type} for "
            f"{instance_name}"
        )


def _check_input(config, tensor, given, profiles, model_name):
    _check_marks(tensor, given, "input", model_name)
    if tensor.is_ragged:
        if given.dims != [-1]:
            raise invalid_arg(
                f"unable to load model '{model_name}', configuration expects model provides input with shape [-1]  for "
                f"ragged input '{tensor.name}', model provides {shape_text(given.dims)}"
            )
        if not given.is_linear:
            raise invalid_arg(f"ragged input '{tensor.name}' for model '{model_name}' must have a linear IO format")
        return
    _check_shape(config, tensor, given, model_name, is_exact=False)
    if given.is_shape:
        return
    batch = [-1] if config.max_batch_size > 0 else []
    for profile in profiles:
        words = given.limits[profile].violation([*batch, *tensor.model_dims])
        if words is not None:
            raise invalid_arg(
                f"model configuration specified invalid shape for input '{tensor.name}' for model {model_name}. Error "
                f"details: {words}"
            )


def _check_marks(tensor, given, side, model_name):
    head = f"{side} '{tensor.name}' for model '{model_name}'"
    if given.is_shape and not tensor.is_shape_tensor:
        raise internal(f"{head} is a shape tensor but the model configuration doesn't mark it as a shape tensor.")
    if tensor.is_shape_tensor and not given.is_shape:
        raise internal(f"{head} is incorrectly marked as a shape tensor in the model configuration.")
    if not given.is_linear and not tensor.is_non_linear:
        raise invalid_arg(
            f"{head} uses a non-linear IO format, but 'is_non_linear_format_io' is incorrectly set to false in the model "
            "configuration."
        )
    if given.is_linear and tensor.is_non_linear:
        raise invalid_arg(
            f"{head} uses a linear IO format, but 'is_non_linear_format_io' is incorrectly set to true in the model "
            "configuration."
        )


def _check_shape(config, tensor, given, model_name, is_exact):
    is_batching = config.max_batch_size > 0
    if given.is_shape:
        # The batch is the first of the values, not a dimension.
        wanted = [tensor.model_dims[0] + is_batching, *tensor.model_dims[1:]] if tensor.model_dims else []
        if wanted != given.dims and not (len(wanted) == len(given.dims) and -1 in (*tensor.model_dims, *given.dims)):
            raise dimensions_refusal(model_name, tensor.name, given.dims, wanted, False)
        return
    if is_batching and not given.dims:
        raise invalid_arg(
            f"model '{model_name}', tensor '{tensor.name}': for the model to support batching the shape should have at "
            f"least 1 dimension; but shape expected by the model is {shape_text(given.dims)}"
        )
    wanted = [-1, *tensor.model_dims] if is_batching else tensor.model_dims
    if len(wanted) == len(given.dims) and all(
        have == dim or (not is_exact and -1 in (have, dim)) for have, dim in zip(given.dims, wanted)
    ):
        return
    raise dimensions_refusal(model_name, tensor.name, given.dims, wanted, is_batching)
