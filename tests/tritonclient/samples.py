"""Values of every datatype that are hard to carry: extremes, NaN, infinities, zero bytes, empty texts."""

import ml_dtypes
import numpy as np

SAMPLES = {
    "BOOL": np.array([True, False, True], np.bool_),
    "UINT8": np.array([0, 1, 255], np.uint8),
    "UINT16": np.array([0, 1, 65535], np.uint16),
    "UINT32": np.array([0, 1, 2**32 - 1], np.uint32),
    "UINT64": np.array([0, 2**53 + 1, 2**64 - 1], np.uint64),
    "INT8": np.array([-128, 0, 127], np.int8),
    "INT16": np.array([-(2**15), 0, 2**15 - 1], np.int16),
    "INT32": np.array([-(2**31), 0, 2**31 - 1], np.int32),
    "INT64": np.array([-(2**63), 2**53 + 1, 2**63 - 1], np.int64),
    "FP16": np.array([0.5, -65504.0, np.inf, np.nan], np.float16),
    "FP32": np.array([1.1, -3.4028235e38, 1e-45, np.inf, -np.inf, np.nan], np.float32),
    "FP64": np.array([1.1, -1.7976931348623157e308, 5e-324, np.inf, -np.inf, np.nan], np.float64),
    "BF16": np.array([1.5, -3.3e38, np.inf], ml_dtypes.bfloat16),
    "BYTES": np.array([b"", b"abc", "ü€😀".encode(), b"abc\x00def"], np.object_),
}

NOT_IN_JSON = ("FP16", "BF16")


def model_for(datatype):
    return f"echo_{datatype.lower()}"
