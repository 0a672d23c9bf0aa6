"""Real models of the quick start, many calls at once, classification, decoupled models where they cannot be asked."""

import asyncio
import pathlib
import queue

import numpy as np
from PIL import Image

from clients import GRPC
from expectations import equal, holds, raises, same_array
from registry import check


def _pair(t, datatype, make=np.array, rows=1, binary=True):
    left = make(np.arange(16 * rows).reshape(rows, 16))
    right = make(np.ones((rows, 16), np.int64))
    return [t.input("INPUT0", left, datatype, binary), t.input("INPUT1", right, datatype, binary)]


def _texts(array):
    return np.array([str(v).encode() for v in array.reshape(-1)], np.object_).reshape(array.shape)


@check("quick start: add and subtract, INT32, INT8 and text")
def quickstart(t):
    for model, datatype, make in (
        ("simple", "INT32", lambda a: a.astype(np.int32)),
        ("simple_int8", "INT8", lambda a: a.astype(np.int8)),
        ("simple_string", "BYTES", _texts),
    ):
        result = t.infer(model, _pair(t, datatype, make))
        base = np.arange(16).reshape(1, 16)
        same_array(result.as_numpy("OUTPUT0"), make(base + 1), model)
        same_array(result.as_numpy("OUTPUT1"), make(base - 1), model)


@check("quick start: full batch")
def full_batch(t):
    result = t.infer("simple", _pair(t, "INT32", lambda a: a.astype(np.int32), rows=8))
    equal(result.as_numpy("OUTPUT0").shape, (8, 16))


@check("64 requests at once, each with its own answer")
def at_once(t):
    arrays = [np.full(3, number, np.int32) for number in range(64)]
    inputs = [[t.input("INPUT0", array, "INT32")] for array in arrays]
    if t.is_async:

        async def run():
            return await asyncio.gather(*(t.client.infer("echo_int32", one) for one in inputs))

        results = t.wait(run())
    elif t.is_grpc:
        done = queue.Queue()
        for number, one in enumerate(inputs):
            t.client.async_infer(
                "echo_int32", one, lambda result, error, n=number: done.put((n, result, error))
            )
        answers = sorted((done.get(timeout=30) for _ in inputs), key=lambda answer: answer[0])
        equal([error for _, _, error in answers if error is not None], [])
        results = [result for _, result, _ in answers]
    else:
        pending = [t.client.async_infer("echo_int32", one) for one in inputs]
        results = [one.get_result(timeout=30) for one in pending]
    for array, result in zip(arrays, results):
        same_array(result.as_numpy("OUTPUT0"), array)


def _picture(file):
    image = Image.open(file).convert("RGB").resize((32, 32), Image.Resampling.BILINEAR)
    return (np.asarray(image).astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)


@check("image classification with labels")
def images(t):
    labels = pathlib.Path(t.world["labels"]).read_text(encoding="utf-8").splitlines()
    for file in sorted(pathlib.Path(t.world["images"]).glob("*.jp*g")):
        picture = _picture(file)
        result = t.infer(
            "image_classifier", [t.input("pixels", picture, "FP32")], outputs=[t.output("scores", classes=3)]
        )
        seen = result.as_numpy("scores")
        equal(seen.shape, (3,), "shape")
        scores = t.infer("image_classifier", [t.input("pixels", picture, "FP32")]).as_numpy("scores")
        best = np.argsort(-scores, kind="stable")[:3]
        expected = [f"{scores[i]:.6f}:{i}:{labels[i]}" for i in best]
        equal([e.decode() for e in seen], expected, file.name)


@check("classification: shape, order, ties, labels, beyond the size")
def classification(t):
    array = np.array([[1, 1, 1, 1, 1]], np.float32)
    for binary in (True,) if t.is_grpc else (True, False):
        result = t.infer(
            "batch_fp32",
            [t.input("INPUT0", array, "FP32")],
            outputs=[t.output("OUTPUT0", binary=binary, classes=5)],
        )
        seen = result.as_numpy("OUTPUT0")
        equal(seen.shape, (1, 5))
        texts = [e.decode() if isinstance(e, bytes) else str(e) for e in seen[0]]
        equal(texts, ["1.000000:0:zero", "1.000000:1:one", "1.000000:2:two", "1.000000:3", "1.000000:4"])
    array = np.array([[3, -1.5, 7], [2, 9, 4]], np.float32)
    result = t.infer(
        "batch_fp32", [t.input("INPUT0", array, "FP32")], outputs=[t.output("OUTPUT0", classes=99)]
    )
    texts = [[e.decode() for e in row] for row in result.as_numpy("OUTPUT0")]
    equal(texts[0], ["7.000000:2:two", "3.000000:0:zero", "-1.500000:1:one"])
    equal([text.split(":")[1] for text in texts[1]], ["1", "2", "0"])


@check("classification of types that have no order is refused")
def classification_refused(t):
    for datatype, array in (("BOOL", np.array([True])), ("BYTES", np.array([b"x"], np.object_))):
        raises(
            f"class result not available for output due to unsupported type '{datatype}'",
            t.infer,
            f"echo_{datatype.lower()}",
            [t.input("INPUT0", array, datatype)],
            outputs=[t.output("OUTPUT0", classes=1)],
        )


@check("a decoupled model cannot be asked for one answer")
def decoupled(t):
    inputs = [t.input("IN", np.array([1], np.int32), "INT32")]
    error = raises("doesn't support models with decoupled transaction policy", t.infer, "square_int32", inputs)
    holds(error.message(), "ModelInfer RPC" if t.name in GRPC else "HTTP end point")
