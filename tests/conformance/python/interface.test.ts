// Row 1 (arguments) and rows 5 and 12 in part (arrays in other orders, parameters): what the interface for
// models takes, gives and refuses. Rows are numbered as in the checklist of Triton's Python backend.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { PROBE, probe } from './probe-model.ts';
import { PythonWorld } from './python-world.ts';

type Row = readonly [code: string, expected: string | RegExp];

const TYPE_ERROR = /^TypeError: /;
const MODEL_ERROR = 'TritonModelException: ';

const CONSTRUCTORS: readonly Row[] = [
  ['Tensor(None, np.zeros(1))', TYPE_ERROR],
  ['Tensor(1, np.zeros(1))', TYPE_ERROR],
  ['Tensor("", np.zeros(1))', `${MODEL_ERROR}Tensor name cannot be an empty string.`],
  ['Tensor("a", None)', TYPE_ERROR],
  ['Tensor("a", [1, 2])', TYPE_ERROR],
  ['Tensor("a", np.float32(1))', TYPE_ERROR],
  ['Tensor("a", np.array(["x"]))', `${MODEL_ERROR}NumPy dtype is not supported.`],
  ['Tensor("a", np.zeros(1, np.complex64))', `${MODEL_ERROR}NumPy dtype is not supported.`],
  ['Tensor("a", np.zeros(2, ">f4"))', `${MODEL_ERROR}NumPy dtype is not supported.`],
  ['Tensor("a", np.array(5)).shape()', '[]'],
  ['Tensor("a", np.zeros((2, 3), np.int8)).shape()', '[2, 3]'],
  ['Tensor("a", np.zeros(2)).triton_dtype()', '12'],
  ['Tensor("a", np.zeros(2)).is_cpu()', 'True'],
  ['Tensor("a", np.zeros((2, 3)).T).as_numpy().flags.c_contiguous', 'True'],
  ['InferenceResponse(None)', TYPE_ERROR],
  ['InferenceResponse([None])', `${MODEL_ERROR}Output tensor for inference response should not be empty.`],
  ['InferenceResponse([1])', TYPE_ERROR],
  ['InferenceResponse().output_tensors()', '[]'],
  ['InferenceResponse([], "x")', TYPE_ERROR],
  ['InferenceResponse([], None).error()', 'None'],
  ['InferenceResponse([], TritonError("x")).error().message()', "'x'"],
  ['InferenceResponse([], TritonError("x")).has_error()', 'True'],
  ['TritonError()', TYPE_ERROR],
  ['TritonError(None)', TYPE_ERROR],
  ['TritonError("x", None)', TYPE_ERROR],
  ['TritonError("x", 77)', TYPE_ERROR],
  ['int(TritonError("x").code())', '1'],
  ['pb_utils.PreferredMemory(None)', TYPE_ERROR],
  ['pb_utils.PreferredMemory(0)', TYPE_ERROR],
  ['type(pb_utils.PreferredMemory(pb_utils.TRITONSERVER_MEMORY_CPU)).__name__', "'PreferredMemory'"],
  ['pb_utils.Logger.log(None)', TYPE_ERROR],
  ['pb_utils.Logger.log("x", "y")', TYPE_ERROR],
  ['pb_utils.Logger.log(5)', TYPE_ERROR],
  ['pb_utils.Logger.log("shown", pb_utils.Logger.WARNING)', 'None'],
];

