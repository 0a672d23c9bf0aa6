"""Row 73 of the behaviours of frameworks, as far as it needs no DALI: what a configuration must say when a pipeline is
loaded. A pipeline declares ranks, never sizes, so sizes that are written contradict nothing."""

import json

import pytest
from conch_frameworks.config import Config
from conch_frameworks.dali_interface import check, complete
from conch_python.errors import ModelFault


class Tensor:
    def __init__(self, name, data_type="TYPE_FP32", rank=1):
        self.name = name
        self.data_type = data_type
        self.rank = rank


class Pipeline:
    batch_size = 4

    def __init__(self):
        self.inputs = [Tensor("A"), Tensor("B", "", None)]
        self.outputs = [Tensor("O"), Tensor("P")]


def tensors(*names, **more):
    return [{"name": name, "data_type": "TYPE_FP32", "dims": ["2"], **more} for name in names]


@pytest.mark.parametrize(
    "inputs, outputs, refusal",
    [
        (("A", "B"), ("O", "P"), ""),
        (("A", "B"), ("any", "names"), ""),
        ((), ("O", "P"), "Missing inputs config."),
        (("A", "B"), (), "Missing outputs config."),
        (("A",), ("O", "P"), 'Missing config for "B" input.'),
        (("A", "B"), ("O",), "Model config outputs: 1\nPipeline outputs: 2"),
        (("A", "B"), ("O", "P", "Q"), "Model config outputs: 3\nPipeline outputs: 2"),
        (("A", "B", "C"), ("O", "P"), "Configuration file contains config for C but such input is not present"),
    ],
)
def test_a_configuration_names_all_that_the_pipeline_has(inputs, outputs, refusal):
    refused(check, {"input": tensors(*inputs), "output": tensors(*outputs)}, refusal)


@pytest.mark.parametrize(
    "given, refusal",
    [
        ({"dims": ["7"]}, ""),
        ({"data_type": "TYPE_INVALID"}, 'Missing data_type config for "A"'),
        ({"dims": []}, 'Missing dims config for "A"'),
        ({"data_type": "TYPE_INT8"}, "Data type defined in config: TYPE_INT8\nData type defined in pipeline: TYPE_FP32"),
        ({"dims": ["-1", "2"]}, "Number of dimensions defined in config: 2\nNumber of dimensions defined in pipeline: 1"),
    ],
)
def test_each_tensor_says_type_and_dimensions(given, refusal):
    refused(check, {"input": [*tensors("A", **given), *tensors("B")], "output": tensors("O", "P")}, refusal)


def test_what_is_not_written_is_completed_and_a_nameless_input_is_told():
    config = Config(json.dumps({"name": "m", "input": tensors("B"), "output": tensors("first")}))
    complete(config, Pipeline(), False)
    assert [each["name"] for each in config.fields["input"]] == ["B", "A"]
    assert [each["name"] for each in config.fields["output"]] == ["first", "P"]
    assert config.fields["max_batch_size"] == 4
    with pytest.raises(ModelFault, match="The input at index 1 in the model configuration does not contain a `name` field."):
        complete(Config(json.dumps({"name": "m", "input": [*tensors("A"), {"dims": ["2"]}]})), Pipeline(), False)


def refused(function, fields, refusal):
    config = Config(json.dumps({"name": "m", "max_batch_size": 4, **fields}))
    if refusal == "":
        function(config, Pipeline(), False)
        return
    with pytest.raises(ModelFault) as raised:
        function(config, Pipeline(), False)
    assert refusal in str(raised.value)
