"""DLPack capsules of arrays in host and GPU memory, both ways, without copying. Only the layout of the protocol is used, so
that types without a numpy dtype (BF16) pass too. (DLPack 0.x, unversioned capsules.)"""

import ctypes

import numpy as np

from .dtypes import BF16, BOOL, FP16, FP32, FP64, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, VIEW_DTYPES
from .errors import TritonModelException
from .gpu_memory import view_of

CPU, CUDA, CUDA_HOST = 1, 2, 3
# CUDA's legacy default stream, as the protocol numbers streams: what the producer has under way is done before it.
_DEFAULT_STREAM = 1

_INT, _UINT, _FLOAT, _BFLOAT, _BOOL = 0, 1, 2, 4, 6
_TYPES = {
    BOOL: (_BOOL, 8),
    UINT8: (_UINT, 8),
    UINT16: (_UINT, 16),
    UINT32: (_UINT, 32),
    UINT64: (_UINT, 64),
    INT8: (_INT, 8),
    INT16: (_INT, 16),
    INT32: (_INT, 32),
    INT64: (_INT, 64),
    FP16: (_FLOAT, 16),
    FP32: (_FLOAT, 32),
    FP64: (_FLOAT, 64),
    BF16: (_BFLOAT, 16),
}
_CODES = {kind: code for code, kind in _TYPES.items()}


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("id", ctypes.c_int))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("manager", ctypes.c_void_p), ("deleter", _Deleter))

_api = ctypes.pythonapi
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _Destructor)(("PyCapsule_New", _api))
_is_valid_raw = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer_raw = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _api))

# Capsules keep the address of their name, so these must live as long as the process.
_NAME = b"dltensor"
_USED_NAME = b"used_dltensor"
# What capsules point to, until their deleter runs: address -> everything that must live.
_alive = {}


@_Deleter
def _delete(managed):
    _alive.pop(ctypes.addressof(managed.contents), None)


@_Destructor
def _destroy(capsule):
    """A capsule that nobody consumed still owns its tensor. It is dying: no Python reference to it may be made."""
    if _is_valid_raw(capsule, _NAME):
        _alive.pop(_pointer_raw(capsule, _NAME), None)


def capsule_of_gpu(memory, code):
    """The capsule of a view of GPU memory, told apart by its device alone."""
    capsule = capsule_of(memory.view, code)
    device = ctypes.cast(_pointer(capsule, _NAME), ctypes.POINTER(_Managed)).contents.tensor.device
    device.type, device.id = CUDA, memory.device
    return capsule


def capsule_of(array, code):
    """numpy's own capsule where it makes one: it may be freed while an exception is on its way, which a function of
    Python's, called back from C, does not survive."""
    if hasattr(array, "__dlpack__"):
        shared = array if array.flags.writeable else _writeable(array)
        capsule = (shared.view(np.uint8) if code == BOOL else shared).__dlpack__()
        managed = ctypes.cast(_pointer(capsule, _NAME), ctypes.POINTER(_Managed)).contents
        managed.tensor.dtype.code, managed.tensor.dtype.bits = _TYPES[code]
        return capsule
    return _own_capsule_of(array, code)


def _writeable(array):
    """Another view of the same memory, which numpy gives away: DLPack has no word for memory that may only be read."""
    if array.size == 0:
        return np.empty(array.shape, array.dtype)
    buffer = (ctypes.c_ubyte * array.nbytes).from_address(array.ctypes.data)
    buffer.owner = array
    return np.frombuffer(buffer, dtype=array.dtype).reshape(array.shape)


def _own_capsule_of(array, code):
    """For a numpy before 1.22."""
    managed = _Managed()
    dims = (ctypes.c_int64 * max(1, array.ndim))(*array.shape)
    tensor = managed.tensor
    tensor.data = array.ctypes.data
    tensor.device.type = CPU
    tensor.ndim = array.ndim
    tensor.dtype.code, tensor.dtype.bits = _TYPES[code]
    tensor.dtype.lanes = 1
    tensor.shape = ctypes.cast(dims, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = _delete
    address = ctypes.addressof(managed)
    _alive[address] = (managed, dims, array)
    return _new(address, _NAME, _destroy)


class _Owner:
    """Holds the memory of an imported tensor; its end tells the producer."""

    __slots__ = ("managed", "__weakref__")

    def __init__(self, managed):
        self.managed = managed

    def __del__(self):
        if self.managed.contents.deleter:
            self.managed.contents.deleter(self.managed)


def array_of(source):
    """`(code, array, device)` over the memory of a capsule or of an object that makes one; the device is None on the host,
    else the number of the GPU whose addresses the array has."""
    capsule = source
    if not _is_valid(source, _NAME):
        if not hasattr(source, "__dlpack__") or not hasattr(source, "__dlpack_device__"):
            raise TritonModelException(
                "Provided tensor is not supported. Tensor must be a DLPack capsule         "
                "or have `__dlpack__` and `__dlpack_device__` attributes"
            )
        kind = int(source.__dlpack_device__()[0])
        _check_device(kind)
        capsule = source.__dlpack__(stream=_DEFAULT_STREAM) if kind == CUDA else source.__dlpack__()
        if not _is_valid(capsule, _NAME):
            raise TritonModelException("Provided tensor is not supported. Its `__dlpack__` gave no DLPack capsule.")
    managed = ctypes.cast(_pointer(capsule, _NAME), ctypes.POINTER(_Managed))
    tensor = managed.contents.tensor
    _check_device(tensor.device.type)
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    _check_contiguous(tensor, shape)
    code = _CODES.get((tensor.dtype.code, tensor.dtype.bits)) if tensor.dtype.lanes == 1 else None
    if code is None:
        raise TritonModelException("Dtype is invalid.")
    # A null pointer, which an empty tensor may have, has no offset.
    address = tensor.data + tensor.byte_offset if tensor.data else None
    array = view_of(address, shape, VIEW_DTYPES[code], _Owner(managed))
    _set_name(capsule, _USED_NAME)
    return code, array, tensor.device.id if tensor.device.type == CUDA else None


def _check_device(kind):
    if kind not in (CPU, CUDA, CUDA_HOST):
        raise TritonModelException(f"DLDevice type {kind} is not support by Python backend.")


def _check_contiguous(tensor, shape):
    """Strides in C order; those of dimensions of size 1 do not matter. No strides means C order."""
    if not tensor.strides or 0 in shape:
        return
    expected = 1
    for axis in range(tensor.ndim - 1, -1, -1):
        if shape[axis] != 1 and tensor.strides[axis] != expected:
            raise TritonModelException(
                "DLPack tensor is not contiguous. Only contiguous DLPack tensors that are stored in C-Order are supported."
            )
        expected *= shape[axis]
