// Shapes on their way through the batchers: optional inputs, reshapes, variable, zero-size and scalar tensors, ragged
// batches and generated inputs.
import { describe, expect, it } from 'vitest';
import { writeOnnx } from '../../../src-main/onnx/onnx-writer.ts';
import type { WritableNode } from '../../../src-main/onnx/onnx-writer.ts';
import { identity, models, outcomes, WireWorld } from './wire-world.ts';
import type { WireRequest } from './wire-world.ts';

const OPTIONAL = `backend: "identity" max_batch_size: 4
  input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] optional: true }, { name: "INPUT1" data_type: TYPE_INT32 dims: [ 1 ] optional: true } ]
  output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "OUTPUT1" data_type: TYPE_INT32 dims: [ 1 ] } ]
  instance_group { kind: KIND_CPU count: 1 }
  dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 5000000 }`;
const OPTIONAL_ENSEMBLE = `platform: "ensemble" max_batch_size: 4
  input [ { name: "A" data_type: TYPE_INT32 dims: [ 1 ] optional: true }, { name: "B" data_type: TYPE_INT32 dims: [ 1 ] optional: true } ]
  output [ { name: "X" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "Y" data_type: TYPE_INT32 dims: [ 1 ] } ]
  ensemble_scheduling { step [ { model_name: "M" model_version: -1
    input_map { key: "INPUT0" value: "A" } input_map { key: "INPUT1" value: "B" }
    output_map { key: "OUTPUT0" value: "X" } output_map { key: "OUTPUT1" value: "Y" } } ] }`;

const given = (...names: string[]): WireRequest => ({
  inputs: names.map((name) => ({ name, shape: [1, 1], data: [name.charCodeAt(name.length - 1)] })),
});

describe('optional inputs', () => {
  it('row 120: requests with the same inputs share a batch after the delay', async () => {
    await using server = await WireWorld.create(models({ M: OPTIONAL }));
    const sent = await server.place('M', [given('INPUT0'), given('INPUT0')]);
    expect(server.counts('M').E).toBe(0);
    await server.advance(5001);
    expect(await outcomes(sent)).toEqual(['ok', 'ok']);
    expect(server.counts('M').batches).toEqual({ 2: 1 });
  });

  it('row 121: alternating inputs never share one, and only the last waits', async () => {
    await using server = await WireWorld.create(models({ M: OPTIONAL }));
    const sent = await server.place('M', [
      given('INPUT0'),
      given('INPUT1'),
      given('INPUT0'),
      given('INPUT1'),
    ]);
    expect(await outcomes(sent.slice(0, 3))).toEqual(['ok', 'ok', 'ok']);
    expect(server.counts('M').batches).toEqual({ 1: 3 });
    await server.advance(5001);
    expect(await outcomes(sent)).toHaveLength(4);
    expect(server.counts('M').batches).toEqual({ 1: 4 });
  });

  it('row 122: through an ensemble with optional inputs', async () => {
    await using server = await WireWorld.create(models({ M: OPTIONAL, E: OPTIONAL_ENSEMBLE }));
    const sent = await server.place('E', [given('A'), given('A'), given('A', 'B'), given('B')]);
    await server.advance(5001);
    const replies = await Promise.all(sent.map(({ done }) => done));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(replies.map(({ outputs }) => outputs.map(({ name, data }) => [name, ...data]))).toEqual([
      [
        ['Y', 0],
        ['X', 65],
      ],
      [
        ['Y', 0],
        ['X', 65],
      ],
      [
        ['Y', 66],
        ['X', 65],
      ],
      [
        ['Y', 66],
        ['X', 0],
      ],
    ]);
    expect(server.counts('E')).toMatchObject({ batches: { 1: 4 }, I: 4, E: 4 });
    expect(server.counts('M')).toMatchObject({ batches: { 1: 2, 2: 1 }, I: 4 });
  });

  it('row 123: missing and surplus inputs are named', async () => {
    const two = OPTIONAL.replaceAll('optional: true', '');
    await using server = await WireWorld.create(
      models({ M: two, O: OPTIONAL.replace('optional: true', '') }),
    );
    const ask = async (model: string, request: WireRequest) =>
      (await server.send(model, { ...request, id: 'x' }).done).error;
    expect(await ask('M', given('INPUT1'))).toBe(
      `[request id: x] expected 2 inputs but got 1 inputs for model 'M'. Got input(s) ['INPUT1'], but missing required input(s) ['INPUT0']. Please provide all required input(s).`,
    );
    expect(await ask('O', given())).toContain(
      `[request id: x] expected number of inputs between 1 and 2 but got 0 inputs for model 'O'.`,
    );
    expect(await ask('M', given('INPUT0', 'INPUT1', 'INPUT2'))).toContain(
      'expected 2 inputs but got 3 inputs',
    );
    expect(await ask('M', given('INPUT0', 'WRONG'))).toBe(`unexpected inference input 'WRONG' for model 'M'`);
  });
});

