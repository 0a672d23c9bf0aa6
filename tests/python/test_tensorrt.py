"""Plans of TensorRT loaded and run, over a package and a driver that are made up: no plan was ever run on a GPU."""

import numpy as np
import pytest
from conch_frameworks import tensorrt_engine
from conch_python import cuda_driver
from conch_python.dtypes import BF16
from conch_python.errors import ModelFault, TritonError
from conch_python.install import install_words
from conch_python.tensor import Tensor
from tensorrt_world import ROWS, SHAPES, TWICE, TWO_PROFILES, Request, answers, floats, limits, shape_config, tensor

import fake_tensorrt


def test_requests_of_a_batch_are_run_once_on_the_gpu_and_each_gets_its_rows(tensorrt):
    tensorrt.write(TWICE)
    runner = tensorrt.start()
    requests = [Request(floats("A", [[1, 2]])), Request(floats("A", [[3, 4], [5, 6]]))]
    assert answers(runner, *requests) == [{"O": [[2, 4]]}, {"O": [[6, 8], [10, 12]]}]
    [context] = runner._executor._contexts.values()
    assert context.executions == 1
    # Copies in and out go through the stream of the instance, which is waited for.
    assert tensorrt.library.calls[-3:] == ["to 0", "to host from 0", "wait for 7000"]
    assert tensorrt.library.current == []


def test_memory_of_the_gpu_grows_with_the_requests_and_is_given_back_at_the_end(tensorrt):
    tensorrt.write(TWICE)
    runner = tensorrt.start()
    for rows in (1, 8, 2):
        assert answers(runner, Request(floats("A", [[1, 1]] * rows))) == [{"O": [[2, 2]] * rows}]
    assert sorted(len(each) for each in tensorrt.library.memory.values()) == [64, 64]
    runner.finalize()
    assert (tensorrt.library.memory, tensorrt.library.streams) == ({}, [])


def test_a_request_without_rows_runs_nothing(tensorrt):
    tensorrt.write(TWICE)
    runner = tensorrt.start()
    empty = Request(Tensor("A", np.zeros((0, 2), np.float32)))
    assert answers(runner, empty) == [{"O": []}]
    assert runner._executor._contexts[0].executions == 0


@pytest.mark.parametrize("kind", ["CPU", "MODEL"])
def test_row_70_only_gpus(tensorrt, kind):
    tensorrt.write(TWICE)
    with pytest.raises(ModelFault, match="^unable to load model 'm', TensorRT backend supports only GPU device$") as raised:
        tensorrt.start(kind=kind)
    assert raised.value.code == TritonError.INVALID_ARG


def test_row_70_without_a_gpu_nothing_is_completed(tensorrt):
    group = {"name": "m_0", "kind": "KIND_CPU", "count": 1}
    assert tensorrt.complete(instance_group=[group])["input"] == []


def test_row_84_a_missing_package_is_one_sentence_with_the_command(tensorrt, monkeypatch):
    monkeypatch.setattr(tensorrt_engine, "trt", None)
    monkeypatch.setattr(tensorrt_engine, "_missing", ModuleNotFoundError("No module named 'tensorrt'"), raising=False)
    for start in (tensorrt.start, tensorrt.complete):
        with pytest.raises(ModelFault) as raised:
            start()
        text = str(raised.value)
        assert text.startswith("TensorRT models need TensorRT, and Python ")
        assert f"has no package 'tensorrt-cu12': {install_words('tensorrt-cu12')}" in text


def test_a_package_that_is_too_old(tensorrt, monkeypatch):
    monkeypatch.setattr(fake_tensorrt, "__version__", "8.6.1")
    with pytest.raises(ModelFault) as raised:
        tensorrt.start()
    text = str(raised.value)
    assert "need TensorRT 10 or later, and the package of the chosen Python is 8.6.1: " in text
    assert f"{install_words('--upgrade tensorrt-cu12')} for it" in text


def test_without_a_driver(tensorrt, monkeypatch):
    monkeypatch.setattr(cuda_driver, "_found", [None])
    with pytest.raises(ModelFault, match="instance 'm_0_0' is of KIND_GPU, and no NVIDIA driver"):
        tensorrt.start()


def test_an_engine_of_another_version_is_refused_in_the_words_of_the_logger(tensorrt):
    tensorrt.write("another version")
    for start in (tensorrt.start, tensorrt.complete):
        with pytest.raises(ModelFault) as raised:
            start()
        assert str(raised.value) == (
            "unable to create TensorRT engine: IRuntime::deserializeCudaEngine: Error Code 1: magic tag does not match"
        )
        assert raised.value.code == TritonError.INTERNAL


def test_a_plan_that_is_not_there(tensorrt):
    with pytest.raises(ModelFault, match="^failed to open text file for read '.*model.plan': No such file or directory$"):
        tensorrt.start()
    with pytest.raises(ModelFault, match="^unable to load plan file to auto complete config: .*model.plan$"):
        tensorrt.complete()


