"""Every datatype through an echo model, as raw bytes and as JSON, with extreme values and with no elements."""

import numpy as np

from clients import HTTP
from expectations import equal, raises, same_array
from registry import check
from samples import NOT_IN_JSON, SAMPLES, model_for


def _shown(datatype, seen):
    """BYTES come back from JSON as text, from raw bytes as bytes."""
    if datatype != "BYTES":
        return seen
    return np.array([e if isinstance(e, bytes) else str(e).encode() for e in seen], np.object_)


def _round_trip(t, datatype, array, binary_in=True, binary_out=True):
    result = t.infer(
        model_for(datatype),
        [t.input("INPUT0", array, datatype, binary=binary_in)],
        outputs=[t.output("OUTPUT0", binary=binary_out)],
    )
    seen = result.as_numpy("OUTPUT0")
    same_array(_shown(datatype, seen), array, f"{datatype} in={binary_in} out={binary_out}")


def _register(datatype, array):
    @check(f"{datatype} raw")
    def raw(t):
        _round_trip(t, datatype, array)

    @check(f"{datatype} without elements")
    def empty(t):
        _round_trip(t, datatype, array[:0])

    @check(f"{datatype} as a matrix")
    def matrix(t):
        square = np.stack([array, array])
        result = t.infer("matrix_" + datatype.lower(), [t.input("INPUT0", square, datatype)])
        same_array(result.as_numpy("OUTPUT0"), square)

    if datatype in NOT_IN_JSON:

        @check(f"{datatype} is refused as JSON output", on=HTTP)
        def refused(t):
            raises(
                f"sending {datatype} data via JSON is not supported",
                _round_trip,
                t,
                datatype,
                array,
                binary_out=False,
            )

    else:

        @check(f"{datatype} as JSON, and mixed with raw", on=HTTP)
        def as_json(t):
            finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
            for binary_in, binary_out in ((False, False), (False, True), (True, False)):
                _round_trip(t, datatype, finite, binary_in, binary_out)


for _datatype, _array in SAMPLES.items():
    _register(_datatype, _array)


@check("NaN and infinities as JSON outputs", on=HTTP)
def not_finite(t):
    for datatype in ("FP32", "FP64"):
        _round_trip(t, datatype, SAMPLES[datatype], binary_out=False)


@check("several outputs, chosen outputs, id and version")
def chosen(t):
    ints = np.array([1, 2], np.int32)
    floats = np.array([0.5], np.float32)
    inputs = [t.input("INPUT0", ints, "INT32"), t.input("INPUT1", floats, "FP32")]
    result = t.infer("two", inputs, request_id="the id")
    same_array(result.as_numpy("OUTPUT0"), ints)
    same_array(result.as_numpy("OUTPUT1"), floats)
    response = result.get_response(as_json=True) if t.is_grpc else result.get_response()
    equal([response["id"], response["model_name"], response["model_version"]], ["the id", "two", "1"])
    only = t.infer("two", inputs, outputs=[t.output("OUTPUT1")], model_version="1")
    same_array(only.as_numpy("OUTPUT1"), floats)
    equal(only.as_numpy("OUTPUT0"), None, "output that was not asked for")


@check("bytes that are no UTF-8: exact as raw bytes, an error of the client as JSON", on=HTTP)
def no_utf8(t):
    array = np.array([b"\xff\xfe"], np.object_)
    _round_trip(t, "BYTES", array)
    raises("Please use binary_data=True", _round_trip, t, "BYTES", array, binary_out=False)
