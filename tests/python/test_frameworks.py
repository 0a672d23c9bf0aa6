"""What the runners of frameworks decide without their framework."""

import json

import numpy as np
import pytest
from conch_frameworks import openvino_interface, tensorflow_interface, torch_interface
from conch_frameworks.batch import Batch
from conch_frameworks.config import Config
from conch_frameworks.dali_order import answer_order
from conch_frameworks.pytorch_python_runner import compile_options, compiler_reason, find_file, module_class
from conch_frameworks.torch_names import NotANumber, index_of, input_positions, output_positions
from conch_frameworks.torch_structure import input_names, output_names, position_of
from conch_python.errors import ModelFault
from conch_python.tensor import Tensor


def config(inputs=("A",), outputs=("O",), **more):
    def tensors(names):
        return [{"name": name, "data_type": "TYPE_FP32", "dims": ["2"]} for name in names]

    fields = {"name": "m", "max_batch_size": 8, "input": tensors(inputs), "output": tensors(outputs), **more}
    return Config(json.dumps(fields))


@pytest.mark.parametrize(
    "name, index", [("a__0", 0), ("a__12", 12), ("a__", 0), ("a", None), ("__3", 3), ("a_1", None)]
)
def test_an_index_stands_behind_two_underscores(name, index):
    assert index_of(name) == index


@pytest.mark.parametrize("name", ["a__x", "a__1__2", "a__-1"])
def test_an_index_that_is_no_number(name):
    with pytest.raises(NotANumber):
        index_of(name)


@pytest.mark.parametrize(
    "names, arguments, positions",
    [
        (["y", "x"], ["x", "y"], {"y": 1, "x": 0}),
        (["a__1", "a__0"], ["x", "y"], {"a__1": 1, "a__0": 0}),
        (["b", "a"], ["x", "y"], {"b": 0, "a": 1}),
        (["x", "a__0"], ["x", "y"], {"x": 0, "a__0": 1}),
    ],
)
def test_conventions_of_names_hold_for_a_whole_side(names, arguments, positions):
    assert input_positions(config(names), arguments, "m") == positions


def test_a_name_that_does_not_fit_is_warned_of(capsys):
    assert output_positions(config(outputs=["a__x", "b__0"]), "m") == {"a__x": 0, "b__0": 1}
    assert list(output_positions(config(outputs=["z", "B", "a"]), "m").items()) == [("B", 1), ("a", 2), ("z", 0)]
    assert "Falling back to enforcing strict ordering" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text, value",
    [("true", True), ("ON", True), ("1", True), ("False", False), ("off", False), ("0", False)],
)
def test_booleans(text, value):
    assert config(parameters={"K": {"string_value": text}}).boolean("K") is value


@pytest.mark.parametrize("text", ["yes", "", "2", " true"])
def test_what_is_no_boolean(text):
    with pytest.raises(ModelFault, match=f"failed to convert '{text}' to boolean"):
        config(parameters={"K": {"string_value": text}}).boolean("K")


@pytest.mark.parametrize("text, value", [("4", 4), ("4x", 4), ("-1", -1), (" 7", 7)])
def test_integers(text, value):
    assert config(parameters={"K": {"string_value": text}}).integer("K") == value


@pytest.mark.parametrize("text", ["", "x4"])
def test_what_is_no_integer(text):
    with pytest.raises(ModelFault, match="to integral number"):
        config(parameters={"K": {"string_value": text}}).integer("K")


def test_arguments_of_forward():
    assert torch_interface.is_dictionary_model([("x", "DictType", "Dict[str, Tensor]")])
    assert not torch_interface.is_dictionary_model([("x", "TensorType", "Tensor"), ("y", "ListType", "List[str]")])
    with pytest.raises(ModelFault, match="Multiple inputs of kind DictType"):
        torch_interface.is_dictionary_model([("x", "TensorType", "Tensor"), ("y", "DictType", "Dict[str, Tensor]")])
    with pytest.raises(ModelFault, match="An input of type 'int'"):
        torch_interface.is_dictionary_model([("x", "IntType", "int")])


def test_dimensions_are_refused_in_the_same_words():
    model = openvino_interface.ModelTensor("A", "TYPE_FP32", [(1, 1), (4, 4)], False)
    with pytest.raises(ModelFault) as openvino:
        openvino_interface.check_inputs(config(max_batch_size=0), [model], "m", False)
    signature = {"A": tensorflow_interface.SignatureTensor("A", "TYPE_FP32", [1, 4])}
    with pytest.raises(ModelFault) as tensorflow:
        tensorflow_interface.check_signature(config(max_batch_size=0), signature, {}, "m")
    assert str(openvino.value) == str(tensorflow.value) == (
        "model 'm', tensor 'A': the model expects 2 dimensions (shape [1,4]) but the model configuration specifies 1 "
        "dimensions (shape [2])"
    )