/** A model file around nodes, INT32 unless said. */
const onnx = (
  nodes: readonly WritableNode[],
  inputs: readonly (readonly [name: string, shape: (number | string)[]])[],
  outputs: readonly (readonly [name: string, shape: (number | string)[]])[],
  datatype: 'INT32' | 'FP32' | 'BYTES' = 'INT32',
): Uint8Array =>
  writeOnnx({
    graph: {
      name: 'g',
      nodes,
      inputs: inputs.map(([name, shape]) => ({ name, datatype, shape })),
      outputs: outputs.map(([name, shape]) => ({ name, datatype, shape })),
    },
  });
const copy = (shape: (number | string)[], datatype?: 'INT32' | 'FP32' | 'BYTES'): Uint8Array =>
  onnx([{ opType: 'Identity', inputs: ['I'], outputs: ['O'] }], [['I', shape]], [['O', shape]], datatype);
const config = (maxBatchSize: number, dims: string, reshape = '', type = 'TYPE_INT32'): string =>
  `max_batch_size: ${maxBatchSize} input [ { name: "I" data_type: ${type} dims: [ ${dims} ] ${reshape} } ]
   output [ { name: "O" data_type: ${type} dims: [ ${dims} ] ${reshape} } ]`;
const files = (text: string, model: Uint8Array): Record<string, string | Uint8Array> => ({
  'M/config.pbtxt': text,
  'M/1/model.onnx': model,
});
const filled = (shape: readonly number[]): WireRequest => {
  const count = shape.reduce((product, dim) => product * dim, 1);
  return { inputs: [{ name: 'I', shape, data: Array.from({ length: count }, (_, at) => at) }] };
};
const OVER_M = `platform: "ensemble" input [ { name: "I" data_type: TYPE_INT32 DIMS } ] output [ { name: "O" data_type: TYPE_INT32 DIMS } ]
  ensemble_scheduling { step [ { model_name: "M" model_version: -1 input_map { key: "I" value: "I" } output_map { key: "O" value: "O" } } ] }`;

describe('reshape', () => {
  it.each<[number, string, string, (number | string)[], number[]]>([
    [8, '1', '[ ]', ['b'], [2, 1]],
    [8, '2, 4, -1, 6', '[ 8, -1, 1, 6 ]', ['b', 8, 'n', 1, 6], [2, 2, 4, 3, 6]],
    [8, '1, -1, 1', '[ -1 ]', ['b', 'n'], [2, 1, 5, 1]],
    [8, '-1', '[ 1, -1, 1 ]', ['b', 1, 'n', 1], [2, 4]],
    [0, '2, 4, -1, 6', '[ 8, -1, 1, 6 ]', [8, 'n', 1, 6], [2, 4, 3, 6]],
    [0, '1, -1, 1', '[ -1 ]', ['n'], [1, 5, 1]],
  ])(
    'row 124: max_batch_size %i, dims %s as %s, also through an ensemble',
    async (size, dims, reshape, shape, sent) => {
      const ensemble = `max_batch_size: ${size} ${OVER_M.replaceAll('DIMS', `dims: [ ${dims} ]`)}`;
      await using server = await WireWorld.create({
        ...files(config(size, dims, `reshape { shape: ${reshape} }`), copy(shape)),
        ...models({ E: ensemble }),
      });
      for (const name of ['M', 'E']) {
        const reply = await server.during(server.send(name, filled(sent)).done);
        expect(reply.error).toBe('');
        expect(reply.outputs[0]?.shape).toEqual(sent);
        expect(reply.outputs[0]?.data).toEqual(filled(sent).inputs[0]?.data);
      }
    },
  );
});

