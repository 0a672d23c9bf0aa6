"""What the window is told of a dropped file of Python or DALI. Nothing of it is run."""

import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "resources", "python", "conch_tools"))

from conch_python.install import install_words  # noqa: E402
from inspect_model import answer  # noqa: E402

SOURCE = '''
import triton_python_backend_utils as pb_utils
raise SystemExit("it was run")

class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            pb_utils.get_input_tensor_by_name(request, "B")
            pb_utils.get_input_tensor_by_name(request, name="named")
            pb_utils.get_input_tensor_by_name(request, "A")
            pb_utils.get_input_tensor_by_name(request, "B")
            call = pb_utils.InferenceRequest(inputs=[pb_utils.Tensor("OF_ANOTHER", x)], model_name="m")
            pb_utils.InferenceResponse([pb_utils.Tensor("OUT", x), pb_utils.Tensor.from_dlpack("MORE", x)])
'''
COMPLETES = '''
class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        given = {"name": "X", "data_type": "TYPE_FP32", "dims": [4, -1]}
        config.add_input(given)
        config.add_output({"name": "Y", "data_type": "TYPE_STRING", "dims": [1]})
        config.add_output({"name": name_of_it, "data_type": "TYPE_FP32", "dims": [1]})
        return config
'''


def told(tmp_path, text, backend="python", name="model.py"):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return answer(backend, str(file))


def names(tensors):
    return [each["name"] for each in tensors]


def test_the_names_that_the_code_mentions_in_their_order(tmp_path):
    read = told(tmp_path, SOURCE)
    assert names(read["inputs"]) == ["B", "A"]
    assert names(read["outputs"]) == ["OUT", "MORE"]
    assert not read["completes"]
    assert read["error"] == ""


def test_what_auto_complete_config_declares(tmp_path):
    read = told(tmp_path, COMPLETES)
    assert read["completes"]
    assert read["inputs"] == [{"name": "X", "datatype": "FP32", "shape": [4, -1]}]
    assert read["outputs"] == [{"name": "Y", "datatype": "BYTES", "shape": [1]}]


def test_a_fault_of_the_code_is_told_with_its_line(tmp_path):
    read = told(tmp_path, "class TritonPythonModel:\n    def execute(self\n")
    assert "The code has a fault in line" in read["error"]
    assert read["isServable"]


def test_bytes_that_are_no_pipeline(tmp_path):
    read = told(tmp_path, b"\xff\xff nothing", "dali", "model.dali")
    assert "this is no serialised pipeline" in read["error"]


def test_a_missing_package_is_told_with_the_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorrt", None)
    read = told(tmp_path, "plan", "tensorrt", "model.plan")
    assert f"The model needs it too: {install_words('tensorrt-cu12')}." in read["error"]


def test_a_short_docstring_is_the_name(tmp_path):
    code = "class TritonPythonModel:\n    {inside}\n    def execute(self, requests):\n        pass\n"
    plain = code.format(inside="size = 1")
    assert told(tmp_path, '"""Image pre-processing: sizes, colours."""\n' + plain)["name"] == "image_pre_processing"
    assert told(tmp_path, '"""The tokenizer.\n\nMore of it."""\n' + plain)["name"] == "tokenizer"
    assert told(tmp_path, code.format(inside='"""BERT tokenizer"""'))["name"] == "bert_tokenizer"
    sentence = '"""Your Python model must use the same class name."""'
    assert told(tmp_path, code.format(inside=sentence))["name"] == ""
    assert told(tmp_path, '"""Größe der Bilder."""\n' + plain)["name"] == ""
    assert told(tmp_path, plain)["name"] == ""


@pytest.mark.parametrize("content", [b"", b"no graph at all"])
def test_a_pb_file_that_is_no_frozen_graph_is_refused(tmp_path, content):
    pytest.importorskip("tensorflow")
    refused = told(tmp_path, content, "tensorflow", "frozen.pb")
    assert not refused["isServable"]
    assert refused["error"].startswith("This is no frozen graph of TensorFlow")
