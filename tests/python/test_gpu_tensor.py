"""Tensors in GPU memory, over a driver whose GPU memory is memory of this process."""

import gc

import numpy as np
import pytest
import triton_python_backend_utils as pb_utils
from conch_python import bls, cuda_driver, dlpack
from conch_python.dtypes import BF16, code_of
from conch_python.gpu_memory import GpuMemory
from conch_python.memory_kind import PreferredMemory
from conch_python.tensor import on_gpu, wire_data
from fake_driver import FakeLibrary

Tensor = pb_utils.Tensor


@pytest.fixture
def library(monkeypatch):
    library = FakeLibrary()
    monkeypatch.setattr(cuda_driver, "_found", [cuda_driver.CudaDriver(library)])
    return library


class OnGpu:
    """An array of a framework on GPU 1."""

    def __init__(self, array):
        self.array = array
        self.streams = []

    def __dlpack_device__(self):
        return (dlpack.CUDA, 1)

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return dlpack.capsule_of_gpu(GpuMemory(self.array, 1), code_of(self.array.dtype))


VALUES = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_a_tensor_of_a_framework_says_where_it_is(library):
    source = OnGpu(VALUES)
    tensor = Tensor.from_dlpack("a", source)
    assert (tensor.is_cpu(), tensor.shape(), tensor.triton_dtype()) == (False, [2, 3], 11)
    assert tensor.__dlpack_device__() == (2, 1)
    assert source.streams == [1]
    with pytest.raises(pb_utils.TritonModelException, match="^Tensor is stored in GPU and cannot be converted to NumPy.$"):
        tensor.as_numpy()
    assert library.calls == []


def test_it_goes_on_to_a_framework_without_being_copied(library):
    tensor = Tensor.from_dlpack("a", OnGpu(VALUES))
    again = Tensor.from_dlpack("b", tensor)
    assert (again.is_cpu(), again.name(), again.shape()) == (False, "b", [2, 3])
    assert again._raw.view.ctypes.data == VALUES.ctypes.data
    assert library.calls == []


def test_it_is_copied_when_it_leaves_the_process_after_the_work_on_its_gpu(library):
    data, size = wire_data(Tensor.from_dlpack("a", OnGpu(VALUES)))
    assert (data.tobytes(), size) == (VALUES.tobytes(), 24)
    assert library.calls == ["retain 1", "synchronize 1", "to host from 1"]
    assert library.current == []


def test_capsules_alone_carry_the_device(library):
    tensor = Tensor.from_dlpack("a", OnGpu(VALUES).__dlpack__())
    assert tensor.__dlpack_device__() == (2, 1)
    assert Tensor.from_dlpack("b", tensor.to_dlpack()).is_cpu() is False


@pytest.mark.parametrize("kind", [np.bool_, np.int64, np.float16])
def test_every_type_goes_to_a_gpu_and_back(library, kind):
    array = np.array([[0, 1], [1, 0]], kind)
    tensor = on_gpu(Tensor("a", array), 0)
    assert (tensor.is_cpu(), tensor.shape(), len(library.memory)) == (False, [2, 2], 1)
    assert wire_data(tensor)[0].tolist() == array.tolist()
    del tensor
    gc.collect()
    assert library.memory == {}


def test_bfloat16_keeps_its_bits(library):
    bits = np.array([0x3F80, 0x4000], np.uint16)
    tensor = on_gpu(Tensor._of_parts("a", BF16, None, bits, None), 0)
    back = Tensor.from_dlpack("b", tensor)
    assert (back.triton_dtype(), wire_data(back)[0].tobytes()) == (BF16, bits.tobytes())


def test_memory_of_a_gpu_lives_as_long_as_somebody_has_it(library):
    capsule = on_gpu(Tensor("a", VALUES), 0).to_dlpack()
    gc.collect()
    assert len(library.memory) == 1
    del capsule
    gc.collect()
    assert library.memory == {}


def test_empty_tensors_and_texts(library):
    empty = on_gpu(Tensor("a", np.zeros((0, 3), np.float32)), 0)
    assert (empty.is_cpu(), empty.shape(), wire_data(empty)[1]) == (False, [0, 3], 0)
    texts = Tensor("a", np.array([b"x"], np.object_))
    assert on_gpu(texts, 0) is texts


def test_what_the_driver_says_is_told(library):
    with pytest.raises(pb_utils.TritonModelException, match="cuDeviceGet failed: invalid device ordinal"):
        on_gpu(Tensor("a", VALUES), 7)
    with pytest.raises(pb_utils.TritonModelException, match="cuMemAlloc_v2 failed: out of memory"):
        on_gpu(Tensor("a", np.zeros(1 << 20, np.float32)), 0)


def test_preferred_memory_names_a_gpu_that_can_be_had(library, monkeypatch):
    gpu, cpu = pb_utils.TRITONSERVER_MEMORY_GPU, pb_utils.TRITONSERVER_MEMORY_CPU
    assert (PreferredMemory(gpu, 1)._gpu(), PreferredMemory(cpu, 1)._gpu()) == (1, None)
    monkeypatch.setattr(cuda_driver, "_found", [None])
    assert PreferredMemory(gpu)._gpu() is None


def test_without_a_driver_a_tensor_on_a_gpu_cannot_leave(monkeypatch):
    monkeypatch.setattr(cuda_driver, "_found", [None])
    tensor = Tensor.from_dlpack("a", OnGpu(VALUES))
    with pytest.raises(pb_utils.TritonModelException, match="no NVIDIA driver that finds a GPU"):
        wire_data(tensor)


def test_answers_of_other_models_come_where_they_are_preferred(library):
    class Answered:
        extra = {}

        def tensors(self):
            return [Tensor("a", VALUES)]

    [on_host] = bls._response_of(Answered(), None).output_tensors()
    [on_device] = bls._response_of(Answered(), 1).output_tensors()
    assert (on_host.is_cpu(), on_device.is_cpu(), on_device.__dlpack_device__()) == (True, False, (2, 1))
    refused = bls._response_of(Answered(), 9)
    assert "invalid device ordinal" in refused.error().message()
