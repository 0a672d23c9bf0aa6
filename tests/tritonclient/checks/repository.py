"""Loading and unloading over the wire, with overrides of configuration and files."""

import json
import pathlib

import numpy as np

from expectations import equal, holds, raises, same_array
from registry import check


def _state(t, model):
    seen = t.read("get_model_repository_index")
    entries = seen["models"] if t.is_grpc else seen
    return [(e.get("version"), e.get("state"), e.get("reason", "")) for e in entries if e["name"] == model]


def _config(t, model):
    seen = t.read("get_model_config", model)
    return seen["config"] if t.is_grpc else seen


@check("unload, index, load again")
def unload_and_load(t):
    t.call("load_model", "lifecycle")
    equal(t.call("is_model_ready", "lifecycle"), True, "after load")
    t.call("unload_model", "lifecycle")
    equal(t.call("is_model_ready", "lifecycle"), False, "after unload")
    data = t.input("INPUT", np.ones((1, 4), np.float32), "FP32")
    unnamed = raises("Request for unknown model: 'lifecycle'", t.infer, "lifecycle", [data])
    holds(unnamed.message(), "has no available versions")
    named = raises("Request for unknown model: 'lifecycle'", t.infer, "lifecycle", [data], model_version="1")
    holds(named.message(), "version 1 is not at ready state")
    equal([version for version, _, _ in _state(t, "lifecycle")], ["1"], "listed versions")
    t.call("load_model", "lifecycle")
    equal(_state(t, "lifecycle"), [("1", "READY", "")])
    t.infer("lifecycle", [data])


@check("unloading what is unknown or not loaded succeeds")
def unload_unknown(t):
    t.call("unload_model", "no_such_model")
    t.call("unload_model", "not_started")


@check("loading an unknown model fails by name")
def load_unknown(t):
    raises(
        "failed to load 'no_such_model', failed to poll from model repository",
        t.call,
        "load_model",
        "no_such_model",
        status=("500", "INTERNAL"),
    )


@check("a model that its backend refuses: error, state and reason")
def load_broken(t):
    raises("load failed for model 'broken': version 1 is at UNAVAILABLE state", t.call, "load_model", "broken")
    equal(t.call("is_model_ready", "broken"), False)
    ((version, state, reason),) = _state(t, "broken")
    equal([version, state], ["1", "UNAVAILABLE"])
    assert reason, "no reason in the index"


@check("load with a configuration, then with the stored one after an unload")
def load_with_config(t):
    stored = _config(t, "lifecycle")["max_batch_size"]
    t.call("load_model", "lifecycle", config=json.dumps({"max_batch_size": "16", "backend": "onnxruntime"}))
    equal(_config(t, "lifecycle")["max_batch_size"], 16)
    raises(
        "failed to load 'lifecycle', failed to poll from model repository",
        t.call,
        "load_model",
        "lifecycle",
        config="no json",
    )
    equal(t.call("is_model_ready", "lifecycle"), True, "ready after a refused override")
    equal(_config(t, "lifecycle")["max_batch_size"], 16, "configuration after a refused override")
    t.call("unload_model", "lifecycle")
    t.call("load_model", "lifecycle")
    equal(_config(t, "lifecycle")["max_batch_size"], stored, "stored configuration")


@check("load with files given by the client")
def load_with_files(t):
    content = pathlib.Path(t.world["override"]).read_bytes()
    config = {
        "backend": "onnxruntime",
        "max_batch_size": 0,
        "input": [{"name": "INPUT", "data_type": "TYPE_INT64", "dims": [3]}],
        "output": [{"name": "OUTPUT", "data_type": "TYPE_INT64", "dims": [3]}],
    }
    raises(
        "failed to load 'lifecycle', failed to poll from model repository",
        t.call,
        "load_model",
        "lifecycle",
        files={"file:7/model.onnx": content},
    )
    t.call(
        "load_model", "lifecycle", config=json.dumps(config), files={"file:7/model.onnx": content}
    )
    equal(t.read("get_model_metadata", "lifecycle")["versions"], ["7"], "versions")
    data = np.array([1, -(2**62), 2**62], np.int64)
    result = t.infer("lifecycle", [t.input("INPUT", data, "INT64")])
    same_array(result.as_numpy("OUTPUT"), data)
    t.call("unload_model", "lifecycle")
    t.call("load_model", "lifecycle")
    equal(t.read("get_model_metadata", "lifecycle")["versions"], ["1"], "versions of the stored model")


@check("file paths that leave the model are refused")
def load_with_escaping_file(t):
    raises(
        "failed to load 'lifecycle', failed to poll from model repository",
        t.call,
        "load_model",
        "lifecycle",
        config="{}",
        files={"file:1/../../../escaped": b"x"},
    )
    equal(t.call("is_model_ready", "lifecycle"), True, "ready afterwards")


@check("unload_dependents takes the members of an ensemble along")
def unload_dependents(t):
    t.call("load_model", "pipeline")
    equal(t.call("is_model_ready", "member"), True, "member loaded with its ensemble")
    t.call("unload_model", "pipeline")
    equal(t.call("is_model_ready", "member"), True, "member after a plain unload")
    t.call("load_model", "pipeline")
    t.call("unload_model", "pipeline", unload_dependents=True)
    equal(t.call("is_model_ready", "pipeline"), False)
    equal(t.call("is_model_ready", "member"), False, "member")


@check("unloading a member makes the ensemble unavailable")
def unload_member(t):
    t.call("load_model", "pipeline")
    t.call("unload_model", "member")
    equal(t.call("is_model_ready", "pipeline"), False)
    t.call("load_model", "member")
    t.call("load_model", "pipeline")
    equal(t.call("is_model_ready", "pipeline"), True)
    # A model that was asked for by name is no mere dependent: leave none behind.
    t.call("unload_model", "member")
    t.call("unload_model", "pipeline", unload_dependents=True)
