// Requests as real programs send them, odd ones among them: data of every form, parameters of every type, ids in any
// script, sequences by text, priorities, timeouts, streams, cancelled calls, and what the statistics say afterwards.

import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { connected } from './give-up.ts';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import { get } from './http-calls.ts';
import { ask, wait } from './life-calls.ts';
import type { Json } from './request-bodies.ts';
import { BODIES, floats, one, send, texts } from './request-bodies.ts';
import { REQUEST_MODELS } from './request-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const PARAMETERS: readonly ReferenceCase[] = [
  script('ids and parameters', [
    ...['', 'plain', 'ünï', '日本語', '😀', 'a b', 'a"b\\c', 'line\nend', '\u0000', 'x'.repeat(300)].map(
      (id) => floats({ id }, 'tells'),
    ),
    ...[7, null, true, [], {}].map((id) => floats({ id }, 'tells')),
    ...[
      { a: 0, b: -1, c: 9007199254740991, d: true, e: false, f: '', g: 'ü' },
      { a: 1.5 },
      { a: -0.0 },
      { a: 1e30 },
      { a: null },
      { a: [] },
      { a: {} },
      { '': 'empty' },
      { 'a b': 1, ü: 2 },
      { triton_a: 1 },
      { TRITON_a: 1 },
      { priority: 0 },
      { priority: 1 },
      { priority: 4294967296 },
      { priority: true },
      { priority: 1.5 },
      { timeout: 0 },
      { timeout: 1.5 },
      { timeout: true },
      { timeout: -1 },
      { sequence_id: '' },
      { sequence_id: 'a' },
      { timeout: 18446744 },
      { sequence_id: 0 },
      { sequence_id: null },
      { sequence_start: 'true' },
      { sequence_end: 0 },
      { binary_data_output: 1 },
      { headers: 'x' },
      { max_tokens: 5, stream: false },
    ].map((parameters) => floats({ parameters }, 'tells')),
    send(
      'tells',
      '{"parameters":{"a":18446744073709551615},"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]}]}',
    ),
    send(
      'tells',
      '{"parameters":{"a":9223372036854775807},"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]}]}',
    ),
    send(
      'tells',
      '{"parameters":{"a":1,"a":2},"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]}]}',
    ),
    send(
      'tells',
      '{"id":"a","id":"b","inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]}]}',
    ),
  ]),
  script('priorities and timeouts', [
    ...[0, 1, 2, 3, 4].map((priority) => one('ranked', 'FP32', [1, 1], [1], { parameters: { priority } })),
    ...[0, 2000000, 10000000, 99999999999].map((timeout) =>
      one('ranked', 'FP32', [1, 1], [1], { parameters: { timeout } }),
    ),
    one('ranked', 'FP32', [1, 1], [1], { parameters: { priority: 1, timeout: 2000000 } }),
  ]),
];

const step = (model: string, id: unknown, flags: string, more: Json = {}): WireCase =>
  one(model, 'FP32', [1, 1], [1], {
    parameters: {
      sequence_id: id,
      ...(flags === '' ? {} : { sequence_start: flags.includes('s'), sequence_end: flags.includes('e') }),
      ...more,
    },
  });
const SEQUENCES: readonly ReferenceCase[] = [
  script('sequences by text', [
    ...['a', 'ü', '日本', ' ', 'x'.repeat(128), '0', '1'].flatMap((id) => [
      step('text_sequences', id, 's'),
      step('text_sequences', id, 'e'),
    ]),
    step('text_sequences', 'a', ''),
    step('text_sequences', '', 's'),
    step('text_sequences', 5, 's'),
    step('text_sequences', 5, 'e'),
    step('text_sequences', 'x'.repeat(129), 's'),
    step('text_sequences', 'b', 'se'),
    step('text_sequences', 'b', 'se'),
  ]),
  script('sequences by number', [
    step('number_sequences', 4294967295, 's'),
    step('number_sequences', 4294967295, 'e'),
    step('number_sequences', 1, 's'),
    step('number_sequences', 1, ''),
    step('number_sequences', 1, 's'),
    step('number_sequences', 1, 'e'),
    step('number_sequences', 1.0, 's'),
    step('number_sequences', 1, 'e', { other: 'x' }),
    step('number_sequences', 2, 'se', { priority: 1 }),
    step('number_sequences', 2, 'se', { timeout: 5000000 }),
  ]),
];

