"""What a TorchScript module returned, as arrays for the configured outputs."""

import numpy as np

from .faults import internal, invalid_arg

_FAILURE = "PyTorch execute failure: "
_WANTED = (
    f"{_FAILURE}output must be of type Tensor, List[str] or Tuple containing one of these two types. It should not be a "
    "List / Dictionary of Tensors or a Scalar"
)


def results_of(torch, returned):
    """A list of tensors and lists of strings. Raises INTERNAL for anything else."""
    if torch.is_tensor(returned):
        return [returned]
    if isinstance(returned, list):
        return [_strings(torch, returned, "output must be of type Tensor or List[str], received ")]
    if not isinstance(returned, tuple):
        raise internal(_WANTED)
    results = []
    for index, each in enumerate(returned):
        if torch.is_tensor(each):
            results.append(each)
        elif isinstance(each, list):
            results.append(_strings(torch, each, f"output at index {index} must be of type Tensor or List[str], received "))
        else:
            raise internal(_WANTED)
    return results


def _strings(torch, values, refusal):
    if values and all(torch.is_tensor(each) for each in values):
        raise internal(_WANTED)
    if not all(isinstance(each, (str, bytes)) for each in values):
        raise internal(f"{_FAILURE}{refusal}List[{type(values[0]).__name__}]")
    return values


def array_of(torch, result, output, type_names):
    """`output`: what the configuration says; `type_names`: dtype of torch -> TYPE_X."""
    if isinstance(result, list):
        if output.data_type != "TYPE_STRING":
            raise invalid_arg(
                f"configuration expects datatype {output.data_type} for output '{output.name}', model provides TYPE_STRING"
            )
        strings = np.empty(len(result), np.object_)
        strings[:] = [each if isinstance(each, bytes) else each.encode("utf-8", "surrogateescape") for each in result]
        return strings
    provided = type_names.get(result.dtype, "TYPE_<invalid>")
    if provided != output.data_type:
        expected = "TYPE_INT32" if output.data_type == "TYPE_STRING" else output.data_type
        raise invalid_arg(
            f"configuration expects datatype {expected} for output '{output.name}', model provides {provided}"
        )
    if result.dim() == 0:
        raise invalid_arg(f"output '{output.name}' is a scalar which is not supported.")
    return result.detach().cpu().contiguous().numpy()