def test_a_plan_for_gpus_of_one_kind(tensorrt):
    tensorrt.write(TWICE, "hopper.plan")
    runner = tensorrt.start(cc_model_filenames={"9.0": "hopper.plan", "7.5": "turing.plan"})
    assert answers(runner, Request(floats("A", [[1, 2]]))) == [{"O": [[2, 4]]}]


def test_instances_share_an_engine_with_fixed_shapes_alone(tensorrt):
    fixed = {
        "inputs": [{"name": "A", "dims": [2]}],
        "outputs": [{"name": "O", "dims": [2], "is": "twice", "of": "A"}],
    }
    for plan, engines, more in ((TWICE, 2, {}), (fixed, 1, {"max_batch_size": 0, "default_model_filename": "fixed.plan"})):
        tensorrt.write(plan, more.get("default_model_filename", "model.plan"))
        started = [tensorrt.start(ordinal=ordinal, **more) for ordinal in range(2)]
        assert len({id(each._executor._plan.engine) for each in started}) == engines
        assert len({id(each._executor._contexts[0]) for each in started}) == 2


def test_the_engine_that_completed_the_configuration_is_the_one_of_the_first_instance(tensorrt):
    tensorrt.write(TWICE)
    tensorrt.complete()
    (tensorrt.folder / "model.plan").write_text("gone")
    tensorrt.start()
    assert len(fake_tensorrt.runtimes) == 1


def test_each_request_runs_in_the_profile_whose_best_shape_is_the_nearest(tensorrt):
    tensorrt.write(TWO_PROFILES)
    runner = tensorrt.start(max_batch_size=16, profile=["0", "1"])
    contexts = runner._executor._contexts
    for rows, ran in ((1, [1, 0]), (4, [2, 0]), (5, [2, 1]), (16, [2, 2])):
        [answer] = answers(runner, Request(floats("A", [[1, 1]] * rows)))
        assert len(answer["O"]) == rows
        assert [each.executions for each in contexts.values()] == ran


def test_a_shape_outside_all_profiles_fails_the_request_and_the_next_one_works(tensorrt):
    tensorrt.write(TWO_PROFILES)
    runner = tensorrt.start(max_batch_size=16)
    [refusal] = answers(runner, Request(floats("A", [[1, 1]] * 5)))
    assert refusal == (
        "request specifies invalid shape for input 'A' for m_0_0. Error details: model expected the shape of dimension 0 to be "
        "between 1 and 4 but received 5"
    )
    assert answers(runner, Request(floats("A", [[1, 1]]))) == [{"O": [[2, 2]]}]


@pytest.mark.parametrize(
    "profile, refusal",
    [
        ("2", "Can not set the specified optimization profile 2[2] for m_0_0. Expected optimization profile index range 0-1"),
        ("x", "unable to parse 'x': stoi"),
    ],
)
def test_profiles_that_are_none(tensorrt, profile, refusal):
    tensorrt.write(TWO_PROFILES)
    with pytest.raises(ModelFault) as raised:
        tensorrt.start(profile=[profile])
    assert (str(raised.value), raised.value.code) == (refusal, TritonError.INVALID_ARG)


def test_ragged_inputs_and_batch_inputs(tensorrt):
    tensorrt.write(
        {
            "inputs": [
                {"name": "A", "dims": [-1], "limits": limits(([1], [4], [64]))},
                {"name": "ENDS", "type": "INT32", "dims": [-1], "limits": limits(([1], [4], [64]))},
            ],
            "outputs": [
                {"name": "O", "dims": [-1], "is": "twice", "of": "A"},
                {"name": "E", "type": "INT32", "dims": [-1], "is": "same", "of": "ENDS"},
            ],
        }
    )
    runner = tensorrt.start(
        input=[tensor("A", ["-1"], allow_ragged_batch=True)],
        output=[tensor("O", ["-1"]), tensor("E", [], "TYPE_INT32", reshape={"shape": []})],
        batch_input=[
            {"kind": "BATCH_ACCUMULATED_ELEMENT_COUNT", "target_name": ["ENDS"], "data_type": "TYPE_INT32", "source_input": ["A"]}
        ],
        batch_output=[{"kind": "BATCH_SCATTER_WITH_INPUT_SHAPE", "target_name": ["O"], "source_input": ["A"]}],
    )
    both = ("O", "E")
    requests = [Request(floats("A", [[1]]), outputs=both), Request(floats("A", [[2, 3, 4]]), outputs=both)]
    assert answers(runner, *requests) == [{"O": [[2]], "E": [1]}, {"O": [[4, 6, 8]], "E": [4]}]


