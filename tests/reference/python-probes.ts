// Expressions that a Python model evaluates on both sides: what the interface for models does with each.

import { STATUS_CODES } from '../../src-shared/errors.ts';
import { ARGUMENT_PROBES } from './python-argument-probes.ts';

/** By theme; several lines leave their answer in `result`. `request()` makes one for a model, `this` is the running one. */
export const PROBES: Readonly<Record<string, readonly string[]>> = {
  tensors: [
    'Tensor(None, np.zeros(1))',
    'Tensor("", np.zeros(1))',
    'Tensor("a", None)',
    'Tensor("a", [1, 2])',
    'Tensor("a", np.float32(1))',
    'Tensor("a", np.array(["x"]))',
    'Tensor("a", np.zeros(1, np.complex64))',
    'Tensor("a", np.array(5)).shape()',
    'Tensor("a", np.zeros((2, 0))).shape()',
    'Tensor("a", np.zeros((2, 3), np.int8)).shape()',
    'Tensor("a", np.zeros(2)).name()',
    'Tensor("a", np.zeros(2)).is_cpu()',
    'Tensor("a", np.zeros((2, 3)).T).as_numpy().flags.c_contiguous',
    'Tensor("a", np.arange(6).reshape(2, 3).T).as_numpy().tolist()',
    'Tensor("a", np.array([b"x", b""], dtype=object)).as_numpy().tolist()',
    'Tensor("a", np.array(["x", 5, None, b"y"], dtype=object)).as_numpy().tolist()',
    'Tensor("a", np.array([b"ab", b"c"])).as_numpy().tolist()',
    'Tensor("a", np.array([[b"a"], [b"b"]], dtype=object)).shape()',
    'Tensor("a", np.array([True])).as_numpy().dtype.name',
  ],
  classes: [
    ...[
      'Tensor',
      'InferenceRequest',
      'InferenceResponse',
      'TritonError',
      'TritonModelException',
      'MetricFamily',
      'PreferredMemory',
      'Logger',
      'ModelConfig',
    ].map((name) => `repr(pb_utils.${name})`),
    ...[
      'this',
      'this.inputs()',
      'this.inputs()[0]',
      'this.get_response_sender()',
      'this.trace()',
      'this.parameters()',
      'this.request_id()',
      'this.correlation_id()',
      'this.timeout()',
      'this.flags()',
      'request()',
      'request().exec()',
      'request().exec().output_tensors()',
      'request().exec().error()',
      'Tensor("a", np.zeros(1))',
      'Tensor("a", np.zeros(1)).shape()',
      'Tensor("a", np.zeros(1)).to_dlpack()',
      'Tensor("a", np.zeros(1)).__dlpack_device__()',
      'TritonError("x").code()',
      'TritonError.INTERNAL',
      'pb_utils.TRITONSERVER_MEMORY_CPU',
      'pb_utils.MetricFamily.COUNTER',
      'pb_utils.Logger.INFO if hasattr(pb_utils.Logger, "INFO") else None',
      'family(pb_utils.MetricFamily.COUNTER)',
      'family(pb_utils.MetricFamily.COUNTER).Metric(labels={})',
    ].map((value) => `repr(type(${value}))`),
    'repr(TritonError.INTERNAL)',
    'str(TritonError.INTERNAL)',
    'f"{TritonError.INTERNAL}"',
    'TritonError.INTERNAL == 1',
    'str(pb_utils.MetricFamily.COUNTER)',
    'str(pb_utils.TRITONSERVER_MEMORY_CPU)',
    '__import__("c_python_backend_utils").__name__',
    'repr(pb_utils.MetricFamily.COUNTER)',
    'repr(pb_utils.TRITONSERVER_MEMORY_CPU)',
    'pb_utils.Tensor.__module__',
    'pb_utils.TritonModelException.__mro__[1].__name__',
    'this + 1',
    'len(this)',
    'this.nothing',
    'Tensor("a", np.zeros(1)).nothing',
    'InferenceResponse([]).nothing',
    '[pb_utils] and pb_utils.nothing',
  ],
  // Reading foreign tensors ends the reference's process on a machine without a GPU: not asked.
  dlpack: [
    'Tensor("a", np.zeros(2)).__dlpack_device__()',
    'np.from_dlpack(Tensor("b", np.arange(6).reshape(2, 3))).tolist()',
    'Tensor.from_dlpack("a", 5)',
    'Tensor("a", np.array([b"x"], dtype=object)).to_dlpack()',
  ],
  responses: [
    'InferenceResponse(None)',
    'InferenceResponse([None])',
    'InferenceResponse([1])',
    'InferenceResponse().output_tensors()',
    'InferenceResponse([], "x")',
    'InferenceResponse([], None).error()',
    'InferenceResponse([]).has_error()',
    'InferenceResponse([], TritonError("x")).error().message()',
    'InferenceResponse([], TritonError("x")).has_error()',
    'InferenceResponse(output_tensors=[], error=TritonError("")).has_error()',
    'pb_utils.get_output_tensor_by_name(InferenceResponse([Tensor("a", np.zeros(1))]), "a").name()',
    'pb_utils.get_output_tensor_by_name(InferenceResponse([Tensor("a", np.zeros(1))]), "b")',
    'TritonError()',
    'TritonError(None)',
    'TritonError("x", None)',
    'TritonError("x", 77)',
    'TritonError("x", 1)',
    'TritonError("x").message()',
    'int(TritonError("x").code())',
    ...STATUS_CODES.map((code) => `int(TritonError("x", TritonError.${code}).code())`),
    'str(TritonModelException("x"))',
    'issubclass(TritonModelException, Exception)',
  ],
  requests: [
    'InferenceRequest()',
    'InferenceRequest("x", [], [])',
    'request(None)',
    'request(inputs=None)',
    'request(inputs=[None])',
    'request(inputs=[5])',
    'request(request_id=None)',
    'request(request_id="7").request_id()',
    'request().request_id()',
    'request(flags=None)',
    'request(flags=1).flags()',
    'request(flags=3).flags()',
    'request(timeout=None)',
    'request(timeout=5).timeout()',
    'request(timeout=-1)',
    'request(correlation_id=None)',
    'request(correlation_id=1.5)',
    'request(correlation_id="x").correlation_id()',
    'request(correlation_id=7).correlation_id()',
    'request().correlation_id()',
    'request(preferred_memory=None)',
    'request(trace=None)',
    'request(model_version=None)',
    'request(model_version="x")',
    'request(requested_output_names=["a"]).requested_output_names()',
    'request(requested_output_names=[""], request_id="7")',
    'request(requested_output_names=[None])',
    'request(requested_output_names="ab")',
    'this.request_id()',
    'this.correlation_id()',
    'this.flags()',
    'this.timeout()',
    'this.parameters()',
    'this.requested_output_names()',
    'len(this.inputs())',
    'this.is_cancelled()',
    'this.set_flags(2) or this.flags()',
    'this.set_release_flags(None)',
    'this.get_response_sender().send(5)',
    'this.get_response_sender().send(flags=2)',
    'this.get_response_sender().send(flags=0)',
    'this.get_response_sender().is_cancelled()',
    'request().get_response_sender().send(flags=1)',
  ],
  functions: [
    ...Array.from({ length: 16 }, (_, code) => `pb_utils.triton_to_numpy_type(${code})`),
    ...['float32', 'float16', 'float64', 'bool_', 'int8', 'uint64', 'object_', 'bytes_', 'complex64'].map(
      (type) => `pb_utils.numpy_to_triton_type(np.${type})`,
    ),
    ...['BOOL', 'STRING', 'FP16', 'FP32', 'INT64', 'BF16', 'NONSENSE'].map(
      (type) => `pb_utils.triton_string_to_numpy("TYPE_${type}")`,
    ),
    'pb_utils.serialize_byte_tensor(np.array([]))',
    'pb_utils.serialize_byte_tensor(np.array([b"ab"], dtype=object))',
    'pb_utils.serialize_byte_tensor(np.array(["ä"], dtype=object))',
    'pb_utils.deserialize_bytes_tensor(b"\\x02\\x00\\x00\\x00ab\\x00\\x00\\x00\\x00").tolist()',
    'pb_utils.deserialize_bytes_tensor(b"\\x05\\x00\\x00\\x00ab")',
    'pb_utils.get_input_tensor_by_name(this, "CODE").name()',
    'pb_utils.get_input_tensor_by_name(this, "nix")',
    'pb_utils.get_input_config_by_name({"input": [{"name": "a"}]}, "a")',
    'pb_utils.get_input_config_by_name({}, "a")',
    'pb_utils.get_output_config_by_name({"output": []}, "a")',
    'pb_utils.using_decoupled_model_transaction_policy({"model_transaction_policy": {"decoupled": True}})',
    'pb_utils.using_decoupled_model_transaction_policy({})',
    'os.path.basename(pb_utils.get_model_dir())',
    'pb_utils.TRITONSERVER_REQUEST_FLAG_SEQUENCE_START',
    'pb_utils.TRITONSERVER_REQUEST_FLAG_SEQUENCE_END',
    'pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL',
    'pb_utils.TRITONSERVER_REQUEST_RELEASE_RESCHEDULE',
    'pb_utils.Logger.log(None)',
    'pb_utils.Logger.log("x", "y")',
    'pb_utils.Logger.log(5)',
    'pb_utils.Logger.log_warn("x")',
    'pb_utils.PreferredMemory(None)',
    'type(pb_utils.PreferredMemory(pb_utils.TRITONSERVER_MEMORY_CPU)).__name__',
    '__name__',
  ],
  calls: [
    'call("echo", [1.0])',
    'call("nope", [1.0])',
    'call("spare", [1.0])',
    'call("echo", [1.0], names=["nope"])',
    'call("echo", [1.0], dtype=np.int32)',
    'call("echo", [[1.0]])',
    'call("echo", [1.0], model_version=1)',
    'call("echo", [1.0], model_version=9)',
    'call("echo", None)',
    'call("echo", [1.0], input_name="X")',
    'call("fails", [1.0])',
    'call("raises", [1.0])',
    'call("repeat", [1.0])',
    'call("tell", [1.0], parameters={"a": 1, "b": "x", "c": True})',
    'call("tell", [1.0], request_id="r", correlation_id=5, flags=3)',
    'call("tell", [1.0], correlation_id="text")',
    'call("tell", [1.0], timeout=77)',
    'stream("repeat", [1.0, 2.0, 3.0])',
    'stream("repeat", [])',
    'stream("echo", [1.0])',
    'stream("nope", [1.0])',
    'stream("fails", [1.0])',
    'twice("repeat", [1.0, 2.0])',
    'cut("repeat", [1.0, 2.0, 3.0])',
  ],
  ...ARGUMENT_PROBES,
  // Loading and unloading from inside of a model ends the reference's process now and then: not asked.
  'model control': [
    'pb_utils.is_model_ready("echo")',
    'pb_utils.is_model_ready("nope")',
    'pb_utils.is_model_ready("echo", "1")',
    'pb_utils.is_model_ready("echo", "9")',
    'pb_utils.is_model_ready("")',
    'pb_utils.is_model_ready("spare")',
  ],
};

