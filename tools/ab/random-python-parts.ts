// What random Python models are put together from: things that auto_complete_config, initialize and execute may do.
// Left out, because the reference ends or hangs by them: a request that nobody answers, two responses or none where one is
// meant, correlation ids of text, a call that never ends.

import { STATUS_CODES } from '../../src-shared/errors.ts';

/** Above every model. What a model wants to tell is the text of an error: it fits outputs of all types. */
export const PRELUDE = `import asyncio, json, os, sys, threading, time
import numpy as np
import triton_python_backend_utils as pb_utils

FINAL = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL


def out(array, name="OUTPUT0", **more):
    return pb_utils.InferenceResponse([pb_utils.Tensor(name, array)], **more)


def first(request):
    tensor = pb_utils.get_input_tensor_by_name(request, "INPUT0")
    return None if tensor is None else tensor.as_numpy()


def failed(text, *code):
    return pb_utils.InferenceResponse(error=pb_utils.TritonError(str(text), *code))


def tensors(request):
    return [(t.name(), str(t.as_numpy().dtype), t.shape(), t.as_numpy().tolist()) for t in request.inputs()]


def call(request, model, array, names=("OUTPUT0",), input_name="INPUT0", decoupled=None, **more):
    asked = pb_utils.InferenceRequest(
        model_name=model, requested_output_names=list(names), inputs=[pb_utils.Tensor(input_name, array)], **more)
    answers = asked.exec() if decoupled is None else asked.exec(decoupled=decoupled)
    shown = []
    for answer in [answers] if decoupled is None or not decoupled else answers:
        if answer.has_error():
            shown.append(f"{int(answer.error().code())} {answer.error().message()}")
        else:
            shown.append([(t.name(), str(t.as_numpy().dtype), t.shape(), t.as_numpy().tolist()) for t in answer.output_tensors()])
    return failed(shown)


`;

/** An array for an output: `x` is the first input or None, `T` the type that numpy has for the output. */
export const ARRAYS: readonly string[] = [
  'same(x)',
  'same(x)',
  'same(x)[:1]',
  'np.zeros((1, 3), T)',
  'np.zeros(4, T)',
  'np.zeros((0, 3), T)',
  'np.zeros(0, T)',
  'np.array(5).astype(T)',
  'np.ones((2, 2, 2), T)',
  'np.arange(12).reshape(3, 4).astype(T).T',
  'np.arange(10).astype(T)[::3]',
  'np.arange(4).astype(np.float16)',
  'np.arange(4).astype(np.int8)',
  'np.arange(4).astype(np.float64)',
  'np.array([True, False])',
  'np.array([np.nan, np.inf, -np.inf, -0.0, 1e30], np.float32)',
  'np.array([2**63, 2**64 - 1], np.uint64)',
  'np.array(["a", b"\\x00b", "", "schön", 5, None, 1.5], dtype=object)',
  'np.array([b"abc", b"d\\x00"])',
  'np.array([], dtype=object)',
  'np.array([[b"x"], [b"\\xff"]], dtype=object)',
  'np.array(["text"])',
  'np.zeros(2, np.complex64)',
  'np.array([1, 2], ">i4")',
];