def test_controls_of_sequences_have_one_element():
    control = {"name": "START", "control": [{"kind": "CONTROL_SEQUENCE_START", "fp32_false_true": [0, 1]}]}
    asked = config(sequence_batching={"control_input": [control]})
    given = {"A": tensorflow_interface.SignatureTensor("A", "TYPE_FP32", [-1, 2])}
    outputs = {"O": tensorflow_interface.SignatureTensor("O", "TYPE_FP32", [-1, 2])}
    for dims, refusal in (
        ([-1, 1], ""),
        ([-1, 2], "unable to load model 'm', sequence control 'START': model 'm', tensor 'START': the model expects 2 dimensions"),
        ([-1], "unable to load model 'm', sequence control 'START': model 'm', tensor 'START': the model expects 1 dimensions"),
    ):
        inputs = {**given, "START": tensorflow_interface.SignatureTensor("START", "TYPE_FP32", dims)}
        if refusal == "":
            tensorflow_interface.check_signature(asked, inputs, outputs, "m")
            continue
        with pytest.raises(ModelFault) as raised:
            tensorflow_interface.check_signature(asked, inputs, outputs, "m")
        assert str(raised.value).startswith(refusal)


@pytest.mark.parametrize("limits, dim, fits", [((3, 3), 3, True), ((3, 3), 4, False), ((2, 5), 4, True), ((0, None), 9, True)])
def test_bounds_of_dynamic_dimensions(limits, dim, fits):
    model = openvino_interface.ModelTensor("A", "TYPE_FP32", [limits], False)
    asked = config(max_batch_size=0, input=[{"name": "A", "data_type": "TYPE_FP32", "dims": [str(dim)]}])
    if fits:
        openvino_interface.check_inputs(asked, [model], "m", False)
    else:
        with pytest.raises(ModelFault):
            openvino_interface.check_inputs(asked, [model], "m", False)


class Request:
    def __init__(self, array):
        self._inputs = [Tensor("A", array)]
        self._outputs = ("O",)

    def inputs(self):
        return self._inputs

    def request_id(self):
        return ""


def test_a_batch_is_joined_and_cut_apart_again():
    requests = [Request(np.full((rows, 2), rows, np.float32)) for rows in (1, 2, 1)]
    batch = Batch(requests, config())
    joined = batch.inputs()["A"]
    assert (batch.total, joined.shape) == (4, (4, 2))
    answers = batch.responses({"O": joined * 2})
    assert [each.output_tensors()[0].as_numpy().tolist() for each in answers] == [[[2, 2]], [[4, 4], [4, 4]], [[2, 2]]]


def test_what_knows_no_ragged_inputs_joins_what_fits():
    ragged = config(input=[{"name": "A", "data_type": "TYPE_FP32", "dims": ["-1"], "allow_ragged_batch": True}])
    alike = Batch([Request(np.ones((1, 2), np.float32)), Request(np.ones((2, 2), np.float32))], ragged)
    assert (alike.plain_inputs()["A"].shape, alike.inputs()["A"].shape) == ((3, 2), (6,))
    unlike = Batch([Request(np.ones((1, 2), np.float32)), Request(np.ones((1, 3), np.float32))], ragged)
    with pytest.raises(ModelFault, match=r"expected 16 bytes of data in input buffer, got 20 bytes\."):
        unlike.plain_inputs()


# As a program compiled with g++ lists the keys of a std::unordered_map.
@pytest.mark.parametrize(
    "names, listed",
    [
        (["OUT0", "OUT1"], "OUT1 OUT0"),
        (["DOUBLE", "SUM"], "SUM DOUBLE"),
        (["A", "B", "C"], "B C A"),
        (["DALI_OUTPUT_0", "DALI_OUTPUT_1", "DALI_OUTPUT_2"], "DALI_OUTPUT_2 DALI_OUTPUT_1 DALI_OUTPUT_0"),
        ([f"o{index}" for index in range(16)], "o15 o1 o0 o3 o5 o2 o9 o10 o4 o14 o7 o6 o13 o8 o11 o12"),
        (["schön", "schön", "x" * 24], "xxxxxxxxxxxxxxxxxxxxxxxx schön"),
    ],
)
def test_the_order_of_a_hash_map(names, listed):
    assert " ".join(answer_order(names)) == listed


