"""What a TensorRT engine completes of a configuration, what it refuses, and what options say."""

import pytest
from conch_frameworks import tensorrt_engine
from conch_python.errors import ModelFault, TritonError
from tensorrt_world import ROWS, SHAPES, TWICE, TWO_PROFILES, limits, shape_config, tensor

import fake_tensorrt

INTERNAL, INVALID_ARG = TritonError.INTERNAL, TritonError.INVALID_ARG


def refusal_of(call, **asked):
    with pytest.raises(ModelFault) as raised:
        call(**asked)
    return str(raised.value), raised.value.code


# --- completion ---


def test_row_2_a_configuration_out_of_the_engine_alone(tensorrt):
    tensorrt.write(TWICE)
    completed = tensorrt.complete()
    assert completed["max_batch_size"] == 8
    assert completed["dynamic_batching"] == {}
    assert (completed["input"], completed["output"]) == ([tensor("A")], [tensor("O")])


def test_the_batch_is_that_of_the_largest_selected_profile(tensorrt):
    tensorrt.write(TWO_PROFILES)
    for profile, size in ((None, 4), (["0"], 4), (["1"], 16), (["0", "1"], 16)):
        group = {"name": "m_0", "kind": "KIND_GPU", "count": 1, "gpus": [0], "profile": profile or []}
        assert tensorrt.complete(instance_group=[group])["max_batch_size"] == size


@pytest.mark.parametrize(
    "asked, size",
    [
        ({"max_batch_size": 4}, 4),
        ({"input": [{"name": "A", "dims": ["2"]}]}, 8),
        ({"input": [{"name": "A", "dims": ["-1", "2"]}]}, 0),
        ({"input": [{"name": "A", "dims": ["-1", "2"]}], "max_batch_size": 4}, 0),
        ({"input": [{"name": "A"}]}, 8),
    ],
)
def test_written_dimensions_say_whether_there_is_a_batch(tensorrt, capsys, asked, size):
    tensorrt.write(TWICE)
    completed = tensorrt.complete(**asked)
    assert completed["max_batch_size"] == size
    assert ("dynamic_batching" in completed) == (size > 1)
    assert completed["output"][0]["dims"] == (["2"] if size > 0 else ["-1", "2"])
    assert ("batching is off" in capsys.readouterr().err) == (size == 0)


FIXED = {"inputs": [{"name": "A", "dims": [1, 2]}], "outputs": [{"name": "O", "dims": [1, 2], "is": "twice", "of": "A"}]}


@pytest.mark.parametrize(
    "plan, asked, refusal",
    [
        (
            TWICE,
            {"max_batch_size": 9},
            "autofill failed for model 'm': configuration specified max-batch 9 but TensorRT engine only supports max-batch 8",
        ),
        (
            FIXED,
            {"max_batch_size": 2},
            "autofill failed for model 'm': configuration specified max-batch 2 but TensorRT engine only supports max-batch 0",
        ),
        (
            FIXED,
            {"input": [tensor("A")]},
            "autofill failed for model 'm': model tensor shape configuration hints for dynamic batching but the underlying "
            "engine doesn't support batching.",
        ),
        (
            TWICE,
            {"input": [tensor("A")], "output": [tensor("O", ["-1", "2"])]},
            "unable to autofill for 'm', model tensor configurations are contradicting each other in terms of whether batching "
            "is supported",
        ),
        (
            TWO_PROFILES,
            {"instance_group": [{"name": "m_0", "kind": "KIND_GPU", "gpus": [0], "profile": ["2"]}]},
            "unable to autofill for 'm', configuration specified invalid profile 2 . Number of profiles supported by TensorRT "
            "engine: 2",
        ),
    ],
)
def test_completions_that_are_refused(tensorrt, plan, asked, refusal):
    tensorrt.write(plan)
    assert refusal_of(tensorrt.complete, **asked) == (refusal, INTERNAL)


def test_written_tensors_are_filled_and_others_are_not_appended(tensorrt):
    tensorrt.write(SHAPES)
    completed = tensorrt.complete(input=[{"name": "S"}], output=[{"name": "T"}])
    shape = {"data_type": "TYPE_INT32", "is_shape_tensor": True, "dims": ["1"]}
    assert completed["max_batch_size"] == 8
    assert (completed["input"], completed["output"]) == ([{"name": "S", **shape}], [{"name": "T", **shape}])


def test_no_dimensions_are_one_that_is_reshaped(tensorrt):
    scalar = limits(([1], [2], [4]))
    tensorrt.write(
        {
            "inputs": [{"name": "A", "dims": [-1], "limits": scalar}],
            "outputs": [{"name": "O", "dims": [-1], "is": "twice", "of": "A"}],
        }
    )
    assert tensorrt.complete()["input"] == [tensor("A", ["1"], reshape={"shape": []})]