const PARAMETERS = ['[1]', '1.5', 'None', '{"b": 1}', 'b"x"', '1', '"x"', 'True', '2**63'];

/** Parameters that are and are not taken. */
export const PARAMETER_PROBES: readonly string[] = [
  ...['{}', 'None', '3', '[]', '"x"', '{3: 3}', '{None: 3}', '{"": 3}'],
  ...PARAMETERS.map((value) => `{"a": ${value}, "b": 2}`),
].map((value) => `request(parameters=${value}).parameters()`);

export const PROBE_CODE = `
# The interface is complete only after the import of the model.
NAMES = ("Tensor", "InferenceRequest", "InferenceResponse", "TritonError", "TritonModelException")
# Models that choose what they do by a parameter.
GROUPS = {"fails": "answers", "raises": "answers", "tell": "texts", "repeat": "streams"}


def request(model="probe", **changed):
    return pb_utils.InferenceRequest(**{"inputs": [], "requested_output_names": [], "model_name": model, **changed})


families = []


def family(kind):
    families.append(pb_utils.MetricFamily(name=f"asked_{len(families)}", description="d", kind=kind))
    return families[-1]


def use(kind, action):
    return action(family(kind).Metric(labels={"a": "b"}))


def shown(response):
    if response.has_error():
        return f"{int(response.error().code())} {response.error().message()}"
    return [(t.name(), t.as_numpy().tolist()) for t in response.output_tensors()]


def asking(model, values, names=("OUTPUT0",), dtype=np.float32, input_name="INPUT0", **more):
    inputs = [] if values is None else [pb_utils.Tensor(input_name, np.array(values, dtype))]
    if model in GROUPS:
        more["parameters"] = {**more.get("parameters", {}), "case": model}
    return request(GROUPS.get(model, model), inputs=inputs, requested_output_names=list(names), **more)


def call(model, values, **more):
    return shown(asking(model, values, **more).exec())


def stream(model, values):
    return [shown(r) for r in asking(model, values).exec(decoupled=True)]


def twice(model, values):
    found = asking(model, values).exec(decoupled=True)
    return [shown(r) for r in found] == [shown(r) for r in found]


def cut(model, values):
    found = asking(model, values).exec(decoupled=True)
    for one in found:
        break
    return [shown(one), [shown(r) for r in found]]


def refused(act, kind=TypeError):
    try:
        return str(act())
    except kind as error:
        return f"{kind.__name__}, {error}" if kind is TypeError else f"{kind.__name__}"


def evaluate(text, names):
    try:
        if "\\n" in text:
            exec(text, names)
            return str(names["result"])
        return repr(eval(text, names))
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for each in requests:
            codes = each.inputs()[0].as_numpy()
            results = [evaluate(code.decode(), {**globals(), **{n: getattr(pb_utils, n) for n in NAMES}, "this": each}) for code in codes]
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("RESULT", np.array(results, dtype=object))]))
        return responses
`;
