"""Compression in both directions, and what goes over the wire beside tensors."""

import gzip
import http.client
import json

import numpy as np

from clients import GRPC, HTTP
from expectations import equal, holds, same_array
from registry import check

ARRAY = np.arange(4096, dtype=np.int32)


def _register(request, response):
    @check(f"request {request or 'plain'}, response {response or 'plain'}", on=HTTP)
    def both(t):
        for binary in (True, False):
            result = t.infer(
                "echo_int32",
                [t.input("INPUT0", ARRAY, "INT32", binary)],
                outputs=[t.output("OUTPUT0", binary)],
                request_compression_algorithm=request,
                response_compression_algorithm=response,
            )
            same_array(result.as_numpy("OUTPUT0"), ARRAY)


for _request in (None, "gzip", "deflate"):
    for _response in (None, "gzip", "deflate"):
        _register(_request, _response)


@check("messages compressed with gzip and deflate", on=GRPC)
def grpc_compression(t):
    for algorithm in ("gzip", "deflate"):
        result = t.infer(
            "echo_int32", [t.input("INPUT0", ARRAY, "INT32")], compression_algorithm=algorithm
        )
        same_array(result.as_numpy("OUTPUT0"), ARRAY)


def _post(t, path, body, headers):
    connection = http.client.HTTPConnection(t.address, timeout=30)
    try:
        connection.request("POST", path, body, headers)
        reply = connection.getresponse()
        return reply.status, dict(reply.getheaders()), reply.read()
    finally:
        connection.close()


@check("reply headers of compressed and of refused encodings", on=("http",))
def encoding_headers(t):
    head = {"inputs": [{"name": "INPUT0", "datatype": "INT32", "shape": [2], "data": [1, 2]}]}
    body = json.dumps(head).encode()
    status, headers, reply = _post(t, "/v2/models/echo_int32/infer", body, {"Accept-Encoding": "gzip"})
    equal([status, headers.get("Content-Encoding")], [200, "gzip"])
    equal(json.loads(gzip.decompress(reply))["outputs"][0]["data"], [1, 2])
    status, headers, reply = _post(t, "/v2/models/echo_int32/infer", body, {"Content-Encoding": "br"})
    equal([status, headers.get("Accept-Encoding")], [501, "gzip, deflate"])
    equal(json.loads(reply), {"error": "Unsupported compression type"})


@check("generate and generate_stream", on=("http",))
def generate(t):
    body = json.dumps({"id": "g", "INPUT0": [5], "note": "x"}).encode()
    status, headers, reply = _post(t, "/v2/models/echo_int32/generate", body, {})
    equal([status, headers.get("Content-Type")], [200, "application/json"])
    equal(json.loads(reply)["OUTPUT0"], 5)
    status, headers, reply = _post(t, "/v2/models/repeat_int32/generate_stream", _repetition(), {})
    equal([status, headers.get("Content-Type")], [200, "text/event-stream; charset=utf-8"])
    events = [json.loads(line[6:]) for line in reply.decode().split("\n\n") if line]
    equal([event["OUT"] for event in events], [4, 2, 0])
    status, _, reply = _post(t, "/v2/models/repeat_int32/generate", _repetition(), {})
    holds(json.loads(reply)["error"], "generate expects model to produce exactly 1 response")


def _repetition():
    return json.dumps({"IN": [4, 2, 0], "DELAY": [0, 0, 0], "WAIT": 0}).encode()


@check("16 MiB there and back")
def large(t):
    array = np.arange(4 * 1024 * 1024, dtype=np.int32)
    same_array(t.infer("echo_int32", [t.input("INPUT0", array, "INT32")]).as_numpy("OUTPUT0"), array)