const REQUESTS: readonly Row[] = [
  ['InferenceRequest()', TYPE_ERROR],
  ['request(None)', TYPE_ERROR],
  ['request(inputs=None)', TYPE_ERROR],
  ['request(request_id=None)', TYPE_ERROR],
  ['request(flags=None)', TYPE_ERROR],
  ['request(timeout=None)', TYPE_ERROR],
  ['request(correlation_id=None)', TYPE_ERROR],
  ['request(preferred_memory=None)', TYPE_ERROR],
  ['request(trace=None)', TYPE_ERROR],
  [
    'request(inputs=[None])',
    `${MODEL_ERROR}Input tensor for request with id '' and model name 'probe' should not be empty.`,
  ],
  [
    'request(requested_output_names=[""], request_id="7")',
    `${MODEL_ERROR}Requested output name for request with id '7' and model name 'probe' should not be empty.`,
  ],
  ['request(requested_output_names=[None])', TYPE_ERROR],
  ['request(correlation_id=1.5)', `${MODEL_ERROR}Correlation ID must be integer or string`],
  ['request(correlation_id="x").correlation_id()', "'x'"],
  ['request(parameters=3)', /^TritonModelException: .*, got <class 'int'>$/],
  [
    'request(parameters={3: 3})',
    `${MODEL_ERROR}Expect parameters keys to have type str, found type <class 'int'>`,
  ],
  [
    'request(parameters={"3": 3.5})',
    `${MODEL_ERROR}Expect parameters values to have type bool/int/str, found type <class 'float'>`,
  ],
  ['request(parameters=None).parameters()', "'{}'"],
  ['request(requested_output_names=["a"]).requested_output_names()', "{'a'}"],
  ['request(flags=1).flags()', '1'],
  [
    'request().get_response_sender().send(flags=1)',
    `${MODEL_ERROR}Unable to send response. Response sender has no reference to the decoupled state of the model.`,
  ],
  ['request().is_cancelled()', 'False'],
  ['this.get_response_sender() is this.get_response_sender()', 'True'],
  ['this.get_response_sender().send(5)', TYPE_ERROR],
  ['this.set_release_flags(None)', TYPE_ERROR],
  ['this.trace().get_context()', 'None'],
];

const RESPONSE_PARAMETERS: readonly Row[] = [
  ['[1]', "found type <class 'list'>"],
  ['1.5', "found type <class 'float'>"],
  ['None', "found type <class 'NoneType'>"],
  ['{"b": 1}', "found type <class 'dict'>"],
].map(([value, text]) => [
  `InferenceResponse([], parameters={"a": ${value}})`,
  `${MODEL_ERROR}Expect parameters values to have type bool/int/str, ${text}`,
]);

const RESPONSE_KEYS: readonly Row[] = [
  [
    'InferenceResponse([], parameters={3: 1})',
    `${MODEL_ERROR}Expect parameters keys to have type str, found type <class 'int'>`,
  ],
  ['InferenceResponse([], parameters=[1])', /^TritonModelException: .*, got <class 'list'>$/],
  ['InferenceResponse([], parameters=None).parameters()', "'{}'"],
];

const FUNCTIONS: readonly Row[] = [
  ['pb_utils.triton_to_numpy_type(11) is np.float32', 'True'],
  ['pb_utils.triton_to_numpy_type(99)', 'None'],
  ['pb_utils.numpy_to_triton_type(np.float32)', '11'],
  ['pb_utils.numpy_to_triton_type(np.object_)', '13'],
  ['pb_utils.numpy_to_triton_type(np.complex64)', 'None'],
  ['pb_utils.triton_string_to_numpy("TYPE_BOOL") is bool', 'True'],
  ['pb_utils.triton_string_to_numpy("TYPE_BF16")', "KeyError: 'TYPE_BF16'"],
  ['pb_utils.serialize_byte_tensor(np.array([]))', '()'],
  ['pb_utils.serialize_byte_tensor(np.array([b"ab"], dtype=object))', String.raw`b'\x02\x00\x00\x00ab'`],
  [
    String.raw`pb_utils.deserialize_bytes_tensor(b"\x02\x00\x00\x00ab\x00\x00\x00\x00").tolist()`,
    "[b'ab', b'']",
  ],
  [
    String.raw`pb_utils.deserialize_bytes_tensor(b"\x05\x00\x00\x00ab")`,
    /^error: unpack_from requires a buffer of at least 9 bytes/,
  ],
  ['pb_utils.get_input_tensor_by_name(this, "CODE").name()', "'CODE'"],
  ['pb_utils.get_input_tensor_by_name(this, "nix")', 'None'],
  ['pb_utils.get_output_tensor_by_name(InferenceResponse([Tensor("a", np.zeros(1))]), "a").name()', "'a'"],
  ['pb_utils.get_input_config_by_name({"input": [{"name": "a"}]}, "a")', "{'name': 'a'}"],
  ['pb_utils.get_output_config_by_name({"output": []}, "a")', 'None'],
  [
    'pb_utils.using_decoupled_model_transaction_policy({"model_transaction_policy": {"decoupled": True}})',
    'True',
  ],
  ['pb_utils.using_decoupled_model_transaction_policy({})', 'False'],
  ['os.path.basename(pb_utils.get_model_dir())', "'1'"],
  [
    '(pb_utils.TRITONSERVER_REQUEST_FLAG_SEQUENCE_START, pb_utils.TRITONSERVER_REQUEST_FLAG_SEQUENCE_END)',
    '(1, 2)',
  ],
  ['__name__', "'1.model'"],
];