def test_values_of_shape_tensors_lie_on_the_host_and_begin_with_the_batch(tensorrt):
    tensorrt.write(SHAPES)
    runner = tensorrt.start(**shape_config())

    def asks(rows, width):
        return Request(Tensor("S", np.array([rows, width], np.int32)), floats("A", [[0, 0]] * rows), outputs=("O", "T"))

    assert answers(runner, asks(1, 3), asks(2, 3)) == [
        {"O": [[1, 1, 1]], "T": [1, 2]},
        {"O": [[1, 1, 1], [1, 1, 1]], "T": [2, 2]},
    ]
    [refusal] = answers(runner, asks(1, 9))
    assert refusal.endswith("to be between 1 and 4 but received 9")


def test_an_output_whose_shape_depends_on_the_data(tensorrt):
    tensorrt.write({**TWICE, "outputs": [{"name": "O", "dims": [-1], "is": "not zero", "of": "A"}]})
    fixed = {"max_batch_size": 0, "input": [tensor("A", ["-1", "2"])], "output": [tensor("O", ["-1"])]}
    runner = tensorrt.start(**fixed)
    for rows, found in (([[1, 0]], [1]), ([[1, 2], [3, 0]], [1, 2, 3]), ([[0, 0]], [])):
        assert answers(runner, Request(floats("A", rows))) == [{"O": found}]


def test_memory_that_cannot_be_had_is_an_error_of_the_request(tensorrt):
    large = 1 << 19
    plan = {
        "inputs": [{"name": "A", "dims": [-1], "limits": limits(([1], [1], [large]))}],
        "outputs": [{"name": "O", "dims": [-1], "is": "not zero", "of": "A"}],
    }
    tensorrt.write(plan)
    runner = tensorrt.start(max_batch_size=0, input=[tensor("A", ["-1"])], output=[tensor("O", ["-1"])])
    [refusal] = answers(runner, Request(Tensor("A", np.ones(large, np.float32))))
    assert refusal == "cuMemAlloc_v2 failed: out of memory (2)"
    runner._executor._reserve("A", 1 << 20)
    tensorrt.library.cuMemAlloc_v2 = lambda *_: 2
    [refusal] = answers(runner, Request(floats("A", [1, 1])))
    assert refusal == "failed to enqueue TensorRT execution: cuMemAlloc_v2 failed: out of memory (2)"
    del tensorrt.library.cuMemAlloc_v2
    assert answers(runner, Request(floats("A", [1, 0]))) == [{"O": [1]}]


@pytest.mark.parametrize(
    "of_engine, data_type, values",
    [
        ("HALF", "TYPE_FP16", np.array([[1, 2]], np.float16)),
        ("INT8", "TYPE_INT8", np.array([[1, -2]], np.int8)),
        ("UINT8", "TYPE_UINT8", np.array([[1, 255]], np.uint8)),
        ("INT32", "TYPE_INT32", np.array([[1, -2]], np.int32)),
        ("INT64", "TYPE_INT64", np.array([[1, -2]], np.int64)),
        ("BOOL", "TYPE_BOOL", np.array([[True, False]])),
        ("BF16", "TYPE_BF16", np.array([[0x3F80, 0x4000]], np.uint16)),
    ],
)
def test_types(tensorrt, of_engine, data_type, values):
    tensorrt.write(
        {
            "inputs": [{"name": "A", "type": of_engine, "dims": [-1, 2], "limits": ROWS}],
            "outputs": [{"name": "O", "type": of_engine, "dims": [-1, 2], "is": "same", "of": "A"}],
        }
    )
    runner = tensorrt.start(input=[tensor("A", data_type=data_type)], output=[tensor("O", data_type=data_type)])
    given = Tensor._of_parts("A", BF16, None, values, None) if of_engine == "BF16" else Tensor("A", values)
    [response] = runner.execute([Request(given)])
    [output] = response.output_tensors()
    assert (output.triton_dtype(), output._array.tolist()) == (given.triton_dtype(), values.tolist())


def test_a_format_of_vectors_takes_whole_ones(tensorrt):
    tensorrt.write(
        {
            "inputs": [
                {"name": "A", "type": "INT8", "dims": [-1, -1, 1, 1], "format": "CHW4",
                 "limits": limits(([1, 1, 1, 1], [1, 4, 1, 1], [8, 8, 1, 1]))}
            ],
            "outputs": [{"name": "O", "type": "INT8", "dims": [-1, -1, 1, 1], "format": "CHW4", "is": "same", "of": "A"}],
        }
    )
    asked = {"dims": ["-1", "1", "1"], "data_type": "TYPE_INT8", "is_non_linear_format_io": True}
    runner = tensorrt.start(input=[{"name": "A", **asked}], output=[{"name": "O", **asked}])

    def of(channels):
        return Request(Tensor("A", np.ones((1, channels, 1, 1), np.int8)))

    assert answers(runner, of(4)) == [{"O": [[[[1]], [[1]], [[1]], [[1]]]]}]
    assert "must be a multiple of that, got 3" in answers(runner, of(3))[0]