def test_formats_and_shape_tensors_that_are_none(tensorrt):
    tensorrt.write(TWICE)
    asked = {"name": "A", "is_shape_tensor": True}
    assert refusal_of(tensorrt.complete, input=[asked]) == ("'A' is incorrectly specified as a shape tensor.", INVALID_ARG)
    text, _ = refusal_of(tensorrt.complete, input=[{"name": "A", "is_non_linear_format_io": True}])
    assert text == (
        "'A' uses a linear IO format, but 'is_non_linear_format_io' is incorrectly set to true in the model configuration."
    )


def test_a_type_that_configurations_have_no_word_for(tensorrt):
    tensorrt.write({**TWICE, "inputs": [{"name": "A", "type": "FP8", "dims": [-1, 2], "limits": ROWS}]})
    text, _ = refusal_of(tensorrt.complete)
    assert text == "unsupported datatype TYPE_INVALID for input 'A' for model 'm'"


# --- checks of an instance ---


@pytest.mark.parametrize(
    "asked, refusal, code",
    [
        (
            {"input": [tensor("A"), tensor("B")]},
            "unable to load model 'm', configuration expects 2 inputs, model provides at most 1",
            INVALID_ARG,
        ),
        ({"input": [tensor("B")]}, "unexpected inference input 'B', allowed inputs are: A", INVALID_ARG),
        ({"output": [tensor("P")]}, "unexpected inference output 'P', allowed outputs are: O", INVALID_ARG),
        (
            {"input": [tensor("A", data_type="TYPE_STRING")]},
            "unsupported datatype TYPE_STRING for input 'A' for model 'm'",
            INTERNAL,
        ),
        (
            {"input": [tensor("A", data_type="TYPE_INT32")]},
            "unexpected datatype TYPE_FP32 for inference input 'A', expecting TYPE_INT32 for m_0_0",
            INVALID_ARG,
        ),
        (
            {"output": [tensor("O", data_type="TYPE_FP16")]},
            "unexpected datatype TYPE_FP32 for inference output 'O', expecting TYPE_FP16 for m_0_0",
            INVALID_ARG,
        ),
        (
            {"output": [tensor("O", ["-1"])]},
            "model 'm', tensor 'O': the model expects 2 dimensions (shape [-1,2]) but the model configuration specifies 2 "
            "dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making "
            "complete shape [-1,-1])",
            INVALID_ARG,
        ),
        (
            {"input": [tensor("A", is_shape_tensor=True)]},
            "input 'A' for model 'm' is incorrectly marked as a shape tensor in the model configuration.",
            INTERNAL,
        ),
        (
            {"input": [tensor("A", is_non_linear_format_io=True)]},
            "input 'A' for model 'm' uses a linear IO format, but 'is_non_linear_format_io' is incorrectly set to true in the "
            "model configuration.",
            INVALID_ARG,
        ),
        ({"input": []}, "failed to specify the dimensions of all input tensors or values of all input shape tensors", INTERNAL),
        (
            {"input": [tensor("A", ["-1"], allow_ragged_batch=True)]},
            "unable to load model 'm', configuration expects model provides input with shape [-1]  for ragged input 'A', model "
            "provides [-1,2]",
            INVALID_ARG,
        ),
        (
            {"input": [], "sequence_batching": {"control_input": [{"name": "A", "control": [{"int32_false_true": [0, 1]}]}]}},
            "unexpected datatype TYPE_FP32 for inference input 'A', expecting TYPE_INT32 for m_0_0",
            INVALID_ARG,
        ),
        (
            {"input": [], "sequence_batching": {"control_input": [{"name": "START", "control": [{"fp32_false_true": [0, 1]}]}]}},
            "configuration specified sequence control 'START', but model does not provide that input",
            INTERNAL,
        ),
    ],
)
def test_configurations_that_do_not_fit(tensorrt, asked, refusal, code):
    tensorrt.write(TWICE)
    assert refusal_of(tensorrt.start, **asked) == (refusal, code)


def test_dimensions_outside_a_profile(tensorrt):
    wide = {**TWICE, "inputs": [{"name": "A", "dims": [-1, -1], "limits": limits(([1, 2], [4, 2], [8, 4]))}]}
    tensorrt.write({**wide, "outputs": [{"name": "O", "dims": [-1, -1], "is": "twice", "of": "A"}]})
    for dim in ("-1", "2", "4"):
        tensorrt.start(input=[tensor("A", [dim])], output=[tensor("O", ["-1"])])
    assert refusal_of(tensorrt.start, input=[tensor("A", ["5"])], output=[tensor("O", ["-1"])]) == (
        "model configuration specified invalid shape for input 'A' for model m. Error details: model expected the shape of "
        "dimension 1 to be between 2 and 4 but received 5",
        INVALID_ARG,
    )


