"""Trace and log settings: reading, changing, clearing, and what is refused."""

from expectations import equal, raises
from registry import check


def _trace(t, seen):
    """Both protocols as one map of lists."""
    if t.is_grpc:
        return {key: entry.get("value", []) for key, entry in seen["settings"].items()}
    return {key: value if isinstance(value, list) else [value] for key, value in seen.items()}


def _log(t, seen):
    if t.is_grpc:
        return {key: next(iter(entry.values())) for key, entry in seen["settings"].items()}
    return seen


@check("trace settings: global, of a model, cleared")
def trace(t):
    first = _trace(t, t.read("get_trace_settings"))
    equal(first["trace_level"], ["OFF"])
    equal(first["trace_mode"], ["triton"])
    equal(set(first), {"trace_file", "trace_level", "trace_rate", "trace_count", "log_frequency", "trace_mode"})
    changed = _trace(t, t.read("update_trace_settings", settings={"trace_rate": "5", "log_frequency": "2"}))
    equal([changed["trace_rate"], changed["log_frequency"]], [["5"], ["2"]])
    equal(_trace(t, t.read("get_trace_settings", "echo_int32"))["trace_rate"], ["5"], "inherited")
    own = _trace(t, t.read("update_trace_settings", "echo_int32", {"trace_rate": "7"}))
    equal(own["trace_rate"], ["7"])
    equal(_trace(t, t.read("get_trace_settings"))["trace_rate"], ["5"], "global")
    cleared = _trace(t, t.read("update_trace_settings", "echo_int32", {"trace_rate": None}))
    equal(cleared["trace_rate"], ["5"], "after clearing")
    t.read("update_trace_settings", settings={"trace_rate": None, "log_frequency": None})
    equal(_trace(t, t.read("get_trace_settings")), first, "at the end")


@check("trace settings that are refused")
def trace_faults(t):
    raises(
        "trace file location can not be updated through network protocol",
        t.read,
        "update_trace_settings",
        settings={"trace_file": "elsewhere"},
        status=("501", "UNIMPLEMENTED"),
    )
    raises(
        "Expect only one trace level 'OFF' is specified",
        t.read,
        "update_trace_settings",
        settings={"trace_level": ["OFF", "TIMESTAMPS"]},
    )
    raises("Unable to parse 'trace_rate', got: x", t.read, "update_trace_settings", settings={"trace_rate": "x"})
    raises("Unable to parse 'trace_count'", t.read, "update_trace_settings", settings={"trace_count": "-2"})
    raises("Request for unknown model : no_such_model", t.read, "get_trace_settings", "no_such_model")


@check("log settings: read and change")
def log(t):
    first = _log(t, t.read("get_log_settings"))
    equal(
        set(first),
        {"log_file", "log_info", "log_warning", "log_error", "log_verbose_level", "log_format"},
    )
    changed = _log(t, t.read("update_log_settings", settings={"log_info": False, "log_verbose_level": 1}))
    equal([changed["log_info"], changed["log_verbose_level"]], [False, 1])
    formatted = _log(t, t.read("update_log_settings", settings={"log_format": "ISO8601"}))
    equal(formatted["log_format"], "ISO8601")
    kept = ("log_info", "log_verbose_level", "log_format")
    back = _log(t, t.read("update_log_settings", settings={key: first[key] for key in kept}))
    equal(back, first, "at the end")


@check("log settings that are refused")
def log_faults(t):
    raises(
        "log file location can not be updated through network protocol",
        t.read,
        "update_log_settings",
        settings={"log_file": "elsewhere"},
        status=("501", "UNIMPLEMENTED"),
    )
    raises("got: strange", t.read, "update_log_settings", settings={"log_format": "strange"})
    if t.is_grpc:
        return  # the client itself cannot send values of another type
    raises("non-boolean as boolean", t.read, "update_log_settings", settings={"log_info": "true"})
    for level in ("1", -1):
        raises("unsigned-integer", t.read, "update_log_settings", settings={"log_verbose_level": level})
