"""What the schema of a TorchScript module's forward says of its inputs and outputs, as the import wizard asks. Needs no
framework: a type comes as (kind, text, types of its elements)."""

from conch_frameworks.torch_interface import is_dictionary_model

_NAMES_ONLY = "The file has the names of its inputs. Types, shapes and the names of outputs are yours to say."
_DICTIONARY = (
    "The module takes one dictionary of tensors: each key that it reads is an input of that name. Names, types and shapes are "
    "yours to say."
)
_RETURNS = "Return a tensor, a list of texts (List[str]), or a tuple of these, and save the module anew"
_TAKES = "Take a tensor instead, and save the module anew"
# A file may leave open what it is: whatever is not named here is tried.
_NEVER_RETURNED = ("DictType", "IntType", "FloatType", "BoolType", "StringType", "NoneType")


class Unservable(Exception):
    """No configuration can help the module. The text says what to do instead, without a full stop."""


def inputs_of(arguments):
    """`arguments`: (name, type) without self. Gives (tensors as (name, type name or None, shape or None), sentence for
    the user)."""
    try:
        is_dictionary = is_dictionary_model([(name, kind, text) for name, (kind, text, _) in arguments])
    except Exception as refusal:
        raise Unservable(f"{str(refusal).rstrip('.')}. {_TAKES}") from None
    if is_dictionary:
        return [("", None, None)], _DICTIONARY
    for name, (kind, text, _) in arguments:
        if kind == "ListType" and not _is_texts((kind, text, _)):
            raise Unservable(f"The argument '{name}' is a {text}, and a list that a client sends can only be one of texts. {_TAKES}")
    return [_tensor(name, of) for name, of in arguments], _NAMES_ONLY


def outputs_of(returned):
    """`returned`: the type of the result. Outputs are OUTPUT__0, OUTPUT__1 and so on, as the backend counts them."""
    kind, _, elements = returned
    results = elements if kind == "TupleType" else [returned]
    for result in results:
        kind, text, _ = result
        if kind in _NEVER_RETURNED or (kind == "ListType" and not _is_texts(result)):
            raise Unservable(f"The module returns a {text}, which cannot be sent as a tensor. {_RETURNS}")
    return [_tensor(f"OUTPUT__{index}", result) for index, result in enumerate(results)]


def _is_texts(of):
    kind, _, elements = of
    return kind == "ListType" and [each[0] for each in elements] == ["StringType"]


def _tensor(name, of):
    """Lists of texts have one dimension, of any size."""
    return (name, "string", [-1]) if _is_texts(of) else (name, None, None)
