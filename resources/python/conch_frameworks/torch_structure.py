"""Names of the tensors of an AOT Inductor package: by position (`INPUT__0`, `OUTPUT__1`) or by structure (`ARGS[0]`,
`KWARGS[name][key]`, `RESULT[1]`). Needs no framework: structures are nested tuples, lists and dictionaries whose leaves
are positions."""

import re

from .faults import internal

_POSITION = re.compile(r"__(\d+)$")


def input_names(arguments, keywords):
    """Name by structure -> position of the leaf."""
    names = {}
    for index, each in enumerate(arguments):
        _collect(f"ARGS[{index}]", each, names)
    for key, each in keywords.items():
        _collect(f"KWARGS[{key}]", each, names)
    return names


def output_names(result):
    names = {}
    _collect("RESULT", result, names)
    return names


def position_of(name, names, kind, instance_name):
    """`kind`: "Input" or "Output". Raises INTERNAL for a name that means nothing."""
    if name in names:
        return names[name]
    match = _POSITION.search(name)
    if match is not None and int(match.group(1)) < len(names):
        return int(match.group(1))
    raise internal(
        f'{kind} "{name}" for model instance "{instance_name}" is not found in model {kind.lower()} map.'
    )


def _collect(prefix, structure, names):
    if isinstance(structure, dict):
        for key, each in structure.items():
            _collect(f"{prefix}[{key}]", each, names)
    elif isinstance(structure, (tuple, list)):
        for index, each in enumerate(structure):
            _collect(f"{prefix}[{index}]", each, names)
    else:
        names[prefix] = structure