def test_too_few_rows_are_the_error_of_those_they_are_missing_for():
    batch = Batch([Request(np.zeros((1, 2), np.float32)) for _ in range(3)], config())
    answers = batch.responses({"O": np.zeros((2, 2), np.float32)})
    assert [each.has_error() for each in answers] == [False, False, True]
    assert "expected batch size of at least 3 in model output, got 2" in answers[2].error().message()


# What forward(a, (b, [c]), *, scale, more={"x": d, "y": e}) is called with, the leaves in the order of the package.
ARGUMENTS = (0, (1, [2]))
KEYWORDS = {"scale": 3, "more": {"x": 4, "y": 5}}


@pytest.mark.parametrize(
    "name, position",
    [
        ("ARGS[0]", 0),
        ("ARGS[1][0]", 1),
        ("ARGS[1][1][0]", 2),
        ("KWARGS[scale]", 3),
        ("KWARGS[more][y]", 5),
        ("INPUT__0", 0),
        ("anything__5", 5),
    ],
)
def test_row_37_inputs_of_compiled_packages_by_structure_and_by_position(name, position):
    assert position_of(name, input_names(ARGUMENTS, KEYWORDS), "Input", "m_0") == position


@pytest.mark.parametrize(
    "result, names",
    [
        (0, {"RESULT": 0}),
        ((0, [1, 2]), {"RESULT[0]": 0, "RESULT[1][0]": 1, "RESULT[1][1]": 2}),
        ({"a": (0, 1), "b": 2}, {"RESULT[a][0]": 0, "RESULT[a][1]": 1, "RESULT[b]": 2}),
    ],
)
def test_row_37_results_of_compiled_packages(result, names):
    assert output_names(result) == names


@pytest.mark.parametrize("name", ["ARGS[7]", "INPUT__6", "INPUT", "KWARGS[nothing]", "ARGS[1]"])
def test_row_38_names_that_mean_nothing(name):
    with pytest.raises(ModelFault) as raised:
        position_of(name, input_names(ARGUMENTS, KEYWORDS), "Input", "m_0")
    assert str(raised.value) == f'Input "{name}" for model instance "m_0" is not found in model input map.'


def test_row_40_the_first_file_that_is_there(tmp_path):
    (tmp_path / "model.pt").write_text("")
    assert find_file(tmp_path, "") == str(tmp_path / "model.pt")
    (tmp_path / "model.py").write_text("")
    assert find_file(tmp_path, "") == str(tmp_path / "model.py")
    (tmp_path / "own.py").write_text("")
    assert find_file(tmp_path, "own.py") == str(tmp_path / "own.py")


def test_row_41_no_file_at_all(tmp_path):
    with pytest.raises(ModelFault) as raised:
        find_file(tmp_path, "own.py")
    assert str(raised.value) == f"No model found in {tmp_path}/['own.py', 'model.py', 'model.pt']"


def test_row_40_the_first_class_in_alphabetical_order():
    class Base:
        pass

    class Holder:
        Zebra = type("Zebra", (Base,), {})
        Apple = type("Apple", (), {})
        Middle = type("Middle", (Base,), {})

    assert module_class(Holder, Base) is Holder.Middle
    with pytest.raises(ModelFault, match="Cannot find a subclass of torch.nn.Module"):
        module_class(object(), Base)


@pytest.mark.parametrize(
    "text, refusal",
    [("{", "is no JSON"), ("[1]", "must be a JSON object"), ('{"model": 1}', "'model' is not an optional parameter")],
)
def test_arguments_of_the_compiler(text, refusal):
    assert compile_options('{"mode": "default"}') == {"mode": "default"}
    with pytest.raises(ModelFault, match=refusal):
        compile_options(text)


def _compiler_error(module, text, name="BackendCompilerFailed"):
    return type(name, (RuntimeError,), {"__module__": module})(text)


@pytest.mark.parametrize(
    "error, reason",
    [
        (
            _compiler_error(
                "torch._dynamo.exc",
                "backend='inductor' raised:\nInvalidCxxCompiler: No working C++ compiler found in (None, 'g++')\n\n"
                "Set TORCH_LOGS=\"+dynamo\" and TORCHDYNAMO_VERBOSE=1 for more information\n",
            ),
            "InvalidCxxCompiler: No working C++ compiler found in (None, 'g++')",
        ),
        (_compiler_error("torch._inductor.exc", "CppCompileError: " + "x" * 1000), "CppCompileError: " + "x" * 283 + "..."),
        (_compiler_error("torch._inductor.exc", ""), "BackendCompilerFailed"),
        (ValueError("of the model"), None),
        (_compiler_error("torch._dynamo.exc", "tensors of 3 and 2", "TorchRuntimeError"), None),
    ],
)
def test_what_the_compiler_says_is_one_line(error, reason):
    assert compiler_reason(error) == reason
