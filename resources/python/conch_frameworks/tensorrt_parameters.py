"""What a configuration and `--backend-config=tensorrt,...` say to TensorRT models. Needs no framework."""

import re

from .config import backend_settings, boolean_of
from .faults import internal, invalid_arg

_POLICIES = ("DEVICE_BLOCKING", "BLOCKING")
_PREFERENCES = {"PRIORITY_MAX": 1, "PRIORITY_MIN": -1}


class TensorRtSettings:
    """Raises INVALID_ARG for values that say nothing. Two of them are read for that only: docs/framework-backends.md."""

    def __init__(self, arguments):
        settings = backend_settings(arguments)
        boolean_of(settings.get("coalesce-request-input", "false"))
        policy = settings.get("execution-policy", _POLICIES[0])
        if policy not in _POLICIES:
            raise invalid_arg(f"execution-policy of TensorRT backend must be one of {', '.join(_POLICIES)}, got '{policy}'")
        self.is_version_compatible = boolean_of(settings.get("version-compatible", "false"))
        self.plugins = [path for path in settings.get("plugins", "").split(";") if path]


class TensorRtParameters:
    """`strategy`: name of an ExecutionContextAllocationStrategy. `preference`: of the stream, as CudaDriver takes it."""

    def __init__(self, config, model_name):
        key = "execution_context_allocation_strategy"
        self.strategy = config.text(key, "STATIC")
        self.has_strategy = config.has(key)
        if self.strategy not in ("STATIC", "ON_PROFILE_CHANGE"):
            raise invalid_arg(
                f"Invalid value for '{key}': '{self.strategy}' for model instance '{model_name}'. Supported values are "
                "'STATIC' and 'ON_PROFILE_CHANGE'."
            )
        optimization = config.fields.get("optimization") or {}
        self.preference = _PREFERENCES.get(optimization.get("priority"), 0)
        cuda = optimization.get("cuda") or {}
        if cuda.get("graphs"):
            for spec in cuda.get("graph_spec") or ():
                _check_graph(spec, config)


def _check_graph(spec, config):
    """Triton's rules for graphs, which are captured nowhere here."""
    limit = config.max_batch_size
    size = _check_graph_batch(spec, limit)
    lower = spec.get("graph_lower_bound")
    if not lower:
        return
    if _check_graph_batch(lower, limit) > size:
        raise invalid_arg("graph lower bound spec expects 'batch_size' to be <= graph spec 'batch_size'")
    for name in spec.get("input") or {}:
        if name not in (lower.get("input") or {}):
            raise invalid_arg(f"graph lower bound spec expects shape for input '{name}'")


def _check_graph_batch(spec, limit):
    size = int(spec.get("batch_size", 0))
    if limit == 0 and size != 0:
        raise invalid_arg("graph spec expects 'batch_size' to be 0 if 'max_batch_size' is 0")
    if limit > 0 and not 1 <= size <= limit:
        raise invalid_arg(f"graph spec expects 'batch_size' to be >= 1 and <= {limit}")
    return size


def profiles_of_instance(config, instance_name, count):
    """Numbers of the optimisation profiles of the group that the instance is of."""
    group = instance_name.rsplit("_", 1)[0]
    groups = config.fields.get("instance_group") or ()
    written = next((each.get("profile") or () for each in groups if each.get("name") == group), ())
    return [_profile(text, instance_name, count) for text in written] or [0]


def profiles_of_model(config, count):
    """Those of all groups. Raises INTERNAL for one that the engine does not have."""
    found = set()
    for group in config.fields.get("instance_group") or ():
        for text in group.get("profile") or ():
            number = _number(text)
            if not 0 <= number < count:
                raise internal(
                    f"unable to autofill for '{config.name}', configuration specified invalid profile {text} . Number of "
                    f"profiles supported by TensorRT engine: {count}"
                )
            found.add(number)
    return sorted(found) or [0]


def _profile(text, instance_name, count):
    number = _number(text)
    if not 0 <= number < count:
        raise invalid_arg(
            f"Can not set the specified optimization profile {text}[{number}] for {instance_name}. Expected optimization "
            f"profile index range 0-{count - 1}"
        )
    return number


def _number(text):
    match = re.match(r"\s*([+-]?\d+)", text)
    if match is None:
        raise invalid_arg(f"unable to parse '{text}': stoi")
    return int(match.group(1))


def first_gpu(config):
    """The GPU of the first instance; None where that is on none, and nothing is completed."""
    group = next(iter(config.fields.get("instance_group") or ()), {})
    gpus = group.get("gpus") or ()
    return int(gpus[0]) if group.get("kind") == "KIND_GPU" and gpus else None
