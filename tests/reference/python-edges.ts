// Python models at the edges of what they may answer: arrays of another type, rank or batch than the configuration says,
// what is no list, exceptions of every making, texts that are long or odd, tensors without elements, outputs nobody asked
// for. Each over HTTP and gRPC.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import { post, reply, within } from './http-calls.ts';
import { indented, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const IN = '{ name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }';
const OUT = '{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }';
const MORE = '{ name: "OUTPUT1" data_type: TYPE_FP32 dims: [ -1 ] }';
const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';

const array = (expression: string): string => `return [of(${expression}) for _ in requests]`;
const raising = (expression: string): string => `raise ${expression}`;

const TYPES = ['bool_', 'uint8', 'uint16', 'uint32', 'uint64', 'int8', 'int16', 'int32', 'int64'];

// A list of requests that is emptied ends the reference, and a text that is no Unicode the model's process: not asked.
/** Bodies of execute. `of(array)` is a response, `requests` the batch, `x` what the first request brought. */
const ANSWERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...TYPES, 'float16', 'float64'].map((type) => [`type_${type}`, array(`x.astype(np.${type})`)]),
  ),
  type_texts: array('np.array([b"a", "b"], object)'),
  type_fixed: array('np.array([b"a", b"bc"])'),
  no_elements: array('np.zeros((0,), np.float32)'),
  no_elements_of_rank: array('np.zeros((2, 0, 3), np.float32)'),
  no_texts_of_rank: array('np.zeros((2, 0), object)'),
  rank_0: array('np.array(5, np.float32)'),
  rank_0_text: array('np.array(b"x", object)'),
  rank_9: array('x.reshape((1,) * 8 + (2,))'),
  long_texts: array('np.array(["x" * 2_000_000, "", b"y" * 1_000_000], object)'),
  nan: array('np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45], np.float32)'),
  nan_double: array('np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, 1.7e308, 0.1])'),
  nan_half: array('np.array([np.nan, np.inf, -0.0, 0.1, 65504], np.float16)'),
  large_numbers: array('np.array([2**64 - 1, 2**53 + 1], np.uint64)'),
  small_numbers: array('np.array([-2**63, -2**53 - 1], np.int64)'),
  column: array('np.arange(12, dtype=np.float32).reshape(3, 4)[:, 1]'),
  diagonal: array('np.arange(9, dtype=np.float32).reshape(3, 3).diagonal()'),
  broadcast: array('np.broadcast_to(x, (3, 2))'),
  read_only: 'y = np.ones(2, np.float32); y.flags.writeable = False\nreturn [of(y)]',
  the_input:
    'return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", r.inputs()[0].as_numpy())]) for r in requests]',
  the_input_tensor: 'return [pb_utils.InferenceResponse([requests[0].inputs()[0]])]',
  other_name: 'return [pb_utils.InferenceResponse([pb_utils.Tensor("OTHER", x)])]',
  first_only: 'return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", x)])]',
  second_only: 'return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT1", x)])]',
  both_turned:
    'return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT1", x + 1), pb_utils.Tensor("OUTPUT0", x)])]',
  asked_for: 'return [wrong(sorted(requests[0].requested_output_names()))]',
  is_tuple: 'return (of(x),)',
  is_dict: 'return {0: of(x)}',
  is_array: 'return np.array([of(x)], object)',
  is_generator: 'return (of(x) for _ in requests)',
  is_response: 'return of(x)',
  is_text: 'return "x"',
  is_true: 'return True',
  is_list_of_lists: 'return [[of(x)]]',
  is_subclass_of_list: 'class Many(list): pass\nreturn Many([of(x)])',
  too_many: 'return [of(x), of(x)]',
  has_error: 'return [pb_utils.TritonError("x")]',
  is_requests: 'return requests',
  message_lines: 'return [wrong("one\\ntwo\\r\\n\\tthree")]',
  message_quotes: 'return [wrong("\\"quoted\\" \\\\ and \\u2028")]',
  message_zero: 'return [wrong("a\\0b")]',
  message_long: 'return [wrong("long " * 3000)]',
  raises_value: raising('ValueError("one\\ntwo")'),
  raises_nothing: raising('ValueError()'),
  raises_class: raising('ValueError'),
  raises_two: raising('ValueError("one", 2)'),
  raises_key: raising('KeyError("k")'),
  raises_os: raising('FileNotFoundError(2, "none such", "/x")'),
  raises_unicode: raising('ValueError("sch\\u00f6n \\U0001f600")'),
  raises_zero: raising('ValueError("a\\0b")'),
  raises_long: raising('ValueError("long " * 3000)'),
  raises_stop: raising('StopIteration(5)'),
  raises_generator_exit: raising('GeneratorExit()'),
  raises_keyboard: raising('KeyboardInterrupt()'),
  raises_exit: raising('SystemExit(3)'),
  raises_exit_text: raising('SystemExit("bye")'),
  raises_group: raising('ExceptionGroup("several", [ValueError("one"), KeyError("two")])'),
  raises_from:
    'try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ValueError("after") from error',
  raises_while: 'try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ValueError("while")',
  raises_with_notes: 'error = ValueError("noted"); error.add_note("a note")\nraise error',
  raises_own: 'class Own(Exception): pass\nraise Own("mine")',
  raises_own_text: 'class Own(Exception):\n    def __str__(self): return "said"\nraise Own("mine")',
  raises_triton_error: raising('pb_utils.TritonError("no exception")'),
  raises_none: raising('None'),
  raises_model_error: raising('pb_utils.TritonModelException("m")'),
  raises_model_error_empty: raising('pb_utils.TritonModelException("")'),
  raises_model_error_bare: raising('pb_utils.TritonModelException()'),
  raises_model_error_number: raising('pb_utils.TritonModelException(5)'),
  raises_syntax: 'exec("1 +")',
  raises_recursion: 'def deep(): return deep()\ndeep()',
  raises_assertion: 'assert x is None, ("why", 5)',
  raises_import: 'import no_such_module',
  raises_numpy: 'x.reshape(7)',
  raises_unicode_decode: 'b"\\xff".decode()',
  is_coroutine_function: 'async def run(): return [of(x)]\nreturn run()',
};

