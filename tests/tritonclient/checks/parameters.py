"""Request parameters: what reaches the model, what the client keeps back."""

import json

import numpy as np

from clients import GRPC
from expectations import equal, raises
from registry import check

CUSTOM = {"text": "a \"b\" \\c", "whole": 42, "large": 2**53 + 1, "yes": True, "half": 1.5}


def _told(t, result, name="TOLD"):
    value = result.as_numpy(name).reshape(-1)[0]
    return json.loads(value)


def _ask(t, model="tell", **kwargs):
    return t.infer(model, [t.input("INPUT0", np.array([1], np.int32), "INT32")], **kwargs)


@check("custom parameters keep their types")
def custom(t):
    told = _told(t, _ask(t, parameters=CUSTOM, request_id="p1"))
    equal(told["parameters"], {**CUSTOM, "large": str(CUSTOM["large"]), "whole": "42"})
    equal(told["id"], "p1")


@check("custom parameters reach the members of an ensemble")
def ensemble(t):
    told = _told(t, _ask(t, "told_pipeline", parameters=CUSTOM))
    equal(told["parameters"], {**CUSTOM, "large": str(CUSTOM["large"]), "whole": "42"})


@check("custom parameters on a stream", on=("grpc",))
def stream(t):
    seen = []
    t.client.start_stream(lambda result, error: seen.append((result, error)))
    data = t.input("INPUT0", np.array([1], np.int32), "INT32")
    t.client.async_stream_infer("tell", [data], parameters=CUSTOM)
    t.client.stop_stream()
    ((result, error),) = seen
    equal(error, None)
    equal(_told(t, result)["parameters"], {**CUSTOM, "large": str(CUSTOM["large"]), "whole": "42"})


@check("priority, timeout and sequence fields are no custom parameters")
def known(t):
    # A model without priority levels sees priority 0, whatever was asked.
    told = _told(t, _ask(t, priority=3, timeout=5_000_000, sequence_id=7, sequence_start=True))
    equal(told["parameters"], {})
    equal([told["priority"], told["timeout"], told["sequence"]], ["0", "5000000", "7"])


@check("response parameters of the model reach the client")
def response_parameters(t):
    result = t.infer("echo_int32", [t.input("INPUT0", np.array([1], np.int32), "INT32")])
    if t.name in GRPC:
        seen = result.get_response().parameters
        equal(seen["param0"].string_param, "an example string parameter")
        equal(seen["param1"].int64_param, 42)
        equal(seen["param2"].bool_param, False)
        equal(seen["param3"].double_param, 123.123)
    else:
        seen = result.get_response()["parameters"]
        equal(
            seen,
            {"param0": "an example string parameter", "param1": 42, "param2": False, "param3": 123.123},
        )


@check("names of the server are refused by the client")
def reserved(t):
    for name in ("sequence_id", "priority", "headers", "binary_data_output"):
        raises("is a reserved parameter and cannot be specified", _ask, t, parameters={name: 1})