describe('variable, zero-size and scalar tensors', () => {
  it('row 125: a variable dimension takes any size; a wrong fixed one or rank is refused', async () => {
    await using server = await WireWorld.create(files(config(8, '-1, 2'), copy(['b', 'n', 2])));
    expect((await server.during(server.send('M', filled([1, 5, 2])).done)).outputs[0]?.shape).toEqual([
      1, 5, 2,
    ]);
    for (const [shape, text] of [
      [[1, 5, 3], '[1,5,3]'],
      [[1, 2], '[1,2]'],
    ] as const) {
      const { error } = await server.send('M', filled(shape)).done;
      expect(error).toContain(
        `unexpected shape for input 'I' for model 'M'. Expected [-1,-1,2], got ${text}.`,
      );
    }
  });

  it.each<[number, (number | string)[], number[], 'INT32' | 'FP32' | 'BYTES', string]>([
    [8, ['b', 'n'], [8, 0], 'INT32', 'TYPE_INT32'],
    [8, ['b', 'n'], [1, 0], 'FP32', 'TYPE_FP32'],
    [8, ['b', 'n'], [2, 0], 'BYTES', 'TYPE_STRING'],
    [0, ['n'], [0], 'INT32', 'TYPE_INT32'],
    [0, ['n'], [0], 'BYTES', 'TYPE_STRING'],
  ])('row 126: max_batch_size %i, %j with %j of %s', async (size, shape, sent, datatype, type) => {
    await using server = await WireWorld.create(files(config(size, '-1', '', type), copy(shape, datatype)));
    const reply = await server.during(
      server.send('M', { inputs: [{ name: 'I', datatype, shape: sent, data: [] }] }).done,
    );
    expect([reply.error, reply.outputs[0]?.shape, reply.outputs[0]?.data]).toEqual(['', sent, []]);
  });

  it('row 127: scalars are dims [1]; other dims are refused at load', async () => {
    await using server = await WireWorld.create(
      {
        ...files(config(0, '1'), copy([])),
        'bad/config.pbtxt': config(0, '2'),
        'bad/1/model.onnx': copy([]),
      },
      { options: { server: { exitOnError: false } } },
    );
    const reply = await server.during(server.send('M', filled([1])).done);
    expect([reply.error, reply.outputs[0]?.shape]).toEqual(['', [1]]);
    expect(await server.load('bad')).toContain(
      `unable to load model 'bad', scalar tensor 'I', should only provide 1 in the model configuration when the model doesn't support batching. Model configuration provided: [2].`,
    );
  });
});