/** Bodies of a decoupled model's execute, which has `sender`, `final` and `send(value)` besides. */
const STREAMS: Readonly<Record<string, string>> = {
  returns_empty: 'send(1); end()\nreturn []',
  returns_none_in_list: 'send(1); end()\nreturn [None]',
  returns_number: 'send(1); end()\nreturn 5',
  returns_response_after_end: 'send(1); end()\nreturn [of(x)]',
  raises_after_two: 'send(1); send(2)\nraise ValueError("after two")',
  raises_before: 'raise ValueError("before")',
  sends_types: 'for t in (np.int8, np.float64, object): sender.send(of(x.astype(t)))\nend()',
  sends_ranks: 'for s in ((), (1,), (1, 1, 1)): sender.send(of(np.ones(s, np.float32)))\nend()',
  sends_no_elements: 'sender.send(of(np.zeros((0, 2), np.float32)))\nend()',
  sends_no_tensors: 'sender.send(pb_utils.InferenceResponse([]))\nend()',
  sends_no_tensors_final: 'sender.send(pb_utils.InferenceResponse([]), final)',
  sends_none: 'sender.send(None, final)',
  sends_same_twice: 'one = of(x)\nsender.send(one); sender.send(one)\nend()',
  sends_error_empty: 'sender.send(pb_utils.InferenceResponse([], pb_utils.TritonError("")))\nend()',
  sends_error_codes:
    'for code in (pb_utils.TritonError.CANCELLED, pb_utils.TritonError.NOT_FOUND): sender.send(pb_utils.InferenceResponse([], pb_utils.TritonError("c", code)))\nend()',
  sends_other_output: 'sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OTHER", x)]))\nend()',
  sends_one_of_two: 'sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT1", x)]))\nend()',
  sends_many: 'for n in range(500): send(n)\nend()',
  sends_large: 'sender.send(of(np.zeros(700_000, np.float32)))\nend()',
  generator: 'def each():\n    send(1)\n    yield 1\n    send(2)\nlist(each()); end()',
};

const HELPERS = `
final = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL


def of(value):
    return pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", value)])


def wrong(text):
    return pb_utils.InferenceResponse(error=pb_utils.TritonError(str(text)))

`;

const plainCode = `${HELPERS}
${Object.entries(ANSWERS)
  .map(([name, body]) => `def case_${name}(requests, x):\n${indented(body, 4)}\n`)
  .join('\n')}

class TritonPythonModel:
    def execute(self, requests):
        return globals()["case_" + json.loads(requests[0].parameters())["case"]](requests, first(requests[0]))
`;

const streamCode = `${HELPERS}
${Object.entries(STREAMS)
  .map(
    ([name, body]) =>
      `def case_${name}(sender, x):\n    send = lambda value: sender.send(of(np.array([value], np.float32)))\n    end = lambda: sender.send(flags=final)\n${indented(body, 4)}\n`,
  )
  .join('\n')}

class TritonPythonModel:
    def execute(self, requests):
        one = requests[0]
        return globals()["case_" + json.loads(one.parameters())["case"]](one.get_response_sender(), first(one))
`;