/** Of one request: an expression for its response. */
export const RESPONSES: readonly string[] = [
  'pb_utils.InferenceResponse([])',
  'pb_utils.InferenceResponse()',
  'out(same(x), "OUTPUT1")',
  'out(same(x), "NOTHING")',
  'out(same(x), "")',
  'out(same(x), "INPUT0")',
  'pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", same(x)), pb_utils.Tensor("OUTPUT1", same(x))])',
  'pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT1", same(x)), pb_utils.Tensor("OUTPUT0", same(x))])',
  'pb_utils.InferenceResponse(request.inputs())',
  'pb_utils.InferenceResponse([None])',
  'pb_utils.InferenceResponse(None)',
  'pb_utils.InferenceResponse([x])',
  'out(same(x), error=pb_utils.TritonError("both"))',
  'out(same(x), error=None)',
  'out(same(x), error="text")',
  'failed("")',
  'failed("two\\nlines and \\"quotes\\" and ünicode \\\\")',
  'failed("x" * 3000)',
  'failed("x", 77)',
  'failed("x", None)',
  'failed("x", 1)',
  'pb_utils.TritonError("x")',
  ...STATUS_CODES.map((code) => `failed("with ${code}", pb_utils.TritonError.${code})`),
  'failed(tensors(request))',
  'failed(sorted(json.loads(request.parameters()).items()))',
  'failed([request.request_id(), request.correlation_id(), request.flags(), request.timeout()])',
  'failed(sorted(request.requested_output_names()))',
  'failed([type(request.correlation_id()).__name__, type(request.timeout()).__name__, request.is_cancelled()])',
  'failed(self.told)',
  'failed(pb_utils.get_input_tensor_by_name(request, "INPUT1") is None)',
  'failed([os.path.basename(pb_utils.get_model_dir()), __name__, os.path.basename(__file__)])',
  'failed(sorted(type(t.as_numpy()).__name__ + str(t.as_numpy().dtype) + str(t.as_numpy().flags.writeable) for t in request.inputs()))',
  'failed(x.base is None)',
  'None if False else 5',
  '"text"',
  '[out(same(x))]',
  'pb_utils.Tensor("OUTPUT0", same(x))',
];

/** Calls of other models, by expression. */
export const CALLS: readonly string[] = [
  'call(request, "copy", np.ones((1, 4), np.float32))',
  'call(request, "copy", np.ones((1, 3), np.float32))',
  'call(request, "copy", np.ones((9, 4), np.float32))',
  'call(request, "copy", np.ones((1, 4), np.int32))',
  'call(request, "copy", np.ones((1, 4), np.float32), names=[])',
  'call(request, "copy", np.ones((1, 4), np.float32), names=["OUTPUT0", "OUTPUT0"])',
  'call(request, "copy", np.ones((1, 4), np.float32), names=["NOTHING"])',
  'call(request, "copy", np.ones((1, 4), np.float32), input_name="OTHER")',
  'call(request, "copy", np.ones((1, 4), np.float32), model_version=1)',
  'call(request, "copy", np.ones((1, 4), np.float32), model_version=7)',
  'call(request, "copy", np.ones((1, 4), np.float32), decoupled=True)',
  'call(request, "copy", np.ones((1, 4), np.float32), decoupled=False)',
  'call(request, "whole", np.ones((2, 4), np.float32), request_id="inner", timeout=5_000_000)',
  'call(request, "nobody", np.ones((1, 4), np.float32))',
  'call(request, "", np.ones((1, 4), np.float32))',
  'call(request, "helper", np.array([2], np.int32), decoupled=True)',
  'call(request, "helper", np.array([0], np.int32), decoupled=True)',
  'call(request, "helper", np.array([-1], np.int32), decoupled=True)',
  'call(request, "helper", np.array([2], np.int32))',
  'call(request, "teller", np.array([1], np.int32), parameters={"a": 1, "b": "x", "c": True})',
  'call(request, "teller", np.array([2], np.int32), correlation_id=7, flags=3, request_id="r", timeout=1_000_000)',
  'call(request, "teller", np.array([3], np.int32), parameters={})',
  'call(request, "teller", np.array([4], np.int32), parameters=None)',
  'call(request, "teller", np.array([5], np.int32), flags=1)',
  'call(request, "teller", np.array([], np.int32))',
  'call(request, "teller", np.array(5, np.int32))',
  'call(request, "teller", np.array([b"text"], dtype=object))',
  'failed([pb_utils.is_model_ready("copy"), pb_utils.is_model_ready("nobody"), pb_utils.is_model_ready("copy", "3")])',
];

