import gc
import weakref

import numpy as np
import pytest
import triton_python_backend_utils as pb_utils
from conch_python.dtypes import BF16
from conch_python.tensor import wire_data

Tensor = pb_utils.Tensor


def test_says_what_it_is():
    tensor = Tensor("a", np.arange(6, dtype=np.int16).reshape(2, 3))
    assert (tensor.name(), tensor.shape(), tensor.triton_dtype(), tensor.is_cpu()) == ("a", [2, 3], 7, True)
    assert tensor.as_numpy().tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    "arguments, kind",
    [
        (("a", None), TypeError),
        ((None, np.zeros(1)), TypeError),
        ((7, np.zeros(1)), TypeError),
        (("a", [1, 2]), TypeError),
        (("", np.zeros(1)), pb_utils.TritonModelException),
        (("a", np.zeros(1, np.complex64)), pb_utils.TritonModelException),
        (("a", np.array(["text"])), pb_utils.TritonModelException),
    ],
)
def test_refuses_what_it_cannot_carry(arguments, kind):
    with pytest.raises(kind):
        Tensor(*arguments)


def test_an_array_of_a_subclass_is_an_array():
    class Own(np.ndarray):
        pass

    assert Tensor("a", np.zeros(2, np.float32).view(Own)).shape() == [2]


def test_a_scalar_keeps_its_shape():
    assert Tensor("a", np.array(7, np.int32)).shape() == []


def test_other_layouts_are_copied_to_c_order():
    turned = np.arange(6, dtype=np.float32).reshape(2, 3).T
    data, size = wire_data(Tensor("a", turned))
    assert size == 24
    assert bytes(data) == turned.tobytes()


def test_strings_of_fixed_length_are_bytes_on_the_wire():
    data, size = wire_data(Tensor("a", np.array([b"ab\0", b"c"])))
    assert (bytes(data), size) == (b"\2\0\0\0ab\1\0\0\0c", 11)


def test_texts_are_what_they_were_when_the_tensor_was_made():
    texts = np.array([b"a", "b"], dtype=np.object_)
    tensor = Tensor("a", texts)
    texts[0] = b"changed"
    assert bytes(wire_data(tensor)[0]) == b"\1\0\0\0a\1\0\0\0b"
    assert tensor.as_numpy() is texts


def test_a_text_without_a_form_in_utf8_is_refused_where_it_is_given():
    with pytest.raises(UnicodeEncodeError):
        Tensor("a", np.array(["\ud800"], dtype=np.object_))


KINDS = [np.bool_, np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64, np.float16]


@pytest.mark.parametrize("kind", [*KINDS, np.float32, np.float64])
def test_dlpack_there_and_back_shares_memory(kind):
    array = np.array([[0, 1], [1, 0]], dtype=kind)
    back = Tensor.from_dlpack("b", Tensor("a", array).to_dlpack())
    assert (back.name(), back.shape(), back.as_numpy().dtype) == ("b", [2, 2], np.dtype(kind))
    assert np.shares_memory(back.as_numpy(), array)
    assert (back.as_numpy() == array).all()


def test_numpy_reads_a_tensor_and_a_tensor_reads_numpy():
    array = np.arange(4, dtype=np.float32)
    assert np.shares_memory(np.from_dlpack(Tensor("a", array)), array)
    assert np.shares_memory(Tensor.from_dlpack("b", array).as_numpy(), array)


def test_what_a_capsule_shows_lives_as_long_as_the_capsule():
    array = np.arange(4, dtype=np.float32)
    alive = weakref.ref(array)
    capsule = Tensor("a", array).to_dlpack()
    del array
    gc.collect()
    assert alive() is not None
    del capsule
    gc.collect()
    assert alive() is None


def test_what_was_imported_lives_as_long_as_its_views():
    array = np.arange(4, dtype=np.float32)
    alive = weakref.ref(array)
    view = Tensor.from_dlpack("b", Tensor("a", array).to_dlpack()).as_numpy()[1:]
    del array
    gc.collect()
    assert view.tolist() == [1, 2, 3]
    del view
    gc.collect()
    assert alive() is None


def test_an_exception_passes_by_a_capsule_that_nobody_used():
    tensor = Tensor("a", np.zeros(2))
    with pytest.raises(KeyError):
        # The capsule lies on the stack while the exception leaves.
        print(tensor.to_dlpack(), {}["nothing"])
    tensor.as_numpy().flags.writeable = False
    with pytest.raises(KeyError):
        print(tensor.to_dlpack(), {}["nothing"])


@pytest.mark.parametrize("kind", [np.bool_, np.float32, np.int64])
def test_read_only_arrays_have_capsules_too(kind):
    array = np.ones(3, kind)
    array.flags.writeable = False
    back = Tensor.from_dlpack("b", Tensor("a", array).to_dlpack())
    assert (back.triton_dtype(), back.as_numpy().tolist()) == (Tensor("a", array).triton_dtype(), [1, 1, 1])


def test_a_capsule_is_used_once():
    capsule = Tensor("a", np.zeros(2, np.float32)).to_dlpack()
    Tensor.from_dlpack("b", capsule)
    with pytest.raises(pb_utils.TritonModelException, match="not supported"):
        Tensor.from_dlpack("c", capsule)


@pytest.mark.parametrize("source", [None, 7, object(), [1.0], b"bytes"])
def test_what_is_no_dlpack_is_refused(source):
    with pytest.raises(pb_utils.TritonModelException, match="Provided tensor is not supported"):
        Tensor.from_dlpack("a", source)


def test_other_strides_are_refused():
    with pytest.raises(pb_utils.TritonModelException, match="not contiguous"):
        Tensor.from_dlpack("a", np.zeros((2, 3), np.float32).T)


def test_strides_of_dimensions_of_size_one_do_not_matter():
    array = np.zeros((4, 1, 3), np.float32)[:, :, :].transpose(1, 0, 2)
    assert Tensor.from_dlpack("a", array).shape() == [1, 4, 3]


@pytest.mark.parametrize("shape", [(0,), (2, 0, 3)])
def test_empty_tensors(shape):
    assert Tensor.from_dlpack("a", np.zeros(shape, np.float32)).shape() == list(shape)


def test_strings_have_no_dlpack():
    with pytest.raises(pb_utils.TritonModelException, match="DLPack does not have support for string tensors."):
        Tensor("a", np.array([b"x"], dtype=np.object_)).to_dlpack()


def test_bfloat16_passes_by_dlpack_alone():
    bits = np.array([0x3F80, 0x4000], np.uint16)
    tensor = Tensor._of_parts("a", BF16, None, bits, None)
    with pytest.raises(pb_utils.TritonModelException, match="Use to_dlpack"):
        tensor.as_numpy()
    back = Tensor.from_dlpack("b", tensor.to_dlpack())
    assert (back.triton_dtype(), bytes(wire_data(back)[0])) == (BF16, bits.tobytes())


def test_memory_of_another_device_is_refused():
    class Elsewhere:
        def __init__(self, kind):
            self.kind = kind

        def __dlpack_device__(self):
            return (self.kind, 0)

        def __dlpack__(self, **_):
            raise AssertionError("not to be asked for")

    with pytest.raises(pb_utils.TritonModelException, match="DLDevice type 4 is not support"):
        Tensor.from_dlpack("a", Elsewhere(4))