const files: RepositoryFiles = {
  ...pythonFiles('edges', plainCode, `input [ ${IN} ]\noutput [ ${OUT}, ${MORE} ]\n${CPU}`),
  ...pythonFiles(
    'edge_rows',
    plainCode,
    `max_batch_size: 4\ninput [ ${IN} ]\noutput [ ${OUT}, ${MORE} ]\n${CPU}`,
  ),
  ...pythonFiles(
    'edge_streams',
    streamCode,
    `input [ ${IN} ]\noutput [ ${OUT}, ${MORE} ]\nmodel_transaction_policy { decoupled: true }\n${CPU}`,
  ),
};

const ANSWER_LIMIT_MS = 10_000;
const SHOWN = 1500;
/** Where a line of Python stands is no part of the interface; what is long is told by its length. */
const shown = (answer: unknown): unknown => {
  const text = JSON.stringify(answer, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
    .replace(/ at 0x\w+/g, '')
    .replace(/(\\+n)*At:(\\+n|\s).*?(?=\\?"[,}]|$)/gs, '<traceback>');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} ... ${text.length}` : text;
};

async function ask(
  target: Target,
  model: string,
  name: string,
  outputs: readonly string[],
): Promise<unknown[]> {
  const shape = model === 'edge_rows' ? [1, 2] : [2];
  const body = {
    parameters: { case: name },
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape, data: [1, 2] }],
    ...(outputs.length === 0 ? {} : { outputs: outputs.map((each) => ({ name: each })) }),
  };
  const http = await within(
    reply(target.httpPort, post(`/v2/models/${model}/infer`, body)),
    ANSWER_LIMIT_MS,
  ).catch(String);
  const message = {
    model_name: model,
    parameters: { case: { string_param: name } },
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: shape.map(BigInt) }],
    outputs: outputs.map((each) => ({ name: each })),
    raw_input_contents: [Buffer.from(Float32Array.of(1, 2).buffer)],
  };
  const grpc = await within<unknown>(grpcCall(target.grpcPort, 'ModelInfer', message), ANSWER_LIMIT_MS).catch(
    String,
  );
  const step = [name, ...outputs].join(' ');
  return [
    { step: `${step}, HTTP`, answer: shown(http) },
    { step: `${step}, gRPC`, answer: shown(grpc) },
  ];
}

const answering = (
  title: string,
  model: string,
  names: readonly string[],
  wanted: readonly (readonly string[])[] = [[]],
): ReferenceCase => ({
  name: `python edges, ${title}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const name of names)
      for (const outputs of wanted) answers.push(...(await ask(target, model, name, outputs)));
    return answers;
  },
});

const streaming: ReferenceCase = {
  name: 'python edges, streams',
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const name of Object.keys(STREAMS)) {
      const message = {
        model_name: 'edge_streams',
        parameters: {
          case: { string_param: name },
          triton_enable_empty_final_response: { bool_param: true },
        },
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2n] }],
        raw_input_contents: [Buffer.from(Float32Array.of(1, 2).buffer)],
      };
      const seen = await within<unknown>(grpcStream(grpcPort, [message]), ANSWER_LIMIT_MS).catch(String);
      answers.push({ step: name, seen: shown(seen) });
    }
    return answers;
  },
};

const named = (...starts: readonly string[]): string[] =>
  Object.keys(ANSWERS).filter((name) => starts.some((start) => name.startsWith(start)));
const OUTPUTS = ['first_only', 'second_only', 'both_turned', 'other_name', 'asked_for'];

export const PYTHON_EDGE_SCENE: Scene = {
  name: 'python edges',
  together: 'python models',
  repositories: sameFor(files),
  cases: [
    answering('types', 'edges', named('type_', 'no_', 'rank_', 'nan', 'large_', 'small_')),
    answering('arrays', 'edges', named('long_', 'column', 'diagonal', 'broadcast', 'read_', 'the_')),
    answering('outputs', 'edges', OUTPUTS, [[], ['OUTPUT0'], ['OUTPUT1', 'OUTPUT0']]),
    answering('batches', 'edge_rows', [...named('no_', 'rank_', 'broadcast', 'the_input'), 'both_turned']),
    answering('returns', 'edges', named('is_', 'too_', 'has_')),
    answering('messages', 'edges', named('message_')),
    answering('exceptions', 'edges', named('raises_')),
    streaming,
  ],
};
