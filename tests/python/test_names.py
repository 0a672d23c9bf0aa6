"""Names of classes and of what they lack, as Triton's own backend shows them."""

import copy
import pickle
import weakref

import c_python_backend_utils as native
import numpy as np
import pytest
import triton_python_backend_utils as pb_utils


CLASSES = [name for name in native.__all__ if isinstance(getattr(native, name), type)]


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_those_of_the_extension_module(name):
    assert repr(getattr(native, name)) == f"<class 'c_python_backend_utils.{name}'>"


def test_both_modules_have_the_same_classes():
    for name in set(native.__all__) & set(pb_utils.__all__):
        assert getattr(native, name) is getattr(pb_utils, name)
    assert repr(pb_utils.ModelConfig) == "<class 'triton_python_backend_utils.ModelConfig'>"


def test_codes_of_errors_are_names_and_numbers():
    code = pb_utils.TritonError("x", pb_utils.TritonError.NOT_FOUND).code()
    assert (repr(code), str(code), int(code), code.name) == ("<__ErrorCode.NOT_FOUND: 2>", "__ErrorCode.NOT_FOUND", 2, "NOT_FOUND")
    assert repr(type(code)) == "<class 'c_python_backend_utils.TritonError.__ErrorCode'>"
    assert code == pb_utils.TritonError.NOT_FOUND
    assert pb_utils.TritonError("x", pb_utils.TritonError.INVALID_ARG)._to_wire() == ["INVALID_ARG", "x"]


def test_levels_and_kinds_are_classes_of_the_extension_module():
    assert repr(type(pb_utils.Logger.INFO)) == "<class 'c_python_backend_utils.Logger.LogLevel'>"
    assert repr(type(pb_utils.MetricFamily.GAUGE)) == "<class 'c_python_backend_utils.MetricKind'>"
    assert f"{pb_utils.MetricFamily.GAUGE} {pb_utils.Logger.ERROR!s}" == "MetricKind.GAUGE LogLevel.ERROR"
    assert repr(type(pb_utils.TRITONSERVER_MEMORY_CPU)) == "<class 'c_python_backend_utils.MemoryType'>"


@pytest.mark.parametrize("value", [pb_utils.Tensor("a", np.zeros(1)), pb_utils.InferenceResponse([])])
def test_what_an_object_lacks_is_told_with_its_full_name(value):
    full = f"c_python_backend_utils.{type(value).__name__}"
    with pytest.raises(AttributeError, match=f"^'{full}' object has no attribute 'nothing'$"):
        _ = value.nothing
    assert not hasattr(value, "nothing")


def test_exceptions_travel_between_processes():
    again = pickle.loads(pickle.dumps(pb_utils.TritonModelException("x")))
    assert type(again) is pb_utils.TritonModelException


MADE = [
    pb_utils.Tensor("a", np.zeros(1)),
    pb_utils.InferenceResponse([]),
    pb_utils.InferenceRequest(model_name="m", inputs=[], requested_output_names=[]),
    pb_utils.TritonError("x"),
    pb_utils.PreferredMemory(pb_utils.TRITONSERVER_MEMORY_CPU),
]


@pytest.mark.parametrize("value", MADE, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, pickle.dumps])
def test_objects_of_the_extension_module_are_not_copied(act, value):
    with pytest.raises(TypeError, match=f"^cannot pickle 'c_python_backend_utils.{type(value).__name__}' object$"):
        act(value)


@pytest.mark.parametrize("value", MADE, ids=lambda value: type(value).__name__)
def test_objects_of_the_extension_module_can_be_held_weakly(value):
    assert weakref.WeakKeyDictionary({value: 1})[value] == 1


def test_the_logger_is_no_object():
    with pytest.raises(TypeError, match="^c_python_backend_utils.Logger: No constructor defined!$"):
        pb_utils.Logger()
