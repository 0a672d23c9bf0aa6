"""Python models of the kinds that people learn Triton from, in ways of the tutorials' own clients."""

import urllib.request

import numpy as np

from clients import GRPC
from expectations import equal, holds, raises
from registry import check
from streaming import collect

SERVER = "python"
A, B = np.array([1, 2, 3, 4], np.float32), np.array([4, 3, 2, 1], np.float32)


def _pair(t):
    return [t.input("INPUT0", A, "FP32"), t.input("INPUT1", B, "FP32")]


def _holds_sum_and_difference(result):
    equal(result.as_numpy("OUTPUT0").tolist(), (A + B).tolist())
    equal(result.as_numpy("OUTPUT1").tolist(), (A - B).tolist())


@check("tutorial: sum and difference in Python", server=SERVER)
def add_sub(t):
    outputs = [t.output("OUTPUT0"), t.output("OUTPUT1")]
    _holds_sum_and_difference(t.infer("tutorial_add_sub", _pair(t), outputs=outputs, request_id="1"))


@check("tutorial: a model without a configuration completes it in its code", server=SERVER)
def auto_complete(t):
    _holds_sum_and_difference(t.infer("tutorial_auto_complete", _pair(t)))
    told = t.read("get_model_config", "tutorial_auto_complete")
    config = told.get("config", told)
    equal([each["name"] for each in config["input"]], ["INPUT0", "INPUT1"])


@check("tutorial: a model that asks another model, plainly and in a coroutine", server=SERVER)
def calls(t):
    for model in ("tutorial_bls_sync", "tutorial_bls_async"):
        for name, is_there in (("tutorial_add_sub", True), ("nobody", False)):
            asked = t.input("MODEL_NAME", np.array([name.encode()], np.object_), "BYTES")
            if is_there:
                _holds_sum_and_difference(t.infer(model, [asked, *_pair(t)]))
            else:
                raises("is not ready", t.infer, model, [asked, *_pair(t)])


@check("tutorial: one answer for each number, on a stream", on=GRPC, server=SERVER)
def repeat(t):
    given = t.input("IN", np.array([4, 2, 0, 1], np.int32), "INT32")
    answers = collect(t, [{"model_name": "tutorial_repeat", "inputs": [given]}], 4)
    equal([error for _, error in answers], [None] * 4)
    equal([int(result.as_numpy("OUT")[0]) for result, _ in answers], [4, 2, 0, 1])
    equal([int(result.as_numpy("IDX")[0]) for result, _ in answers], [0, 1, 2, 3])


@check("tutorial: a metric of the model's own is on the metrics port", server=SERVER)
def metrics(t):
    seen = t.infer("tutorial_metrics", [t.input("INPUT0", np.ones(1, np.float32), "FP32")]).as_numpy("OUTPUT0")[0]
    with urllib.request.urlopen(f"http://{t.world['python']['metrics']}/metrics", timeout=30) as reply:
        text = reply.read().decode()
    holds(text, f'requests_process_seen{{model="tutorial_metrics",version="1"}} {int(seen)}')


@check("tutorial: steps before and behind in an ensemble, several pictures in one request", server=SERVER)
def ensemble(t):
    colours = {"red": [255, 0, 0], "green": [0, 200, 9], "blue": [1, 2, 3]}
    pictures = np.array([pixel * 4 for pixel in colours.values()], np.uint8)
    result = t.infer("tutorial_ensemble", [t.input("PICTURE", pictures, "UINT8")])
    equal([each.decode() for each in result.as_numpy("COLOUR").ravel()], list(colours))
