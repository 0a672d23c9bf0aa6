"""A guarded server: restricted calls, forwarded headers, no shared memory, no model control, client plug-ins."""

import json

import numpy as np
from tritonclient.grpc.auth import BasicAuth as GrpcBasicAuth
from tritonclient.http.auth import BasicAuth as HttpBasicAuth

from expectations import equal, holds, raises
from registry import check


def _ask(t, **kwargs):
    made = t.input("INPUT0", np.array([1], np.int32), "INT32")
    result = t.infer("tell", [made], **kwargs)
    return json.loads(result.as_numpy("TOLD").reshape(-1)[0])


def _key(t, value="secret"):
    return {"triton-grpc-protocol-admin-key": value} if t.is_grpc else {"admin-key": value}


@check("restricted calls need their header", server="guarded")
def restricted(t):
    expected = (
        "This protocol is restricted, expecting header 'triton-grpc-protocol-admin-key'"
        if t.is_grpc
        else "This API is restricted, expecting header 'admin-key'"
    )
    status = ("403", "UNAVAILABLE")
    for method, args in (
        ("get_model_config", ("tell",)),
        ("get_inference_statistics", ()),
        ("get_log_settings", ()),
        ("get_system_shared_memory_status", ()),
    ):
        raises(expected, t.call, method, *args, status=status)
        raises(expected, t.call, method, *args, headers=_key(t, "wrong"), status=status)
        t.call(method, *args, headers=_key(t))


@check("calls that are not restricted need no header", server="guarded")
def unrestricted(t):
    equal(t.call("is_server_live"), True)
    equal(t.read("get_model_metadata", "tell")["name"], "tell")
    equal(_ask(t)["parameters"], {})


@check("matching headers reach the model as parameters", server="guarded")
def forwarded(t):
    headers = {"my_header_1": "one", "MY_HEADER_2": 'a "b" \\c', "other": "kept back"}
    if t.is_grpc:
        headers = {key.lower(): value for key, value in headers.items()}
    seen = {key.lower(): value for key, value in _ask(t, headers=headers)["parameters"].items()}
    equal(seen, {"my_header_1": "one", "my_header_2": 'a "b" \\c'})


@check("shared memory is off unless allowed", server="guarded")
def no_shared_memory(t):
    error = raises(
        "Client shared memory is disabled",
        t.call,
        "register_system_shared_memory",
        "r",
        "/k",
        4,
        headers=_key(t),
        status=("501", "UNIMPLEMENTED"),
    )
    holds(error.message(), "Start the server with '--allow-client-shm=true' to enable.")


@check("models are not controlled from outside in mode none", server="guarded")
def no_control(t):
    for method in ("load_model", "unload_model"):
        raises(
            "explicit model load / unload is not allowed if polling is enabled",
            t.call,
            method,
            "tell",
            status=("503", "UNAVAILABLE"),
        )
    equal(t.call("is_model_ready", "tell"), True)


@check("a plug-in of the client adds its header", server="guarded")
def plugin(t):
    t.client.register_plugin((GrpcBasicAuth if t.is_grpc else HttpBasicAuth)("user", "password"))
    seen = _ask(t)["parameters"]
    equal(seen, {"authorization": "Basic dXNlcjpwYXNzd29yZA=="})