const PROCESS: readonly Row[] = [
  ['__import__("sys").argv', "['']"],
  ['__import__("argparse").ArgumentParser().parse_args()', 'Namespace()'],
];

const DLPACK: readonly Row[] = [
  ['Tensor("a", np.zeros(2)).__dlpack_device__()', '(1, 0)'],
  ['Tensor.from_dlpack("a", np.arange(3)).as_numpy().tolist()', '[0, 1, 2]'],
  ['Tensor.from_dlpack("a", Tensor("b", np.arange(3)).to_dlpack()).as_numpy().tolist()', '[0, 1, 2]'],
  ['np.from_dlpack(Tensor("b", np.arange(6).reshape(2, 3))).tolist()', '[[0, 1, 2], [3, 4, 5]]'],
  ['Tensor.from_dlpack("a", np.zeros((1, 3))[:, :]).shape()', '[1, 3]'],
  ['Tensor.from_dlpack("", np.zeros(2))', `${MODEL_ERROR}Tensor name cannot be an empty string.`],
  ['Tensor.from_dlpack("a", np.zeros(2, np.complex64))', `${MODEL_ERROR}Dtype is invalid.`],
  ['Tensor.from_dlpack("a", 5)', /^TritonModelException: Provided tensor is not supported\. /],
  [
    'Tensor.from_dlpack("a", np.zeros((2, 3)).T)',
    `${MODEL_ERROR}DLPack tensor is not contiguous. Only contiguous DLPack tensors that are stored in C-Order are supported.`,
  ],
  [
    'Tensor("a", np.array([b"x"], dtype=object)).to_dlpack()',
    `${MODEL_ERROR}DLPack does not have support for string tensors.`,
  ],
  ['capsule = Tensor("b", np.arange(3)).to_dlpack()\ndel capsule\nresult = "freed"', 'freed'],
  [
    'capsule = Tensor("b", np.arange(3)).to_dlpack()\nTensor.from_dlpack("a", capsule)\nresult = repr(capsule)',
    /used_dltensor/,
  ],
];

describe.skipIf(testPython() === undefined)(needsPython('the interface for Python models'), () => {
  let world: PythonWorld;

  beforeAll(async () => {
    world = await PythonWorld.create({ probe: PROBE });
  });

  afterAll(() => world[Symbol.asyncDispose]());

  describe.each([
    ['1 arguments: constructors', CONSTRUCTORS],
    ['1 arguments: requests', REQUESTS],
    ['12 parameters of responses that cannot be sent', [...RESPONSE_PARAMETERS, ...RESPONSE_KEYS]],
    ['functions', FUNCTIONS],
    ['the process', PROCESS],
    ['5 DLPack', DLPACK],
  ])('%s', (_, rows) => {
    test.each(rows)('%s', async (code, expected) => {
      const given = await probe(world, code);
      if (expected instanceof RegExp) expect(given).toMatch(expected);
      else expect(given).toBe(expected);
    });
  });

  test('12 parameters of a request reach the model as JSON text, with the request id and its flags', async () => {
    const given = await probe(
      world,
      '(this.request_id(), this.parameters(), this.timeout(), this.correlation_id())',
      {
        id: 'r7',
        parameters: { a: 1, b: 'x', c: true, d: 1.5, timeout: 60_000_000 },
      },
    );
    expect(given).toContain("'r7'");
    expect(given).toContain('"a":1,"b":"x","c":true,"d":1.5');
    expect(given).toContain(', 60000000, 0)');
  });
});
