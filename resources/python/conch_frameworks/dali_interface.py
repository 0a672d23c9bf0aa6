"""Completion and checks of the configuration of a DALI pipeline. Needs no framework."""

import re

from .faults import invalid_arg

_BRACKETS = {"{": 1, "[": 1, "}": -1, "]": -1}


def is_unbatched(text):
    """Whether config.pbtxt itself says `max_batch_size: 0`, outside of brackets. `text`: "" for no file."""
    depth = 0
    at = 0
    for match in re.finditer(r"[{}\[\]]|max_batch_size\s*:\s*(\d+)", text):
        at = match.start()
        change = _BRACKETS.get(text[at])
        if change is not None:
            depth += change
        elif depth == 0:
            return int(match.group(1)) == 0
    return False


def complete(config, pipeline, unbatched):
    """Fills the configuration's fields in place. Raises INVALID_ARG for contradictions."""
    fields = config.fields
    inputs = fields.setdefault("input", [])
    by_name = {each.name: each for each in pipeline.inputs}
    for index, written in enumerate(inputs):
        if not written.get("name"):
            raise invalid_arg(f"The input at index {index} in the model configuration does not contain a `name` field.")
        if written["name"] not in by_name:
            raise _not_there(written["name"])
        _fill(written, by_name[written["name"]], unbatched)
    names = {written["name"] for written in inputs}
    for tensor in pipeline.inputs:
        if tensor.name not in names:
            added = {"name": tensor.name}
            _fill(added, tensor, unbatched)
            inputs.append(added)
    for written in inputs:
        written.setdefault("allow_ragged_batch", True)
    outputs = fields.setdefault("output", [])
    _check_count(len(outputs), len(pipeline.outputs), is_exact=False)
    for index, tensor in enumerate(pipeline.outputs):
        if index == len(outputs):
            outputs.append({"name": tensor.name})
        outputs[index].setdefault("name", tensor.name)
        _fill(outputs[index], tensor, unbatched)
    if unbatched:
        return
    if int(fields.get("max_batch_size", 0)) == 0:
        fields["max_batch_size"] = pipeline.batch_size
    if "dynamic_batching" not in fields:
        fields["dynamic_batching"] = {"preferred_batch_size": [int(fields["max_batch_size"])]}


def check(config, pipeline, unbatched):
    """What has to hold when a model is loaded, completed or not."""
    if not config.inputs:
        raise invalid_arg("Missing inputs config.")
    if not config.outputs:
        raise invalid_arg("Missing outputs config.")
    by_name = {each.name: each for each in pipeline.inputs}
    for tensor in config.inputs:
        if tensor.name not in by_name:
            raise _not_there(tensor.name)
        _check_tensor(tensor, by_name[tensor.name], unbatched)
    written = {each.name for each in config.inputs}
    for tensor in pipeline.inputs:
        if tensor.name not in written:
            raise invalid_arg(f'Missing config for "{tensor.name}" input.')
    _check_count(len(config.outputs), len(pipeline.outputs), is_exact=True)
    for tensor, given in zip(config.outputs, pipeline.outputs):
        _check_tensor(tensor, given, unbatched)


def _check_tensor(tensor, given, unbatched):
    if tensor.data_type in ("", "TYPE_INVALID"):
        raise invalid_arg(f'Missing data_type config for "{tensor.name}"')
    if not tensor.dims:
        raise invalid_arg(f'Missing dims config for "{tensor.name}"')
    _check_type(tensor.name, tensor.data_type, given.data_type)
    if given.rank is not None:
        _check_rank(tensor.name, len(tensor.dims), given.rank + unbatched)


def _fill(written, tensor, unbatched):
    name = written["name"]
    written_type = written.get("data_type", "TYPE_INVALID")
    if written_type == "TYPE_INVALID":
        if tensor.data_type:
            written["data_type"] = tensor.data_type
    else:
        _check_type(name, written_type, tensor.data_type)
    if written.get("dims"):
        if tensor.rank is not None:
            _check_rank(name, len(written["dims"]), tensor.rank + unbatched)
    elif tensor.rank is not None:
        written["dims"] = ["-1"] * (tensor.rank + unbatched)


def _check_type(name, written, declared):
    if declared and written != declared:
        raise invalid_arg(
            f'Mismatch of data_type config for "{name}".\nData type defined in config: {written}\n'
            f"Data type defined in pipeline: {declared}"
        )


def _check_rank(name, written, declared):
    if written != declared:
        raise invalid_arg(
            f'Mismatch in number of dimensions for "{name}"\nNumber of dimensions defined in config: {written}\n'
            f"Number of dimensions defined in pipeline: {declared}"
        )


def _check_count(written, declared, is_exact):
    if written > declared or (is_exact and written != declared):
        raise invalid_arg(
            "The number of outputs specified in the DALI pipeline and the configuration file do not match.\n"
            f"Model config outputs: {written}\nPipeline outputs: {declared}"
        )


def _not_there(name):
    return invalid_arg(
        f"Configuration file contains config for {name} but such input is not present in the pipeline."
    )