const rpc = (name: string, message: PlainMessage, label = ''): ReferenceCase => ({
  name: `gRPC request ${label === '' ? JSON.stringify(message, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)).slice(0, 160) : label}`,
  run: ({ grpcPort }) => grpcCall(grpcPort, name, message),
});
const float32 = (...values: readonly number[]): Buffer => Buffer.from(Float32Array.from(values).buffer);
const request = (
  model: string,
  more: PlainMessage = {},
  shape: readonly number[] = [1],
  datatype = 'FP32',
): PlainMessage => ({
  model_name: model,
  inputs: [{ name: 'INPUT0', datatype, shape }],
  raw_input_contents: [float32(1)],
  ...more,
});
const typed = (
  model: string,
  datatype: string,
  shape: readonly number[],
  contents: PlainMessage,
): PlainMessage => ({
  model_name: model,
  inputs: [{ name: 'INPUT0', datatype, shape, contents }],
});
const GRPC: readonly ReferenceCase[] = [
  ...['', 'ünï', '日本語', '😀', 'a\nb', 'x'.repeat(300)].map((id) =>
    rpc('ModelInfer', request('tells', { id })),
  ),
  ...[
    {
      a: { bool_param: true },
      b: { int64_param: -5 },
      c: { string_param: 'ü' },
      d: { double_param: 0.5 },
      e: { uint64_param: 5 },
    },
    { priority: { int64_param: 1 } },
    { priority: { uint64_param: 5 } },
    { timeout: { int64_param: 5000000 } },
    { sequence_id: { string_param: 'text' }, sequence_start: { bool_param: true } },
    { sequence_id: { int64_param: -1 }, sequence_end: { bool_param: true } },
    { sequence_id: { uint64_param: 5 } },
    { '': { string_param: 'x' } },
    { sequence_id: { string_param: '' } },
    { sequence_id: { string_param: 'a' } },
  ].map((parameters) => rpc('ModelInfer', request('tells', { parameters }))),
  rpc('ModelInfer', typed('bools', 'BOOL', [2], { bool_contents: [true, false] })),
  rpc('ModelInfer', typed('bools', 'BOOL', [2], { int_contents: [1, 0] })),
  rpc('ModelInfer', typed('halves', 'FP16', [1], { fp32_contents: [1] })),
  rpc('ModelInfer', typed('halves', 'FP16', [1], { uint_contents: [1] })),
  rpc('ModelInfer', typed('shorts', 'UINT16', [1, 2], { uint_contents: [1, 65535] })),
  rpc('ModelInfer', typed('shorts', 'UINT16', [1, 2], { uint_contents: [1, 65536] })),
  rpc('ModelInfer', typed('texts', 'BYTES', [2], { bytes_contents: [Buffer.from('a'), Buffer.alloc(0)] })),
  rpc('ModelInfer', typed('texts', 'BYTES', [2], { bytes_contents: [Buffer.from('a')] })),
  rpc('ModelInfer', typed('texts', 'BYTES', [0], {})),
  rpc('ModelInfer', typed('echo', 'FP32', [0], { fp32_contents: [] })),
  rpc('ModelInfer', typed('echo', 'FP32', [2], { fp32_contents: [1, 2], int_contents: [1, 2] })),
  rpc('ModelInfer', request('echo', { raw_input_contents: [] }, [0])),
  rpc('ModelInfer', request('echo', { raw_input_contents: [Buffer.alloc(0)] }, [0])),
  rpc('ModelInfer', request('texts', { raw_input_contents: [texts([3, 'abc'])] }, [1], 'BYTES')),
  rpc('ModelInfer', request('texts', { raw_input_contents: [texts([4, 'abc'])] }, [1], 'BYTES')),
  rpc('ModelInfer', request('texts', { raw_input_contents: [texts([2, 'abc'])] }, [1], 'BYTES')),
  rpc('ModelInfer', request('halves', { raw_input_contents: [Buffer.from([0, 60])] }, [1], 'FP16')),
  rpc('ModelInfer', request('halves', { raw_input_contents: [Buffer.from([128, 63])] }, [1], 'BF16')),
  rpc('ModelInfer', request('grid', { raw_input_contents: [Buffer.alloc(24)] }, [2, 1, 3])),
  rpc('ModelInfer', request('grid', { raw_input_contents: [Buffer.alloc(0)] }, [2, 0, 3])),
  rpc(
    'ModelInfer',
    request('echo', { outputs: [{ name: 'OUTPUT0', parameters: { classification: { int64_param: 1 } } }] }),
  ),
  rpc(
    'ModelInfer',
    request('echo', { outputs: [{ name: 'OUTPUT0', parameters: { binary_data: { bool_param: true } } }] }),
  ),
  rpc('ModelInfer', request('ranked', { parameters: { priority: { uint64_param: 4 } } }, [1, 1])),
  rpc(
    'ModelInfer',
    request(
      'text_sequences',
      {
        parameters: {
          sequence_id: { string_param: 'g' },
          sequence_start: { bool_param: true },
          sequence_end: { bool_param: true },
        },
      },
      [1, 1],
    ),
  ),
  rpc(
    'ModelInfer',
    request(
      'number_sequences',
      {
        parameters: {
          sequence_id: { int64_param: 4294967296 },
          sequence_start: { bool_param: true },
          sequence_end: { bool_param: true },
        },
      },
      [1, 1],
    ),
  ),
];

