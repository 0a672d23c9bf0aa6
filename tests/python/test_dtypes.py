import re
import struct

import numpy as np
import pytest
import triton_python_backend_utils as pb_utils

TYPES = {
    "TYPE_BOOL": (1, np.bool_),
    "TYPE_UINT8": (2, np.uint8),
    "TYPE_UINT16": (3, np.uint16),
    "TYPE_UINT32": (4, np.uint32),
    "TYPE_UINT64": (5, np.uint64),
    "TYPE_INT8": (6, np.int8),
    "TYPE_INT16": (7, np.int16),
    "TYPE_INT32": (8, np.int32),
    "TYPE_INT64": (9, np.int64),
    "TYPE_FP16": (10, np.float16),
    "TYPE_FP32": (11, np.float32),
    "TYPE_FP64": (12, np.float64),
    "TYPE_STRING": (13, np.object_),
}


@pytest.mark.parametrize("name", TYPES)
def test_names_and_codes_and_numpy_types_belong_together(name):
    code, kind = TYPES[name]
    assert np.dtype(pb_utils.triton_string_to_numpy(name)) == np.dtype(kind)
    assert pb_utils.triton_to_numpy_type(code) is kind
    assert pb_utils.numpy_to_triton_type(kind) == code


def test_bool_is_the_builtin_by_name():
    assert pb_utils.triton_string_to_numpy("TYPE_BOOL") is bool


@pytest.mark.parametrize("name", ["TYPE_BF16", "FP32", ""])
def test_unknown_names_are_key_errors(name):
    with pytest.raises(KeyError):
        pb_utils.triton_string_to_numpy(name)


@pytest.mark.parametrize("kind", [np.complex64, np.dtype("U3"), np.dtype("datetime64[s]"), "no type"])
def test_unknown_types_have_no_code(kind):
    assert pb_utils.numpy_to_triton_type(kind) is None


def test_unknown_codes_have_no_type():
    assert pb_utils.triton_to_numpy_type(0) is None
    assert pb_utils.triton_to_numpy_type(14) is None


ELEMENTS = [b"", b"a", b"\0", b"a\0b", b"\xff\xfe", "ä".encode(), b"x" * 70_000]


def test_bytes_go_there_and_back_in_c_order():
    array = np.array([*ELEMENTS, b"end"], dtype=np.object_).reshape(2, 4)
    wire = pb_utils.serialize_byte_tensor(array)
    assert wire[:9] == b"\0\0\0\0" + b"\x01\0\0\0" + b"a"
    back = pb_utils.deserialize_bytes_tensor(wire)
    assert back.shape == (8,)
    assert back.dtype == np.object_
    assert back.tolist() == array.ravel().tolist()
    assert all(type(each) is bytes for each in back)


def test_other_elements_become_text():
    wire = pb_utils.serialize_byte_tensor(np.array(["ä", 7, None], dtype=np.object_))
    assert pb_utils.deserialize_bytes_tensor(wire).tolist() == ["ä".encode(), b"7", b"None"]


def test_what_only_derives_from_bytes_becomes_text_too():
    wire = pb_utils.serialize_byte_tensor(np.array([np.bytes_(b"ab")], dtype=np.object_))
    assert pb_utils.deserialize_bytes_tensor(wire).tolist() == [str(np.bytes_(b"ab")).encode()]


def test_arrays_of_fixed_length_lose_trailing_zeros_as_numpy_strips_them():
    wire = pb_utils.serialize_byte_tensor(np.array([b"ab\0", b"c"]))
    assert pb_utils.deserialize_bytes_tensor(wire).tolist() == [b"ab", b"c"]


def test_nothing_and_other_types():
    assert pb_utils.serialize_byte_tensor(np.array([], dtype=np.object_)) == ()
    assert pb_utils.serialize_byte_tensor(np.zeros(2, np.float32)) is None
    assert pb_utils.deserialize_bytes_tensor(b"").shape == (0,)


@pytest.mark.parametrize(
    "wire", [b"\1", b"\1\0\0", b"\1\0\0\0", b"\5\0\0\0abcd", b"\1\0\0\0ab", b"\xff\xff\xff\xff", b"\0\0\0\0\0"]
)
def test_lengths_that_do_not_fit_are_refused(wire):
    # What the reference's own raises, and models may catch.
    with pytest.raises(struct.error):
        pb_utils.deserialize_bytes_tensor(wire)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (None, "object of type 'NoneType' has no len()"),
        (5, "object of type 'int' has no len()"),
        ("x", "a bytes-like object is required, not 'str'"),
        ([b"a"], "a bytes-like object is required, not 'list'"),
    ],
)
def test_what_is_no_buffer_is_no_bytes_tensor(wrong, text):
    with pytest.raises(TypeError, match=re.escape(text)):
        pb_utils.deserialize_bytes_tensor(wrong)


@pytest.mark.parametrize("buffer", [bytearray, memoryview, lambda wire: np.frombuffer(wire, np.uint8)])
def test_any_buffer_of_bytes_is_read(buffer):
    assert pb_utils.deserialize_bytes_tensor(buffer(b"\x01\x00\x00\x00a\x00\x00\x00\x00")).tolist() == [b"a", b""]
