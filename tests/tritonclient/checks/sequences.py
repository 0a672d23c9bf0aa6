"""Sequences: accumulated over single calls and over one stream, many at a time, with number and text ids."""

import queue

import numpy as np

from clients import GRPC
from expectations import equal, raises
from registry import check
from streaming import collect

SEQUENCES = 64
STEPS = 5


def _data(t, value):
    return [t.input("INPUT", np.array([[value]], np.int32), "INT32")]


def _value(result):
    return int(result.as_numpy("OUTPUT").reshape(-1)[0])


@check("a sequence over single calls")
def single_calls(t):
    for sequence in (1001, "a text id"):
        model = "accumulate_text" if isinstance(sequence, str) else "accumulate"
        seen = [
            _value(
                t.infer(
                    model,
                    _data(t, value),
                    sequence_id=sequence,
                    sequence_start=step == 0,
                    sequence_end=step == STEPS - 1,
                )
            )
            for step, value in enumerate(range(1, STEPS + 1))
        ]
        equal(seen[: STEPS - 1], [1, 3, 6, 10], f"sums of sequence {sequence!r}")


@check("quick start: both sequence models")
def quickstart(t):
    for model in ("simple_sequence", "simple_dyna_sequence"):
        seen = [
            _value(
                t.infer(
                    model,
                    _data(t, value),
                    sequence_id=77,
                    sequence_start=step == 0,
                    sequence_end=step == 2,
                )
            )
            for step, value in enumerate((1, 2, 3))
        ]
        equal(len(seen), 3, model)


@check("faulty sequence requests")
def faults(t):
    raises(
        "inference request to model 'accumulate' must specify a non-zero or non-empty correlation ID",
        t.infer,
        "accumulate",
        _data(t, 1),
    )
    raises(
        "inference request for sequence 999 to model 'accumulate' must specify the START flag on the first request of"
        " the sequence",
        t.infer,
        "accumulate",
        _data(t, 1),
        sequence_id=999,
    )
    raises(
        "must specify batch-size 1 due to requirements of sequence batcher",
        t.infer,
        "accumulate",
        [t.input("INPUT", np.array([[1], [2]], np.int32), "INT32")],
        sequence_id=5,
        sequence_start=True,
    )


def _interleaved(model, first_id):
    """Requests of all sequences in turns: sequence s adds s + step."""
    for step in range(STEPS):
        for sequence in range(SEQUENCES):
            yield {
                "model_name": model,
                "value": sequence + step,
                "request_id": f"{sequence}/{step}",
                "sequence_id": first_id + sequence,
                "sequence_start": step == 0,
                "sequence_end": step == STEPS - 1,
            }


def _register(model, adds_id):
    @check(f"{SEQUENCES} sequences interleaved on one stream: {model}", on=GRPC)
    def interleaved(t):
        first_id = 5000
        requests = []
        for wanted in _interleaved(model, first_id):
            value = wanted.pop("value")
            requests.append({**wanted, "inputs": _data(t, value)})
        answers = collect(t, requests, len(requests))
        sums = {}
        for result, error in answers:
            equal(error, None, "error")
            sequence, step = (int(part) for part in result.get_response().id.split("/"))
            sums[(sequence, step)] = _value(result)
        for sequence in range(SEQUENCES):
            for step in range(STEPS):
                expected = sum(sequence + s for s in range(step + 1))
                if adds_id and step == STEPS - 1:
                    expected += first_id + sequence
                equal(sums[(sequence, step)], expected, f"sequence {sequence} step {step}")


_register("accumulate", False)
_register("accumulate_oldest", True)


@check("one stream keeps the order of its requests", on=("grpc",))
def stream_order(t):
    seen = queue.Queue()
    t.client.start_stream(lambda result, error: seen.put((result, error)))
    values = [11, 7, 5, 3, 2, 0, 1]
    for step, value in enumerate(values):
        t.client.async_stream_infer(
            "accumulate",
            _data(t, value),
            request_id=str(step),
            sequence_id=42,
            sequence_start=step == 0,
            sequence_end=step == len(values) - 1,
        )
    answers = [seen.get(timeout=30) for _ in values]
    t.client.stop_stream()
    equal([error for _, error in answers], [None] * len(values))
    equal([result.get_response().id for result, _ in answers], [str(step) for step in range(len(values))])
    equal([_value(result) for result, _ in answers], [11, 18, 23, 26, 28, 28, 29])