const CACHED: readonly ReferenceCase[] = ['a', 'b'].map((id) => rpc('ModelInfer', request('cached', { id })));

const final = { parameters: { triton_enable_empty_final_response: { bool_param: true } } };
const stream = (name: string, messages: readonly PlainMessage[]): ReferenceCase => ({
  name: `gRPC stream of requests: ${name}`,
  run: ({ grpcPort }) => grpcStream(grpcPort, messages),
});
const values = (id: string, data: readonly number[], more: PlainMessage = {}): PlainMessage => ({
  ...request('streams', { id, raw_input_contents: [float32(...data)], ...more }, [data.length]),
});
const STREAMS: readonly ReferenceCase[] = [
  stream('two decoupled ones', [values('a', [1, 2], final), values('b', [3], final)]),
  stream('an error in the middle', [values('a', [1, -1, 2], final)]),
  stream('an error alone', [values('a', [-1], final)]),
  stream('wrong type', [
    { ...values('a', [1]), inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1] }] },
  ]),
  stream(
    'a sequence by text',
    ['s', '', 'e'].map((flag) =>
      request(
        'text_sequences',
        {
          id: flag,
          parameters: {
            sequence_id: { string_param: 'st' },
            sequence_start: { bool_param: flag === 's' },
            sequence_end: { bool_param: flag === 'e' },
          },
        },
        [1, 1],
      ),
    ),
  ),
];

/** A call that its client gives up after some time. */
async function cancelled(
  target: Target,
  message: PlainMessage,
  how: 'cancel' | 'deadline',
): Promise<unknown> {
  const method = serviceMethods('inference.GRPCInferenceService').get('ModelStreamInfer');
  if (method === undefined) throw new Error('no stream');
  const client = new Client(`127.0.0.1:${target.grpcPort}`, credentials.createInsecure());
  await connected(client);
  const options = how === 'deadline' ? { deadline: Date.now() + 400 } : {};
  return new Promise((resolve) => {
    const seen: string[] = [];
    const call = client.makeBidiStreamRequest(
      method.path,
      method.request.encode,
      method.response.decode,
      new Metadata(),
      options,
    );
    call.on('data', () => seen.push('response'));
    call.on('error', () => undefined);
    call.on('status', ({ code, details }) => {
      client.close();
      // Whose clock ran out first decides about the words of a deadline.
      resolve([...seen, code, how === 'deadline' ? '' : details]);
    });
    call.write(message);
    if (how === 'cancel') setTimeout(() => call.cancel(), 400);
  });
}
const GIVEN_UP: readonly ReferenceCase[] = (['cancel', 'deadline'] as const).map((how) => ({
  name: `gRPC stream that ends by ${how}`,
  run: async (target) => {
    const answers = await cancelled(target, values('c', [1, -2, 2]), how);
    await wait(1200);
    return [
      { step: 'answers', answers },
      { step: 'and the next', answer: await grpcStream(target.grpcPort, [values('n', [1])]) },
    ];
  },
}));

const COUNTS: readonly ReferenceCase[] = [
  'echo',
  'texts',
  'tells',
  'text_sequences',
  'cached',
  'ranked',
  'shorts',
].map((model) => ({
  name: `statistics of ${model} after all requests`,
  run: async (target) => {
    const [status, body] = (await ask(target, get(`/v2/models/${model}/stats`))) as [number, string];
    const {
      model_stats: [found],
    } = JSON.parse(body) as { model_stats: [Record<string, unknown>] };
    const counts = JSON.stringify(found).replace(/"(ns|last_inference)":\d+/g, '"$1":"#"');
    return { status, counts };
  },
}));

export const REQUEST_SCENE: Scene = {
  name: 'requests',
  repositories: () => [REQUEST_MODELS],
  args: ['--cache-config=local,size=1048576'],
  cases: [...BODIES, ...PARAMETERS, ...SEQUENCES, ...GRPC, ...CACHED, ...STREAMS, ...GIVEN_UP, ...COUNTS],
};
