"""Health, metadata, configuration, statistics and the repository index."""

import numpy as np

from expectations import equal, raises
from registry import check

EXTENSIONS = {
    "classification",
    "sequence",
    "model_repository",
    "model_repository(unload_dependents)",
    "schedule_policy",
    "model_configuration",
    "system_shared_memory",
    "cuda_shared_memory",
    "binary_tensor_data",
    "parameters",
    "statistics",
    "trace",
    "logging",
}


@check("server is live and ready")
def health(t):
    equal(t.call("is_server_live"), True, "live")
    equal(t.call("is_server_ready"), True, "ready")


@check("model readiness, with and without version")
def model_ready(t):
    equal(t.call("is_model_ready", "echo_fp32"), True)
    equal(t.call("is_model_ready", "echo_fp32", "1"), True)
    equal(t.call("is_model_ready", "echo_fp32", "9"), False, "absent version")
    equal(t.call("is_model_ready", "no_such_model"), False, "absent model")


@check("server metadata names all extensions")
def server_metadata(t):
    seen = t.read("get_server_metadata")
    equal(seen["name"], "triton", "name")
    equal(set(seen["extensions"]), EXTENSIONS, "extensions")
    assert seen["version"], "no version"


@check("model metadata: names, types, shapes, batch dimension")
def model_metadata(t):
    seen = t.read("get_model_metadata", "batch_fp32")
    equal([seen["name"], seen["versions"], seen["platform"]], ["batch_fp32", ["1"], "identity"])
    tensor = seen["inputs"][0]
    equal([tensor["name"], tensor["datatype"]], ["INPUT0", "FP32"])
    equal([int(d) for d in tensor["shape"]], [-1, -1], "shape")
    equal(t.read("get_model_metadata", "echo_int8", "1")["versions"], ["1"], "versions asked for")


@check("model metadata of unknown model and version")
def model_metadata_errors(t):
    raises(
        "Request for unknown model: 'no_such_model' is not found",
        t.read,
        "get_model_metadata",
        "no_such_model",
        status=("404", "NOT_FOUND"),
    )
    raises(
        "Request for unknown model: 'echo_fp32' version 99 is not found",
        t.read,
        "get_model_metadata",
        "echo_fp32",
        "99",
        status=("404", "NOT_FOUND"),
    )


@check("model configuration carries completed defaults")
def model_config(t):
    seen = t.read("get_model_config", "queue")
    config = seen["config"] if t.is_grpc else seen
    equal([config["name"], config["max_batch_size"], config["backend"]], ["queue", 1, "identity"])
    equal(config["input"][0]["data_type"], "TYPE_INT32")
    equal(int(config["input"][0]["dims"][0]), 1)
    equal(config["instance_group"][0]["name"], "queue_0")
    equal(config["version_policy"], {"latest": {"num_versions": 1}})
    equal(config["dynamic_batching"]["preferred_batch_size"], [1])
    raises("'no_such_model' is not found", t.read, "get_model_config", "no_such_model")


def _counts(t, model):
    stats = t.read("get_inference_statistics", model)["model_stats"]
    equal(len(stats), 1, "entries")
    inner = stats[0]["inference_stats"]
    names = ("success", "fail", "queue", "compute_input", "compute_infer", "compute_output")
    return {
        "inference": int(stats[0].get("inference_count", 0)),
        "execution": int(stats[0].get("execution_count", 0)),
        **{name: int(inner.get(name, {}).get("count", 0)) for name in names},
        "batches": {
            int(b["batch_size"]): int(b["compute_infer"]["count"]) for b in stats[0].get("batch_stats", [])
        },
        "last": int(stats[0].get("last_inference", 0)),
    }


@check("statistics count requests, batch rows and executions exactly")
def statistics(t):
    before = _counts(t, "batch_fp32")
    for rows in (1, 1, 3):
        t.infer("batch_fp32", [t.input("INPUT0", np.ones((rows, 2), np.float32), "FP32")])
    after = _counts(t, "batch_fp32")
    equal(after["success"] - before["success"], 3, "requests")
    equal(after["queue"], after["success"], "queue count")
    equal(after["compute_infer"], after["success"], "compute count")
    equal(after["inference"] - before["inference"], 5, "inferences")
    equal(after["execution"], sum(after["batches"].values()), "executions")
    equal(after["batches"].get(3, 0) - before["batches"].get(3, 0), 1, "batches of 3")
    assert after["last"] > 0, "no time of the last inference"


@check("a failed request raises only the failure count")
def statistics_fail(t):
    before = _counts(t, "fails")
    raises("on purpose", t.infer, "fails", [t.input("INPUT0", np.ones(1, np.int32), "INT32")])
    after = _counts(t, "fails")
    equal(after["fail"] - before["fail"], 1, "failures")
    equal(after["success"], before["success"], "successes")


@check("statistics of all models, of none such")
def statistics_all(t):
    names = {entry["name"] for entry in t.read("get_inference_statistics")["model_stats"]}
    assert {"echo_fp32", "echo_bytes", "batch_fp32"} <= names, f"seen {names}"
    raises(
        "requested model 'no_such_model' is not available",
        t.read,
        "get_inference_statistics",
        "no_such_model",
        status=("400", "INVALID_ARGUMENT"),
    )


@check("repository index")
def index(t):
    seen = t.read("get_model_repository_index")
    entries = seen["models"] if t.is_grpc else seen
    found = [entry for entry in entries if entry["name"] == "echo_fp32"]
    equal([(e["version"], e["state"], e.get("reason", "")) for e in found], [("1", "READY", "")])
    never = [entry for entry in entries if entry["name"] == "not_started"]
    equal(never, [{"name": "not_started"}], "a model that was never loaded")