/** Whole bodies of execute. */
export const BODIES: readonly string[] = [
  'return []',
  'return 5',
  'return ()',
  'return {}',
  'return ["x"] * len(requests)',
  'return [5] * (len(requests) + 1)',
  'return [out(same(first(r))) for r in requests] + [None]',
  'return (out(same(first(r))) for r in requests)',
  'return tuple(out(same(first(r))) for r in requests)',
  'raise ValueError("on purpose")',
  'raise pb_utils.TritonModelException("on purpose")',
  'raise KeyError("on purpose")',
  'raise ValueError()',
  'raise Exception("schön\\nzwei")',
  'assert len(requests) == 0, "assertion"',
  'return undefined_name',
  'pb_utils.Logger.log_info("told"); return [failed("after a log")] * len(requests)',
  '[r.get_response_sender().send(out(same(first(r))), FINAL) for r in requests]',
  '[r.get_response_sender().send(failed("sent"), FINAL) for r in requests]',
  '[(r.get_response_sender().send(out(same(first(r)))), r.get_response_sender().send(flags=FINAL)) for r in requests]; return None',
  '[r.get_response_sender().send(out(same(first(r))), 2) for r in requests]',
  '[r.get_response_sender().send() for r in requests]',
  '[r.get_response_sender().send(5) for r in requests]',
];

/** What a decoupled model does with one request; `s` is its sender. A final flag always follows. */
export const SENDS: readonly string[] = [
  's.send(out(same(x)))',
  's.send(out(same(x)))',
  's.send(out(same(x)), flags=0)',
  's.send(failed("middle"))',
  's.send(failed("unavailable", pb_utils.TritonError.UNAVAILABLE))',
  's.send(out(np.zeros(0, T)))',
  's.send(out(np.arange(4).astype(np.int8)))',
  's.send(pb_utils.InferenceResponse([]))',
  's.send(out(same(x), "NOTHING"))',
  's.send(out(same(x), "OUTPUT1"))',
  's.send(out(same(x), error=pb_utils.TritonError("both")))',
  's.send(out(np.array([b"x", "y"], dtype=object)))',
  'time.sleep(0.01)',
  's.send(failed([s.is_cancelled(), request.is_cancelled()]))',
];

/** Ends of a decoupled request. */
export const ENDS: readonly string[] = [
  's.send(flags=FINAL)',
  's.send(flags=FINAL)',
  's.send(out(same(x)), FINAL)',
  's.send(failed("last"), FINAL)',
  's.send(flags=FINAL); s.send(flags=FINAL)',
  's.send(out(same(x)), FINAL); s.send(out(same(x)))',
  's.send(out(same(x)), 2)',
  's.send()',
  's.send("text")',
  'raise ValueError("on purpose")',
  // Inputs belong to execute: what runs later has its own copy.
  'y = same(x).copy(); threading.Thread(target=lambda s=s, y=y: (time.sleep(0.02), s.send(out(y)), s.send(flags=FINAL))).start()',
  's.send(flags=FINAL); return [out(same(x))]',
];

/** What initialize does before it ends. */
export const BEGINNINGS: readonly string[] = [
  'pass',
  'return 5',
  'raise RuntimeError("not today")',
  'raise pb_utils.TritonModelException("not today")',
  'raise ValueError()',
  'pb_utils.Logger.log_warn("beginning")',
  'print("printed")',
  'call(None, "copy", np.ones((1, 4), np.float32))',
  'self.told = sorted(args)',
  'self.told = [args[k] for k in ("model_instance_kind", "model_instance_device_id", "model_version", "model_instance_name")]',
  'self.told = json.loads(args["model_config"])["input"]',
  'self.told = json.loads(args["model_config"])["instance_group"]',
  'self.told = sorted(json.loads(args["model_config"]))',
  'self.told = json.loads(args["model_config"]).get("parameters")',
  'self.told = pb_utils.get_output_config_by_name(json.loads(args["model_config"]), "OUTPUT0")',
  'self.told = pb_utils.using_decoupled_model_transaction_policy(json.loads(args["model_config"]))',
  'self.told = os.path.relpath(pb_utils.get_model_dir(), args["model_repository"])',
  'self.told = args["nothing"]',
];