describe('ragged batches', () => {
  const ragged = (kind: string): string => `max_batch_size: 4
    input [ { name: "I" data_type: TYPE_INT32 dims: [ -1 ] allow_ragged_batch: true } ]
    output [ { name: "O" data_type: TYPE_INT32 dims: [ 1 ] } ]
    batch_input [ { kind: ${kind} target_name: "X" data_type: TYPE_INT32 source_input: "I" } ]
    dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 10000000 }
    instance_group { kind: KIND_CPU count: 1 }`;

  it.each([
    ['BATCH_ELEMENT_COUNT', [2, 4, 1, 3]],
    ['BATCH_ACCUMULATED_ELEMENT_COUNT', [2, 6, 7, 10]],
  ])('row 130: %s over sources of 2, 4, 1 and 3 elements', async (kind, expected) => {
    // O = X: one number per request, so that the batch is cut back into requests of one row.
    const text = ragged(kind);
    await using server = await WireWorld.create({
      'M/config.pbtxt': text,
      'M/1/model.onnx': writeOnnx({
        graph: {
          name: 'g',
          nodes: [
            { opType: 'Reshape', inputs: ['X', 'column'], outputs: ['O'] },
            { opType: 'Identity', inputs: ['I'], outputs: ['unused'] },
          ],
          inputs: [
            { name: 'I', datatype: 'INT32', shape: ['n'] },
            { name: 'X', datatype: 'INT32', shape: ['r'] },
          ],
          outputs: [{ name: 'O', datatype: 'INT32', shape: ['r', 1] }],
          initializers: [
            {
              name: 'column',
              datatype: 'INT64',
              dims: [2],
              data: new Uint8Array(BigInt64Array.of(-1n, 1n).buffer),
            },
          ],
        },
      }),
    });
    const sent = await server.place(
      'M',
      [2, 4, 1, 3].map((count) => filled([1, count])),
    );
    const replies = await Promise.all(sent.map(({ done }) => done));
    expect(replies.map(({ error }) => error)).toEqual(['', '', '', '']);
    expect(replies.map(({ outputs }) => outputs[0]?.data[0])).toEqual(expected);
    expect(server.counts('M').batches).toEqual({ 4: 1 });
  });

  it('row 131: batch_output cuts a flat tensor by the shapes of the inputs', async () => {
    const text = `max_batch_size: 4
      input [ { name: "I" data_type: TYPE_INT32 dims: [ -1 ] allow_ragged_batch: true } ]
      output [ { name: "O" data_type: TYPE_INT32 dims: [ -1 ] } ]
      batch_output [ { kind: BATCH_SCATTER_WITH_INPUT_SHAPE target_name: "O" source_input: "I" } ]
      dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 10000000 }
      instance_group { kind: KIND_CPU count: 1 }`;
    await using server = await WireWorld.create(files(text, copy(['n'])));
    const sent = await server.place(
      'M',
      [2, 4, 1, 3].map((count) => filled([1, count])),
    );
    const replies = await Promise.all(sent.map(({ done }) => done));
    expect(replies.map(({ outputs }) => outputs[0]?.shape)).toEqual([
      [1, 2],
      [1, 4],
      [1, 1],
      [1, 3],
    ]);
    expect(replies.map(({ outputs }) => outputs[0]?.data)).toEqual([[0, 1], [0, 1, 2, 3], [0], [0, 1, 2]]);
    expect(server.counts('M').batches).toEqual({ 4: 1 });
  });

  it.each([
    ['missing', 'dynamic_batching { }', 'no.so', 'Not found: Batching library path not found: '],
    [
      'outside of the model',
      'dynamic_batching { }',
      '../x.so',
      'Batching library path escapes model repository.',
    ],
    [
      'with a sequence batcher',
      'sequence_batching { }',
      'no.so',
      'TRITON_BATCH_STRATEGY_PATH cannot be specified with sequence batcher, using default batching strategy',
    ],
    ['that is there', 'dynamic_batching { }', 'lib.so', 'this server cannot load native code'],
  ])('row 133: a batching library %s is refused at load', async (_name, batching, file, message) => {
    const more = `parameters { key: "TRITON_BATCH_STRATEGY_PATH" value { string_value: "${file}" } }`;
    await using server = await WireWorld.create(
      { ...models({ M: identity({ batching, more }) }), 'M/lib.so': 'x' },
      { options: { server: { exitOnError: false } } },
    );
    expect(await server.load('M')).toContain(message);
  });
});
