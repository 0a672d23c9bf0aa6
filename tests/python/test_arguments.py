"""Arguments as Triton's extension module takes them: what counts as text, as a whole number, as a list."""

from collections import deque
from fractions import Fraction

import numpy as np
import pytest

import c_python_backend_utils as native
import triton_python_backend_utils as pb_utils
from conch_python.arguments import LARGEST_U32, LARGEST_U64, flag, number, sequence, text, whole
from triton_python_backend_utils import InferenceRequest, InferenceResponse, Tensor, TritonError

GOOD = {"inputs": [], "requested_output_names": ["a"], "model_name": "m"}


@pytest.mark.parametrize("given", ["x", b"x", bytearray(b"x"), np.str_("x")])
def test_text_also_comes_as_bytes(given):
    assert text(given, "name") == "x"
    assert Tensor(given, np.zeros(1)).name() == "x"
    assert TritonError(given).message() == "x"
    request = InferenceRequest(request_id=given, **{**GOOD, "requested_output_names": [given]})
    assert (request.request_id(), request.requested_output_names()) == ("x", {"x"})


@pytest.mark.parametrize("given", [None, 5, ["x"], "\ud800"])
def test_what_is_no_text(given):
    with pytest.raises(TypeError, match="name must be"):
        text(given, "name")


@pytest.mark.parametrize("given", [2, True + 1, np.int64(2), np.uint8(2), np.array(2), Fraction(2)])
def test_whole_numbers_of_every_kind(given):
    request = InferenceRequest(flags=given, timeout=given, model_version=given, **GOOD)
    request.set_flags(given)
    request.set_release_flags(given)
    assert (request.flags(), request.timeout()) == (2, 2)
    assert type(whole(given, "n")) is int


@pytest.mark.parametrize("given", [None, 1.0, np.float64(1), "1", b"1", [1]])
def test_what_is_no_whole_number(given):
    with pytest.raises(TypeError, match="n must be of type int"):
        whole(given, "n")


@pytest.mark.parametrize(
    "change",
    [
        {"flags": -1},
        {"flags": LARGEST_U32 + 1},
        {"timeout": -1},
        {"timeout": LARGEST_U64 + 1},
        {"model_version": 1 << 63},
    ],
)
def test_whole_numbers_have_bounds(change):
    with pytest.raises(TypeError, match="must be from"):
        InferenceRequest(**GOOD, **change)


@pytest.mark.parametrize("given", [-1, 1 << 64])
def test_correlation_ids_have_bounds(given):
    with pytest.raises(RuntimeError, match="correlation_id must be from 0 to 18446744073709551615"):
        InferenceRequest(**GOOD, correlation_id=given)


def test_a_correlation_id_is_a_plain_number_or_text():
    assert repr(InferenceRequest(**GOOD, correlation_id=True).correlation_id()) == "1"
    assert InferenceRequest(**GOOD, correlation_id=LARGEST_U64).correlation_id() == LARGEST_U64


@pytest.mark.parametrize("given", [1.5, np.float32(1.5), np.array(1.5), Fraction(3, 2)])
def test_numbers_of_every_kind(given):
    assert number(given, "value") == 1.5


@pytest.mark.parametrize("given", [None, "1", b"1", [1]])
def test_what_is_no_number(given):
    with pytest.raises(TypeError):
        number(given, "value")


def test_flags_are_what_has_a_truth():
    assert [flag(each, "f") for each in (True, 0, 1.5, np.bool_(True))] == [True, False, True, True]
    for given in (None, "x", [1]):
        with pytest.raises(TypeError, match="f must be of type bool"):
            flag(given, "f")


@pytest.mark.parametrize("given", [["a"], ("a",), deque(["a"]), np.array(["a"])])
def test_any_sequence_is_a_list(given):
    assert sequence(given, "list") == ["a"]
    assert InferenceRequest(**{**GOOD, "requested_output_names": given}).requested_output_names() == {"a"}


@pytest.mark.parametrize("given", [None, "ab", b"ab", {"a": 1}, {"a"}, iter(["a"])])
def test_what_is_no_sequence(given):
    with pytest.raises(TypeError, match="list must be of type list"):
        sequence(given, "list")


def test_lists_that_are_given_out_are_copies():
    tensor = Tensor("a", np.zeros(1))
    request, response = InferenceRequest(**{**GOOD, "inputs": [tensor]}), InferenceResponse([tensor])
    request.inputs().clear()
    response.output_tensors().clear()
    assert (request.inputs(), response.output_tensors()) == ([tensor], [tensor])


def test_tensors_have_no_names_for_their_arguments():
    with pytest.raises(TypeError):
        Tensor(name="a", array=np.zeros(1))


def test_a_place_in_memory_has_to_be_named():
    with pytest.raises(TypeError):
        pb_utils.PreferredMemory()
    pb_utils.PreferredMemory(pb_utils.TRITONSERVER_MEMORY_CPU, np.int64(0))


def test_types_are_compared():
    kinds = [np.float32, np.dtype("float32"), np.bytes_, np.dtype("O"), np.dtype("S5"), "float32", float, bool, object, None, 5]
    assert [pb_utils.numpy_to_triton_type(kind) for kind in kinds] == [11, 11, 13, 13, *[None] * 7]
    codes = [11, 11.0, np.int32(11), "11", [1], None, -1]
    assert [pb_utils.triton_to_numpy_type(code) for code in codes] == [np.float32] * 3 + [None] * 4


def test_configurations_are_looked_at_as_they_are():
    with pytest.raises(KeyError):
        pb_utils.using_decoupled_model_transaction_policy({"model_transaction_policy": {}})
    assert pb_utils.get_input_config_by_name([], "a") is None


def test_the_extension_module_has_its_functions_and_numbers_too():
    assert (native.COUNTER, native.HISTOGRAM) == (pb_utils.MetricFamily.COUNTER, pb_utils.MetricFamily.HISTOGRAM)
    assert native.TRITONSERVER_MEMORY_CPU is pb_utils.TRITONSERVER_MEMORY_CPU
    assert native.load_model is pb_utils.load_model
    assert repr(native.ResponseIterator) == "<class 'c_python_backend_utils.ResponseIterator'>"


def test_importing_everything_brings_what_the_module_imports():
    names = {}
    exec("from triton_python_backend_utils import *", names)
    assert names["np"] is np and names["struct"].calcsize("<I") == 4


def test_what_models_see_has_no_names_of_ours():
    seen = {
        Tensor: "as_numpy from_dlpack is_cpu name shape to_dlpack triton_dtype",
        InferenceRequest: "async_exec correlation_id exec flags get_response_sender inputs is_cancelled parameters request_id "
        "requested_output_names set_flags set_release_flags timeout trace",
        InferenceResponse: "error has_error output_tensors parameters",
        pb_utils.PreferredMemory: "",
        native.ResponseIterator: "cancel",
    }
    for kind, names in seen.items():
        assert sorted(name for name in dir(kind) if not name.startswith("_")) == names.split()