/** Other things that auto_complete_config may do than to name what fits. */
export const COMPLETIONS: readonly string[] = [
  'c.set_max_batch_size(4)',
  'c.set_max_batch_size(0)',
  'c.set_max_batch_size(-1)',
  'c.set_max_batch_size("4")',
  'c.set_max_batch_size(2.5)',
  'c.set_dynamic_batching()',
  'c.set_dynamic_batching(); c.set_dynamic_batching()',
  'c.set_model_transaction_policy({"decoupled": True})',
  'c.set_model_transaction_policy({"decoupled": False})',
  'c.set_model_transaction_policy({})',
  'c.set_model_transaction_policy({"x": True})',
  'c.add_input({"name": "INPUT0", "data_type": "TYPE_INT32", "dims": [-1]})',
  'c.add_input({"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [4]})',
  'c.add_input({"name": "INPUT0", "data_type": "TYPE_FP32", "dims": (-1,)})',
  'c.add_input({"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [-1], "optional": True})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": [2, 3], "optional": True})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_STRING", "dims": []})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": [0]})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": [-2]})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": "x"})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": [1.5]})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": None})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": 4})',
  'c.add_input({"name": "INPUT9", "data_type": "FP32", "dims": [1]})',
  'c.add_input({"name": "INPUT9", "data_type": 11, "dims": [1]})',
  'c.add_input({"name": "", "data_type": "TYPE_FP32", "dims": [1]})',
  'c.add_input({"name": 5, "data_type": "TYPE_FP32", "dims": [1]})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32", "dims": [1], "reshape": {}})',
  'c.add_input({"name": "INPUT9", "data_type": "TYPE_FP32"})',
  'c.add_input({"name": "INPUT9", "dims": [1]})',
  'c.add_input({"data_type": "TYPE_FP32", "dims": [1]})',
  'c.add_input({"data_type": "TYPE_FP32", "dims": [1], "x": 1})',
  'c.add_input({})',
  'c.add_input(None)',
  'c.add_input("INPUT0")',
  'c.add_input([])',
  'c.add_output({"name": "OUTPUT0", "data_type": "TYPE_INT32", "dims": [-1]})',
  'c.add_output({"name": "OUTPUT0", "data_type": "TYPE_FP32", "dims": [4]})',
  'c.add_output({"name": "OUTPUT9", "data_type": "TYPE_BF16", "dims": [2]})',
  'c.add_output({"name": "OUTPUT9", "data_type": "TYPE_FP32", "dims": [1], "optional": True})',
  'c.add_output({"name": "OUTPUT9", "data_type": "TYPE_FP32", "dims": [0]})',
  'c.add_output({"data_type": "TYPE_FP32", "dims": [1], "x": 1})',
  'c.add_output({"name": "OUTPUT9", "data_type": "TYPE_FP32"})',
  'c.add_output({"name": "OUTPUT9", "dims": [1]})',
  'c.add_output(5)',
  'c.as_dict()["max_batch_size"] = 3',
  'c.as_dict()["name"] = "other"',
  'c.as_dict()["input"] = []',
  'c.as_dict()["output"].clear()',
  'c.as_dict()["nothing"] = 5',
  'c.as_dict()["parameters"] = {"a": {"string_value": "b"}}',
  'c.as_dict()["instance_group"] = [{"count": 2, "kind": "KIND_CPU"}]',
  'c.as_dict()["backend"] = "onnxruntime"',
  'c.as_dict().pop("name")',
  'print("completing")',
  'pb_utils.Logger.log_info("completing")',
  'raise ValueError("cannot complete")',
  'raise ValueError(sorted(c.as_dict()))',
  'raise ValueError([c.as_dict()["input"], c.as_dict()["max_batch_size"]])',
  'raise pb_utils.TritonModelException("cannot complete")',
  'return 5',
  'return None',
  'return c.as_dict()',
  'return pb_utils.ModelConfig(json.dumps(c.as_dict()))',
  'undefined_name',
  'pb_utils.InferenceRequest(model_name="copy", requested_output_names=[], inputs=[]).exec()',
];
