"""Decoupled models on streams: number and order of responses, final flags, errors, cancellation."""

import queue
import time

import numpy as np

from clients import GRPC
from expectations import equal, holds
from registry import check
from streaming import collect, is_final


def _repeat(t, values, delays=None, request_id="r", **more):
    delays = delays or [0] * len(values)
    return {
        "model_name": "repeat_int32",
        "inputs": [
            t.input("IN", np.array(values, np.int32), "INT32"),
            t.input("DELAY", np.array(delays, np.uint32), "UINT32"),
            t.input("WAIT", np.array([0], np.uint32), "UINT32"),
        ],
        "request_id": request_id,
        **more,
    }


def _square(t, number, request_id="s", **more):
    return {
        "model_name": "square_int32",
        "inputs": [t.input("IN", np.array([number], np.int32), "INT32")],
        "request_id": request_id,
        **more,
    }


@check("repeat: as many responses as elements, in order, none of them final", on=GRPC)
def repeat(t):
    answers = collect(t, [_repeat(t, [4, 2, 0, 1])], 4)
    equal([error for _, error in answers], [None] * 4)
    equal([int(result.as_numpy("OUT")[0]) for result, _ in answers], [4, 2, 0, 1])
    equal([int(result.as_numpy("IDX")[0]) for result, _ in answers], [0, 1, 2, 3])
    equal([is_final(result) for result, _ in answers], [False] * 4)


@check("the empty final response comes when asked for", on=("grpc",))  # the asyncio client cannot ask
def empty_final(t):
    for request, count in ((_repeat(t, [7, 8]), 2), (_square(t, 3), 3), (_square(t, 0), 0)):
        answers = collect(t, [{**request, "enable_empty_final_response": True}], count + 1)
        equal([error for _, error in answers], [None] * (count + 1))
        finals = [is_final(result) for result, _ in answers]
        equal(finals, [False] * count + [True])
        last = answers[-1][0].get_response()
        equal([len(last.outputs), last.model_name, last.id], [0, request["model_name"], request["request_id"]])


@check("responses of several decoupled requests keep their own order", on=GRPC)
def several(t):
    requests = [_square(t, number, request_id=str(number)) for number in (5, 1, 3)]
    answers = collect(t, requests, 9)
    counts = {}
    for result, error in answers:
        equal(error, None)
        counts[result.get_response().id] = counts.get(result.get_response().id, 0) + 1
    equal(counts, {"5": 5, "1": 1, "3": 3})


@check("an ordinary model on a stream answers once, final", on=GRPC)
def ordinary(t):
    request = {
        "model_name": "echo_int32",
        "inputs": [t.input("INPUT0", np.array([1, 2], np.int32), "INT32")],
        "request_id": "one",
    }
    ((result, error),) = collect(t, [request], 1)
    equal(error, None)
    equal([result.get_response().id, is_final(result)], ["one", True])


@check("a refused request on a stream leaves the stream open", on=GRPC)
def error_and_on(t):
    bad = {"model_name": "no_such_model", "inputs": [], "request_id": "bad"}
    answers = collect(t, [bad, _square(t, 1)], 2)
    holds(answers[0][1].message(), "Request for unknown model: 'no_such_model' is not found")
    equal(answers[1][1], None)


@check("an error of the model on a stream leaves the stream open", on=GRPC)
def model_error_and_on(t):
    bad = {"model_name": "fails", "inputs": [t.input("INPUT0", np.array([1], np.int32), "INT32")]}
    # The decoupled model does not wait for the other one.
    answers = sorted(collect(t, [bad, _square(t, 1)], 2), key=lambda answer: answer[1] is None)
    holds(answers[0][1].message(), "fails on purpose")
    equal(answers[1][1], None)


@check("triton_grpc_error ends the stream with the status of the error", on=("grpc",))
def grpc_error(t):
    seen = queue.Queue()
    t.client.start_stream(
        lambda result, error: seen.put((result, error)), headers={"triton_grpc_error": "true"}
    )
    t.client.async_stream_infer("fails", [t.input("INPUT0", np.array([1], np.int32), "INT32")])
    _, error = seen.get(timeout=30)
    t.client.stop_stream()
    holds(error.message(), "fails on purpose")
    equal(error.status(), "StatusCode.INTERNAL")


@check("cancelling a stream ends its requests", on=("grpc",))
def cancel(t):
    seen = queue.Queue()
    t.client.start_stream(lambda result, error: seen.put((result, error)))
    t.client.async_stream_infer(**_repeat(t, [1] * 50, delays=[100] * 50))
    seen.get(timeout=30)
    started = time.monotonic()
    t.client.stop_stream(cancel_requests=True)
    answers = []
    while True:
        try:
            answers.append(seen.get(timeout=1))
        except queue.Empty:
            break
    assert time.monotonic() - started < 4, "the stream went on after it was cancelled"
    holds(str(answers[-1][1]), "CANCELLED")


@check("a stream timeout ends the stream", on=("grpc",))
def stream_timeout(t):
    seen = queue.Queue()
    t.client.start_stream(lambda result, error: seen.put((result, error)), stream_timeout=0.3)
    t.client.async_stream_infer(**_repeat(t, [1] * 50, delays=[100] * 50))
    last = None
    while last is None:
        _, last = seen.get(timeout=30)
    t.client.stop_stream()
    holds(str(last).lower(), "deadline exceeded")
