import json
from types import SimpleNamespace

import numpy as np
import pytest
import triton_python_backend_utils as pb_utils

InferenceRequest, InferenceResponse = pb_utils.InferenceRequest, pb_utils.InferenceResponse
TritonError, Fault = pb_utils.TritonError, pb_utils.TritonModelException
TENSOR = pb_utils.Tensor("IN", np.zeros(1, np.float32))
GOOD = {"inputs": [TENSOR], "requested_output_names": ["OUT"], "model_name": "m"}


def test_a_request_says_what_it_was_made_of():
    request = InferenceRequest(
        **GOOD,
        request_id="id",
        correlation_id="seq",
        flags=3,
        timeout=9,
        parameters={"a": 1, "b": True, "c": "ä"},
    )
    assert (request.request_id(), request.correlation_id()) == ("id", "seq")
    assert (request.flags(), request.timeout()) == (3, 9)
    assert request.inputs() == [TENSOR]
    assert request.requested_output_names() == {"OUT"}
    assert json.loads(request.parameters()) == {"a": 1, "b": True, "c": "ä"}


@pytest.mark.parametrize("told, read", [(0, 0), (7, 7), ((1 << 64) - 1, (1 << 64) - 1), (18446744073709552000, (1 << 64) - 1)])
def test_a_timeout_fits_into_64_bits_however_the_engine_rounds_it(told, read):
    block = SimpleNamespace(extra={"u": told}, head=(0, ("OUT",)), key=1)
    assert InferenceRequest._of_block(block, None).timeout() == read


def test_defaults():
    request = InferenceRequest(**GOOD)
    assert (request.request_id(), request.correlation_id(), request.flags(), request.timeout()) == ("", 0, 0, 0)
    assert request.parameters() == "{}"
    assert request.trace().get_context() is None
    assert request.is_cancelled() is False


@pytest.mark.parametrize("missing", GOOD)
def test_what_has_to_be_given(missing):
    with pytest.raises(TypeError, match=missing):
        InferenceRequest(**{key: value for key, value in GOOD.items() if key != missing})


@pytest.mark.parametrize(
    "name",
    [
        "request_id",
        "correlation_id",
        "inputs",
        "requested_output_names",
        "model_name",
        "model_version",
        "flags",
        "timeout",
        "preferred_memory",
        "trace",
    ],
)
def test_none_is_a_type_error(name):
    with pytest.raises(TypeError):
        InferenceRequest(**{**GOOD, name: None})


@pytest.mark.parametrize(
    "change, text",
    [
        ({"inputs": [None]}, "Input tensor for request with id '' and model name 'm' should not be empty."),
        ({"requested_output_names": [""]}, "Requested output name for request with id '' and model name 'm'"),
        ({"correlation_id": 1.5}, "Correlation ID must be integer or string"),
        ({"parameters": [1]}, "got <class 'list'>"),
        ({"parameters": {1: 2}}, "Expect parameters keys to have type str, found type <class 'int'>"),
        ({"parameters": {"a": 1.5}}, "Expect parameters values to have type bool/int/str, found type <class 'float'>"),
        ({"parameters": {"a": None}}, "found type <class 'NoneType'>"),
        ({"parameters": {"a": {"b": 1}}}, "found type <class 'dict'>"),
        ({"parameters": {"a": 1 << 63}}, "must be an integer of 64 bits"),
    ],
)
def test_what_a_request_may_not_be(change, text):
    with pytest.raises(Fault) as raised:
        InferenceRequest(**{**GOOD, **change})
    assert text in str(raised.value)


def test_calls_are_for_execute_only(link):
    with pytest.raises(Fault, match="BLS is only supported during the 'execute' function."):
        InferenceRequest(**GOOD).exec()


def test_a_request_of_its_own_has_no_sender_to_answer_with():
    with pytest.raises(Fault, match="no reference to the decoupled state"):
        InferenceRequest(**GOOD).get_response_sender().send(InferenceResponse([]), 1)


def test_a_response_says_what_it_was_made_of():
    response = InferenceResponse([TENSOR], parameters={"a": 1})
    assert (response.output_tensors(), response.has_error(), response.error()) == ([TENSOR], False, None)
    assert response.parameters() == '{"a": 1}'
    assert InferenceResponse().output_tensors() == []
    assert InferenceResponse((TENSOR,)).output_tensors() == [TENSOR]


def test_a_response_with_an_error():
    response = InferenceResponse(error=TritonError("no", TritonError.NOT_FOUND))
    assert (response.has_error(), response.error().message(), response.error().code()) == (True, "no", 2)


@pytest.mark.parametrize(
    "arguments, kind",
    [
        ({"output_tensors": None}, TypeError),
        ({"output_tensors": TENSOR}, TypeError),
        ({"output_tensors": [1]}, TypeError),
        ({"output_tensors": [None]}, Fault),
        ({"error": "text"}, TypeError),
        ({"parameters": [("a", 1)]}, Fault),
        ({"parameters": {"a": [1]}}, Fault),
    ],
)
def test_what_a_response_may_not_be(arguments, kind):
    with pytest.raises(kind):
        InferenceResponse(**arguments)


@pytest.mark.parametrize("arguments", [(None,), (7,), ("a", "INTERNAL"), ("a", True), ("a", 1), ("a", 8), ("a", -1), ("a", None)])
def test_what_an_error_may_not_be(arguments):
    with pytest.raises(TypeError):
        TritonError(*arguments)


def test_names_are_looked_up():
    request, response = InferenceRequest(**GOOD), InferenceResponse([TENSOR])
    assert pb_utils.get_input_tensor_by_name(request, "IN") is TENSOR
    assert pb_utils.get_input_tensor_by_name(request, "X") is None
    assert pb_utils.get_output_tensor_by_name(response, "IN") is TENSOR
    assert pb_utils.get_output_tensor_by_name(response, "X") is None
    config = {"input": [{"name": "a"}], "model_transaction_policy": {"decoupled": True}}
    assert pb_utils.get_input_config_by_name(config, "a") == {"name": "a"}
    assert pb_utils.get_input_config_by_name(config, "b") is None
    assert pb_utils.get_output_config_by_name(config, "a") is None
    assert pb_utils.using_decoupled_model_transaction_policy(config) is True
    assert pb_utils.using_decoupled_model_transaction_policy({}) is False


@pytest.mark.parametrize("call", [lambda log: log(None), lambda log: log(7)])
def test_lines_are_text(call):
    with pytest.raises(TypeError):
        call(pb_utils.Logger.log_info)


def test_levels_are_levels():
    with pytest.raises(TypeError):
        pb_utils.Logger.log("a", 1)


def test_lines_go_to_the_standard_error_without_a_server(link, capsys):
    pb_utils.Logger.log_warn("careful")
    assert "WARNING" in capsys.readouterr().err
