// Rows 2 to 8 of the checklist of Triton's Python backend: batches, errors, BYTES, arrays, decoupled models, senders in
// default mode, coroutines. Streams are read over gRPC, everything else over HTTP.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, indented, ONE_TO_ONE, PythonWorld } from './python-world.ts';
import { streamValues } from './python-streams.ts';

const DECOUPLED = `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`;
const FINAL = 'flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL';
const FLOATS = `
def floats(*values):
    return InferenceResponse([Tensor("OUTPUT0", np.array(values, np.float32))])
`;

/** One model with many bodies of execute; the parameter `case` of the first request says which one runs. */
function cases(bodies: Readonly<Record<string, string>>): string {
  const functions = Object.entries(bodies).map(
    ([name, body]) => `def ${name}(requests, request, sender):\n${indented(body, 4)}\n`,
  );
  const choose = `request = requests[0]
case = json.loads(request.parameters())["case"]
return globals()[case](requests, request, request.get_response_sender())`;
  return FLOATS + functions.join('\n') + executing(choose);
}

const STREAMS = {
  none: `sender.send(${FINAL})`,
  three: `for index in range(3): sender.send(floats(index))
sender.send(${FINAL})
try: sender.send(${FINAL})
except pb_utils.TritonModelException as error: print("after final:", error)`,
  last: `sender.send(floats(1))\nsender.send(floats(2), ${FINAL})`,
  thread: `def later():
    time.sleep(0.1)
    for index in range(20): sender.send(floats(index))
    sender.send(${FINAL})
threading.Thread(target=later).start()`,
  raises_before: 'raise ValueError("before")',
  raises_nothing: 'assert requests == []',
  raises_unspeakable: `class Mute(Exception):
    def __str__(self): raise RuntimeError("no words")
raise Mute()`,
  raises_after: `sender.send(floats(1), ${FINAL})\nraise ValueError("after")`,
  error_inside: `sender.send(InferenceResponse([], TritonError("one is wrong")))
sender.send(floats(5))
sender.send(${FINAL})`,
  returns: 'return []',
  forgotten: 'pass',
};

const PLAIN = {
  final_with: `sender.send(floats(7), ${FINAL})\nreturn None`,
  then_final: `sender.send(floats(7))\nsender.send(${FINAL})\nreturn None`,
  final_first: `try: sender.send(${FINAL})
except pb_utils.TritonModelException as error: print("final first:", error)
return [floats(7)]`,
  twice: `sender.send(floats(7))
try: sender.send(floats(8))
except pb_utils.TritonModelException as error: print("second:", error)
sender.send(${FINAL})
return None`,
  later: `def later():
    time.sleep(0.1)
    sender.send(floats(9), ${FINAL})
threading.Thread(target=later).start()
return [None]`,
  no_list: 'return 5',
  generates: 'return (floats(1) for one in requests)',
  wrong_length: 'return []',
  wrong_kind: 'return [5]',
  exits: 'sys.exit(3)',
  extra: 'return [InferenceResponse([Tensor("X", np.zeros(1)), Tensor("OUTPUT0", np.ones(1, np.float32))])]',
  codes: `names = ["UNKNOWN", "INTERNAL", "NOT_FOUND", "INVALID_ARG", "UNAVAILABLE", "UNSUPPORTED", "ALREADY_EXISTS", "CANCELLED"]
code = getattr(TritonError, names[int(request.inputs()[0].as_numpy()[0])])
return [InferenceResponse([], TritonError("its own words: äö", code))]`,
  fixed: 'return [InferenceResponse([Tensor("OUTPUT0", np.array([b"ab", b"c\\0"], dtype="S3"))])]',
  turned: 'return [InferenceResponse([Tensor("OUTPUT0", request.inputs()[0].as_numpy().reshape(2, 3).T)])]',
};

const OPTIONAL = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] optional: true } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]`;
const COUNTS_INPUTS = `${FLOATS}${executing('return [floats(len(one.inputs())) for one in requests]')}`;

const MODELS = {
  batch: {
    config: `max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
dynamic_batching { preferred_batch_size: [ 3 ] max_queue_delay_microseconds: 5000000 }`,
    code: executing(`responses = []
for request in requests:
    value = request.inputs()[0].as_numpy()
    wrong = TritonError(f"refused {value[0][0]} of {len(requests)}") if value[0][0] != 2 else None
    responses.append(InferenceResponse([Tensor("OUTPUT0", value)], wrong))
return responses`),
  },
  optional_batching: { config: `max_batch_size: 4\n${OPTIONAL}`, code: COUNTS_INPUTS },
  optional: { config: OPTIONAL, code: COUNTS_INPUTS },
  bytes: {
    config: `input [ { name: "INPUT0" data_type: TYPE_STRING dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ -1 ] } ]`,
    code: executing('return [InferenceResponse([Tensor("OUTPUT0", requests[0].inputs()[0].as_numpy())])]'),
  },
  plain: { code: cases(PLAIN) },
  streams: { config: DECOUPLED, code: cases(STREAMS) },
  no_execute: { code: 'class TritonPythonModel: pass\n' },
  coroutine: {
    code: `${FLOATS}
