"""What the wizard is told of the arguments and results of a TorchScript module."""

import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "resources", "python"))

from conch_tools.torch_signature import Unservable, inputs_of, outputs_of  # noqa: E402

TENSOR = ("TensorType", "Tensor", [])
TEXTS = ("ListType", "List[str]", [("StringType", "str", [])])
TENSORS = ("ListType", "List[Tensor]", [TENSOR])
NUMBER = ("IntType", "int", [])
KEYED = ("DictType", "Dict[str, Tensor]", [])


def several(*types):
    return "TupleType", "Tuple[...]", list(types)


def test_tensors_have_names_and_lists_of_texts_a_type_and_a_shape():
    tensors, note = inputs_of([("x", TENSOR), ("words", TEXTS)])
    assert tensors == [("x", None, None), ("words", "string", [-1])]
    assert "names of its inputs" in note


def test_the_keys_of_a_dictionary_are_inputs_and_are_asked_for():
    tensors, note = inputs_of([("tensors", KEYED)])
    assert tensors == [("", None, None)]
    assert "each key that it reads is an input" in note


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([("x", TENSOR), ("n", NUMBER)], "An input of type 'int' was detected"),
        ([("x", TENSOR), ("more", KEYED)], "Multiple inputs of kind DictType were detected"),
        ([("xs", TENSORS)], "The argument 'xs' is a List[Tensor]"),
    ],
)
def test_arguments_that_cannot_be_fed(arguments, said):
    with pytest.raises(Unservable) as refused:
        inputs_of(arguments)
    assert said in str(refused.value)
    assert str(refused.value).endswith("Take a tensor instead, and save the module anew")


def test_outputs_are_counted_and_lists_of_texts_among_them_are_known():
    assert outputs_of(TENSOR) == [("OUTPUT__0", None, None)]
    assert outputs_of(several(TENSOR, TEXTS)) == [("OUTPUT__0", None, None), ("OUTPUT__1", "string", [-1])]
    assert outputs_of(("OptionalType", "Optional[Tensor]", [])) == [("OUTPUT__0", None, None)]


@pytest.mark.parametrize("returned", [KEYED, NUMBER, TENSORS, several(TENSOR, NUMBER)])
def test_results_that_cannot_be_sent(returned):
    with pytest.raises(Unservable, match="cannot be sent as a tensor"):
        outputs_of(returned)
