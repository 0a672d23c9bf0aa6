"""A text pipeline of networks and Python steps, and answers of a decoupled model that another model takes."""

import numpy as np

from clients import GRPC
from expectations import equal, raises
from registry import check
from streaming import collect

SERVER = "python"

# The letters that the recogniser knows, rows of bits.
LETTERS = {
    "C": [0x3C, 0x66, 0x60, 0x60, 0x60, 0x60, 0x66, 0x3C],
    "H": [0x66, 0x66, 0x66, 0x7E, 0x7E, 0x66, 0x66, 0x66],
    "N": [0x63, 0x73, 0x7B, 0x6F, 0x67, 0x63, 0x63, 0x63],
    "O": [0x3C, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x3C],
}


def _page(text):
    """Black on white, as a scanner gives it."""
    letters = [np.unpackbits(np.array(LETTERS[each], np.uint8)[:, np.newaxis], axis=1) for each in text]
    return (255 * (1 - np.concatenate(letters, axis=1))).astype(np.uint8)


def _reads(t, model, text):
    result = t.infer(model, [t.input("input_image", _page(text), "UINT8")])
    equal([each.decode() for each in result.as_numpy("recognized_text")], [text])


@check("pipeline: detection and recognition as an ensemble of five steps", server=SERVER)
def ensemble(t):
    for text in ("CONCH", "N", "HOOCHNOC"):
        _reads(t, "pipeline_ensemble", text)


@check("pipeline: the same by one model that calls the networks", server=SERVER)
def calling(t):
    for text in ("CONCH", "O"):
        _reads(t, "pipeline_bls", text)


@check("pipeline: a network without a configuration is completed from its file", server=SERVER)
def completed(t):
    told = t.read("get_model_config", "pipeline_text_detection")
    config = told.get("config", told)
    equal([each["name"] for each in config["input"]], ["input_images:0"])
    equal([each["name"] for each in config["output"]], ["feature_fusion/Conv_7/Sigmoid:0"])


@check("pipeline: a page of another height is refused before any step runs", server=SERVER)
def refused(t):
    raises("unexpected shape", t.infer, "pipeline_ensemble", [t.input("input_image", np.zeros((9, 8), np.uint8), "UINT8")])


@check("pipeline: a number is answered that many times", on=GRPC, server=SERVER)
def square(t):
    asked = [
        {"model_name": "pipeline_square", "inputs": [t.input("IN", np.array([count], np.int32), "INT32")], "request_id": str(count)}
        for count in (2, 3)
    ]
    seen = {}
    for result, error in collect(t, asked, 5):
        equal(error, None)
        seen.setdefault(result.get_response().id, []).append(int(result.as_numpy("OUT")[0]))
    equal(seen, {"2": [2, 2], "3": [3, 3, 3]})


@check("pipeline: a model adds up the answers of a decoupled one", server=SERVER)
def summed(t):
    for count in (0, 1, 5):
        result = t.infer("pipeline_square_sum", [t.input("IN", np.array([count], np.int32), "INT32")])
        equal(int(result.as_numpy("SUM")[0]), count * count)
