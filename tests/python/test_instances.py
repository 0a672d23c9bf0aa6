"""Instances of one process: what they have in common, their links, and that they run at the same time."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from conch_frameworks import openvino_runner
from conch_frameworks.config import Config
from conch_frameworks.in_common import in_common
from conch_python.link import SERVING, STARTING, _LinkOfThread


def test_what_instances_have_in_common_is_made_once():
    made = []
    assert in_common("weights of a test", lambda: made.append(1) or "weights") == ("weights", True)
    assert in_common("weights of a test", lambda: made.append(1) or "others") == ("weights", False)
    assert made == [1]


def test_an_error_is_that_of_the_instance_and_the_next_one_tries_again():
    with pytest.raises(ZeroDivisionError):
        in_common("what fails in a test", lambda: 1 / 0)
    assert in_common("what fails in a test", lambda: 5) == (5, True)


def test_instances_in_threads_of_one_process_have_a_link_each():
    link = _LinkOfThread()
    link.phase = SERVING
    seen = []
    other = threading.Thread(target=lambda: seen.append((link.phase, link.next_serial())))
    other.start()
    other.join()
    assert seen == [(STARTING, 1)]
    assert (link.phase, link.next_serial()) == (SERVING, 1)


class _MeetingRequest:
    """An infer request that ends once all of its kind run at the same time."""

    def __init__(self, together):
        self._together = together
        self._tensors = {}

    def set_tensor(self, name, tensor):
        self._tensors[name] = tensor

    def infer(self):
        self._together.wait(timeout=60)

    def get_tensor(self, name):
        return SimpleNamespace(data=self._tensors["x"] + 1)


def test_row_57_instances_of_one_process_run_at_the_same_time(monkeypatch):
    monkeypatch.setattr(openvino_runner, "ov", SimpleNamespace(Tensor=lambda array, shared_memory: array))
    config = Config({"name": "three", "input": [], "output": [{"name": "y", "data_type": "TYPE_FP32", "dims": ["1"]}]})
    together = threading.Barrier(3)
    answers = {}

    def serve(value):
        runner = object.__new__(openvino_runner.TritonPythonModel)
        runner.config = config
        runner._request = _MeetingRequest(together)
        answers[value] = runner.run({"x": np.array([value], np.float32)}, ["y"])["y"].tolist()

    threads = [threading.Thread(target=serve, args=(value,)) for value in (1, 2, 3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers == {1: [2], 2: [3], 3: [4]}