def test_shape_tensors_must_be_marked(tensorrt):
    tensorrt.write(SHAPES)
    fitting = shape_config()
    tensorrt.start(**fitting)
    plain = tensor("S", ["1"], "TYPE_INT32")
    text, _ = refusal_of(tensorrt.start, **{**fitting, "input": [plain, tensor("A")]})
    assert text == "input 'S' for model 'm' is a shape tensor but the model configuration doesn't mark it as a shape tensor."
    wide = {**plain, "dims": ["2"], "is_shape_tensor": True}
    text, _ = refusal_of(tensorrt.start, **{**fitting, "input": [wide, tensor("A")]})
    assert "the model expects 1 dimensions (shape [2]) but the model configuration specifies 1 dimensions (shape [3])" in text


# --- options ---


def test_plugins_are_loaded_and_then_the_standard_ones(tensorrt, monkeypatch):
    tensorrt.write(TWICE)
    loaded = []
    monkeypatch.setattr(tensorrt_engine.ctypes, "CDLL", lambda path, mode: loaded.append((path, mode)))
    for ordinal in range(2):
        tensorrt.start({"plugins": "/a.so;/b.so"}, ordinal=ordinal)
    assert loaded == [("/a.so", tensorrt_engine.ctypes.RTLD_GLOBAL), ("/b.so", tensorrt_engine.ctypes.RTLD_GLOBAL)]
    assert fake_tensorrt.plugins_of == [""]


def test_a_plugin_that_cannot_be_loaded(tensorrt):
    tensorrt.write(TWICE)
    text, code = refusal_of(tensorrt.start, settings={"plugins": "/nowhere/plugin.so"})
    assert "/nowhere/plugin.so" in text and code == INTERNAL


@pytest.mark.parametrize("text, allowed", [(None, False), ("true", True), ("0", False)])
def test_code_of_a_plan_is_run_only_if_so_told(tensorrt, text, allowed):
    tensorrt.write(TWICE)
    tensorrt.start({} if text is None else {"version-compatible": text})
    assert fake_tensorrt.runtimes[0].engine_host_code_allowed is allowed


@pytest.mark.parametrize(
    "settings, refusal",
    [
        ({"version-compatible": "maybe"}, "failed to convert 'maybe' to boolean"),
        ({"coalesce-request-input": ""}, "failed to convert '' to boolean"),
        ({"execution-policy": "FAST"}, "execution-policy of TensorRT backend must be one of DEVICE_BLOCKING, BLOCKING, got 'FAST'"),
    ],
)
def test_options_that_say_nothing(tensorrt, settings, refusal):
    tensorrt.write(TWICE)
    assert refusal_of(tensorrt.start, settings=settings) == (refusal, INVALID_ARG)


def parameter(value):
    return {"parameters": {"execution_context_allocation_strategy": {"string_value": value}}}


def test_when_memory_of_a_context_is_allocated(tensorrt, capsys):
    tensorrt.write(TWICE)
    for asked, strategy in (({}, "STATIC"), (parameter("ON_PROFILE_CHANGE"), "ON_PROFILE_CHANGE")):
        runner = tensorrt.start(**asked)
        assert runner._executor._contexts[0].strategy.name == strategy
    line = "'execution_context_allocation_strategy' set to 'ON_PROFILE_CHANGE' for model instance 'm'"
    assert capsys.readouterr().err.count(line) == 1
    text, code = refusal_of(tensorrt.start, **parameter("NEVER"))
    assert text == (
        "Invalid value for 'execution_context_allocation_strategy': 'NEVER' for model instance 'm'. Supported values are "
        "'STATIC' and 'ON_PROFILE_CHANGE'."
    )
    assert code == INVALID_ARG


@pytest.mark.parametrize("priority, number", [(None, 0), ("PRIORITY_DEFAULT", 0), ("PRIORITY_MAX", -5), ("PRIORITY_MIN", 0)])
def test_priority_is_that_of_the_stream(tensorrt, priority, number):
    tensorrt.write(TWICE)
    tensorrt.start(optimization={"priority": priority})
    assert f"stream 7000 with flags 1 and priority {number}" in tensorrt.library.calls


@pytest.mark.parametrize(
    "limit, spec, refusal",
    [
        (0, {"batch_size": 1}, "graph spec expects 'batch_size' to be 0 if 'max_batch_size' is 0"),
        (8, {"batch_size": 9}, "graph spec expects 'batch_size' to be >= 1 and <= 8"),
        (8, {}, "graph spec expects 'batch_size' to be >= 1 and <= 8"),
        (
            8,
            {"batch_size": 2, "graph_lower_bound": {"batch_size": 3}},
            "graph lower bound spec expects 'batch_size' to be <= graph spec 'batch_size'",
        ),
        (
            8,
            {"batch_size": 2, "input": {"A": {"dim": ["2"]}}, "graph_lower_bound": {"batch_size": 1}},
            "graph lower bound spec expects shape for input 'A'",
        ),
    ],
)
def test_shapes_of_graphs(tensorrt, limit, spec, refusal):
    tensorrt.write(TWICE)
    asked = {"max_batch_size": limit, "optimization": {"cuda": {"graphs": True, "graph_spec": [spec]}}}
    assert refusal_of(tensorrt.start, **asked) == (refusal, INVALID_ARG)

