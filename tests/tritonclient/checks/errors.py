"""The texts and codes of refused requests, alike on all clients."""

import numpy as np

from expectations import raises
from registry import check

BAD = ("400", "INVALID_ARGUMENT")


def _ints(t, name, shape, datatype="INT32"):
    kinds = {"INT32": np.int32, "FP32": np.float32, "INT64": np.int64}
    return t.input(name, np.ones(shape, kinds[datatype]), datatype)


def _row(title, model, build, message, status=BAD, **kwargs):
    @check(f"refused: {title}")
    def refused(t):
        raises(message, t.infer, model, build(t), status=status, **kwargs)


_row(
    "unknown model",
    "no_such_model",
    lambda t: [_ints(t, "INPUT0", (1,))],
    "Request for unknown model: 'no_such_model' is not found",
    ("404", "NOT_FOUND"),
)
_row(
    "unknown version",
    "two",
    lambda t: [_ints(t, "INPUT0", (1,))],
    "Request for unknown model: 'two' version 99 is not found",
    ("404", "NOT_FOUND"),
    model_version="99",
)
_row(
    "no inputs",
    "two",
    lambda t: [],
    "expected 2 inputs but got 0 inputs for model 'two'. Got input(s) [], but missing required input(s)"
    " ['INPUT0','INPUT1']. Please provide all required input(s).",
)
_row(
    "one of two inputs",
    "two",
    lambda t: [_ints(t, "INPUT0", (1,))],
    "expected 2 inputs but got 1 inputs for model 'two'. Got input(s) ['INPUT0'], but missing required input(s)"
    " ['INPUT1']. Please provide all required input(s).",
)
_row(
    "optional inputs, none given",
    "optional",
    lambda t: [],
    "expected number of inputs between 1 and 2 but got 0 inputs for model 'optional'.",
)
_row(
    "wrong input name",
    "echo_int32",
    lambda t: [_ints(t, "OTHER", (1,))],
    "unexpected inference input 'OTHER' for model 'echo_int32'",
)
_row(
    "wrong datatype",
    "echo_int32",
    lambda t: [_ints(t, "INPUT0", (2,), "FP32")],
    "inference input 'INPUT0' data-type is 'FP32', but model 'echo_int32' expects 'INT32'",
)
_row(
    "wrong rank",
    "echo_int32",
    lambda t: [_ints(t, "INPUT0", (2, 2))],
    "unexpected shape for input 'INPUT0' for model 'echo_int32'. Expected [-1], got [2,2].",
)
_row(
    "wrong shape of a batching model",
    "queue",
    lambda t: [_ints(t, "INPUT0", (1, 2))],
    "unexpected shape for input 'INPUT0' for model 'queue'. Expected [-1,1], got [1,2]."
    " NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each"
    " input shape.",
)
_row(
    "batch too large",
    "batch_fp32",
    lambda t: [_ints(t, "INPUT0", (9, 1), "FP32")],
    "inference request batch-size must be <= 8 for 'batch_fp32'",
)


@check("refused: an unknown output")
def unknown_output(t):
    inputs = [_ints(t, "INPUT0", (1,))]
    raises(
        "unexpected inference output 'NOPE' for model 'echo_int32'",
        t.infer,
        "echo_int32",
        inputs,
        outputs=[t.output("NOPE")],
        status=BAD,
    )


@check("refused: two raw inputs of a wrong size, the second is named")
def byte_size(t):
    inputs = []
    for name, datatype in (("INPUT0", "INT32"), ("INPUT1", "FP32")):
        made = _ints(t, name, (4,), datatype)
        made.set_shape([5])
        inputs.append(made)
    raises("input byte size mismatch for input 'INPUT1' for model 'two'. Expected 20, got 16", t.infer, "two", inputs)


@check("refused: text elements that are missing or too many")
def text_count(t):
    made = t.input("INPUT0", np.array([b"a", b"b", b"c"], np.object_), "BYTES")
    made.set_shape([5])
    raises(
        "expected 5 string elements for inference input 'INPUT0' for model 'echo_bytes', got 3",
        t.infer,
        "echo_bytes",
        [made],
    )
    made.set_shape([2])
    raises(
        "unexpected number of string elements 3 for inference input 'INPUT0' for model 'echo_bytes', expecting 2",
        t.infer,
        "echo_bytes",
        [made],
    )


@check("an error of the model reaches the client")
def model_error(t):
    raises("fails on purpose", t.infer, "fails", [_ints(t, "INPUT0", (1,))])


@check("the server goes on after a refusal")
def goes_on(t):
    for _ in range(5):
        raises("is not found", t.infer, "no_such_model", [])
    t.infer("echo_int32", [_ints(t, "INPUT0", (1,))])