class TritonPythonModel:
    async def execute(self, requests):
        await asyncio.sleep(0.01)
        return [floats(3) for request in requests]
`,
  },
  overlapping: {
    config: DECOUPLED,
    code: `${FLOATS}
class TritonPythonModel:
    def initialize(self, args):
        self.waiting = 0
    async def execute(self, requests):
        for request in requests:
            count = float(request.inputs()[0].as_numpy()[0])
            if count < 0: raise ValueError("in the background")
            sender = request.get_response_sender()
            self.waiting += 1
            while self.waiting < count: await asyncio.sleep(0.01)
            sender.send(floats(self.waiting), flags=1)
`,
  },
};

const batchInput = (value: number) => ({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [value] }],
});
const failed = (instance: string): string =>
  `Failed to process the request(s) for model '${instance}', message: `;

describe.skipIf(testPython() === undefined)(needsPython('execute of Python models'), () => {
  let world: PythonWorld;

  beforeAll(async () => {
    world = await PythonWorld.create(MODELS, { repository: { autoCompleteConfig: false } });
  });

  const plain = (name: string, values?: readonly number[]) =>
    world.ask('plain', values, { parameters: { case: name } });

  afterAll(() => world[Symbol.asyncDispose]());

  test('2 batching: an error of one request leaves the others of its batch alone', async () => {
    const replies = await Promise.all([1, 2, 3].map((value) => world.infer('batch', batchInput(value))));
    expect(replies.map(({ status, error }) => [status, error])).toEqual([
      [500, 'refused 1.0 of 3'],
      [200, ''],
      [500, 'refused 3.0 of 3'],
    ]);
    expect(replies[1]?.outputs[0]?.data).toEqual([2]);
    const { body } = await world.call('models/batch/stats');
    expect(body).toMatchObject({
      model_stats: [
        {
          inference_count: 3,
          execution_count: 1,
          inference_stats: { success: { count: 3 }, fail: { count: 0 } },
        },
      ],
    });
  });

  test('2 batching: a request without inputs has no batch size and is refused', async () => {
    expect(await world.infer('optional_batching', { id: 'seven', inputs: [] })).toMatchObject({
      status: 400,
      error: '[request id: seven] out of bounds index 0: request has 0 inputs',
    });
    const { body } = await world.call('models/optional_batching/stats');
    expect(body).toMatchObject({ model_stats: [{ inference_stats: { fail: { count: 1 } } }] });
    expect(await world.infer('optional', { inputs: [] })).toMatchObject({
      status: 200,
      outputs: [{ data: [0] }],
    });
  });

  test.each([
    [0, 400, 2],
    [1, 500, 13],
    [2, 404, 5],
    [3, 400, 3],
    [4, 503, 14],
    [5, 501, 12],
    [6, 400, 6],
    [7, 400, 1],
  ])('3 errors: code %d is HTTP %d and gRPC %d', async (code, status, grpc) => {
    const reply = await world.ask('plain', [code], { parameters: { case: 'codes' } });
    expect([reply.status, reply.error]).toEqual([status, 'its own words: äö']);
    const bytes = new Uint8Array(Float32Array.of(code).buffer);
    const exchange = await world.grpc.infer({
      model: 'plain',
      version: '',
      id: '',
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], bytes }],
      outputs: [],
      parameters: new Map([['case', 'codes']]),
    });
    expect([exchange.status, exchange.error]).toEqual([grpc, 'its own words: äö']);
  });

  test.each([
    ['no elements', Buffer.alloc(0), 0],
    ['empty texts', Buffer.alloc(8), 2],
    ['zero bytes inside', Buffer.from([3, 0, 0, 0, 97, 0, 98]), 1],
    ['bytes that are no UTF-8', Buffer.from([2, 0, 0, 0, 0xff, 0xfe]), 1],
  ])('4 BYTES: %s pass unchanged', async (_, bytes, count) => {
    const exchange = await world.grpc.infer({
      model: 'bytes',
      version: '',
      id: '',
      inputs: [{ name: 'INPUT0', datatype: 'BYTES', shape: [count], bytes: new Uint8Array(bytes) }],
      outputs: [],
      parameters: new Map(),
    });
    expect(exchange.error).toBeUndefined();
    expect(Buffer.from(exchange.responses[0]?.outputs[0]?.bytes ?? [])).toEqual(bytes);
  });

  test('4 BYTES: arrays of fixed length lose trailing zeros, as numpy strips them', async () => {
    expect((await plain('fixed')).outputs[0]?.data).toEqual(['ab', 'c']);
  });

  test('5 non-contiguous: a turned array arrives in its own order', async () => {
    const { outputs } = await plain('turned', [1, 2, 3, 4, 5, 6]);
    expect(outputs[0]).toMatchObject({ shape: [3, 2], data: [1, 4, 2, 5, 3, 6] });
  });

  test.each([
    ['none', []],
    ['three', [0, 1, 2]],
    ['last', [1, 2]],
    ['thread', Array.from({ length: 20 }, (_, index) => index)],
    ['raises_after', [1]],
    ['forgotten', []],
  ])('6 decoupled: %s streams its responses, then the end', async (model, values) => {
    expect(await streamValues(world, 'streams', { case: model })).toEqual({ values, errors: [] });
  });

  test('6 decoupled: sending after the final flag raises', () => {
    expect(world.logged('after final:')).toEqual([
      'after final: Unable to send response. Response sender has been closed.',
    ]);
  });

  test('6 decoupled: an error can stand between responses', async () => {
    expect(await streamValues(world, 'streams', { case: 'error_inside' })).toEqual({
      values: [5],
      errors: ['one is wrong'],
    });
  });

  test('6 decoupled: what execute raises before an answer goes to the client', async () => {
    const { errors } = await streamValues(world, 'streams', { case: 'raises_before' });
    expect(errors[0]).toContain(`${failed('streams_0')}ValueError: before\n\nAt:\n  `);
    expect(errors[0]).toMatch(/model\.py\(\d+\): raises_before\n {2}.*model\.py\(\d+\): execute\n$/);
  });

  test('6 decoupled: an exception without a text says so, and one whose text fails', async () => {
    const nothing = await streamValues(world, 'streams', { case: 'raises_nothing' });
    expect(nothing.errors[0]).toContain(`${failed('streams_0')}AssertionError: <EMPTY MESSAGE>\n\nAt:\n  `);
    const { errors } = await streamValues(world, 'streams', { case: 'raises_unspeakable' });
    expect(errors[0]).toMatch(
      /Mute: <MESSAGE UNAVAILABLE DUE TO ANOTHER EXCEPTION>\n\nAt:\n(.|\n)*execute\n\nMESSAGE UNAVAILABLE DUE TO EXCEPTION: RuntimeError: no words\n\nAt:\n.*: __str__\n/,
    );
  });

  test('6 decoupled: a list is no answer', async () => {
    const { errors } = await streamValues(world, 'streams', { case: 'returns' });
    expect(errors).toEqual([
      `${failed('streams_0')}Python model 'streams_0' is using the decoupled mode and the execute function must return None.`,
    ]);
  });

  test.each([
    ['final_with', 7],
    ['then_final', 7],
    ['final_first', 7],
    ['twice', 7],
    ['later', 9],
  ])('7 default-mode sender: %s', async (model, value) => {
    expect(await plain(model)).toMatchObject({ status: 200, outputs: [{ data: [value] }] });
  });

  test('7 default-mode sender: what is refused says why', () => {
    expect(world.logged('final first:')[0]).toContain(
      'Unable to send response. Non-decoupled model cannot send complete final before sending a response.',
    );
    expect(world.logged('second:')[0]).toContain(
      'Unable to send response. Non-decoupled model cannot send more than one response.',
    );
  });

  test.each([
    ['no_list', "Expected a list in the execute return, found type '<class 'int'>'."],
    // Before Python 3.12 asyncio takes generators for coroutines, too.
    ['generates', "Expected a list in the execute return, found type '<class 'generator'>'."],
    [
      'wrong_length',
      'Number of InferenceResponse objects do not match the number of InferenceRequest objects. InferenceRequest(s) size is:1, and InferenceResponse(s) size is:0\n',
    ],
    [
      'wrong_kind',
      "Expected an 'InferenceResponse' object in the execute function return list, found type '<class 'int'>'.",
    ],
    ['exits', /^Failed to process the request\(s\) for model 'plain_0', message: SystemExit: 3/],
  ])('execute that is wrong: %s', async (model, text) => {
    const { status, error } = await plain(model);
    expect(status).toBe(500);
    if (typeof text === 'string') expect(error).toBe(failed('plain_0') + text);
    else expect(error).toMatch(text);
    // The process goes on.
    expect((await plain(model)).error).toBe(error);
  });

  test('execute that is missing is said at the first request', async () => {
    const { status, error } = await world.ask('no_execute');
    expect(status).toBe(500);
    expect(error).toMatch(/message: Python model .*\/1\/model\.py does not implement `execute` method\.$/);
  });

  test('8 async: the result of a coroutine is an answer like any other', async () => {
    expect((await world.ask('coroutine')).outputs[0]?.data).toEqual([3]);
  });

  test('8 async: coroutines of a decoupled model overlap on one instance', async () => {
    // Each of them waits until both are there.
    const both = await Promise.all([2, 2].map((count) => streamValues(world, 'overlapping', {}, [count])));
    expect(both.map(({ values }) => values)).toEqual([[2], [2]]);
  });

  test('8 async: an error in the background is a line in the log, and the request ends', async () => {
    expect(await streamValues(world, 'overlapping', {}, [-1])).toEqual({ values: [], errors: [] });
    expect(world.logged('in the background').join()).toContain('ValueError');
  });

  test('outputs that nobody asked for are dropped', async () => {
    const { outputs } = await plain('extra');
    expect(outputs.map(({ name }) => name)).toEqual(['OUTPUT0']);
  });
});
