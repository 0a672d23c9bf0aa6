"""Which argument or result of a TorchScript module a configured tensor is: by argument name, by `<name>__<index>`, by the
order of the configuration. Needs no framework."""

from conch_python.logger import Logger

from .faults import internal, invalid_arg

_FOLLOWS = "follow the <name>__<index> naming convention."


class NotANumber(Exception):
    pass


def index_of(name):
    """Position behind the first `__`, None without one; nothing behind it counts as 0. Raises NotANumber."""
    head, mark, digits = name.partition("__")
    if not mark:
        return None
    if digits == "":
        return 0
    if not digits.isdigit():
        raise NotANumber(name)
    return int(digits)


def input_positions(config, arguments, model_name):
    """Name -> position of every input, control and state."""
    inputs = [each.name for each in config.inputs]
    targets = [name for each in config.batch_inputs for name in each.names]
    if config.states:
        _check_state_names(config, model_name)
    if all(name in arguments for name in inputs):
        positions = {name: arguments.index(name) for name in inputs}
        indexed = False
    else:
        positions, indexed = _by_convention(
            inputs,
            "input '{}' or previous input(s) are neither an input argument to the model "
            f"'{model_name}' nor do they follow the <name>__<index> naming convention. Falling back to enforcing strict "
            "ordering from model configuration.",
        )
    for offset, name in enumerate(targets):
        own = _try_index(name) if indexed else None
        positions[name] = arguments.index(name) if name in arguments else len(inputs) + offset if own is None else own
    for control in config.controls:
        index = _try_index(control.name)
        if index is None:
            raise internal(f"input '{control.name}' does not follow <name>__<index> naming convention.")
        positions[control.name] = index
    for state in config.states:
        positions[state.input_name] = index_of(state.input_name)
    return positions


def output_positions(config, model_name):
    """Name -> place among the results of the module, by name byte for byte: so an answer lists them."""
    outputs = [each.name for each in config.outputs]
    positions, _ = _by_convention(
        outputs,
        "output '{}' or previous output(s) of the model "
        f"'{model_name}' do not follow the <name>__<index> naming convention. Falling back to enforcing strict ordering "
        "from model configuration.",
    )
    for state in config.states:
        positions[state.output_name] = index_of(state.output_name)
    return dict(sorted(positions.items(), key=lambda item: item[0].encode()))


def _by_convention(names, warning):
    positions = {}
    for name in names:
        try:
            index = index_of(name)
        except NotANumber:
            Logger.log_warn(warning.format(name))
            index = None
        if index is None:
            return {each: order for order, each in enumerate(names)}, False
        positions[name] = index
    return positions, True


def _try_index(name):
    try:
        return index_of(name)
    except NotANumber:
        return None


def _check_state_names(config, model_name):
    tensors = [each.name for each in (*config.inputs, *config.outputs)]
    if any(_try_index(name) is None for name in tensors):
        raise invalid_arg(
            f"PyTorch model '{model_name}' is using sequence batching with state but not all inputs and outputs "
            f"{_FOLLOWS} "
        )
    for state in config.states:
        for name in (state.input_name, state.output_name):
            if _try_index(name) is None:
                raise invalid_arg(
                    f"PyTorch model '{model_name}' is using sequence batching with state but state '{name}' does not "
                    f"{_FOLLOWS} "
                )
