// Checklist: inference over HTTP (sizes have a table of their own).

import { afterAll, beforeAll, expect } from 'vitest';
import { DATA_TYPES } from '../../../src-shared/datatypes.ts';
import { identityModel } from '../../../src-main/testing/onnx-test-models.ts';
import { splitInferReply } from '../../../src-main/testing/wire-http.ts';
import { checklist } from './checklist.ts';
import { configText, DECOUPLED, echo, model } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { int32Bytes, int32Request } from './grpc-caller.ts';

let server: ChecklistServer;

const scalar = (name: string, dims: readonly number[]) => ({
  [`${name}/config.pbtxt`]: configText({
    backend: 'onnxruntime',
    inputs: [['INPUT', 'FP32', dims]],
    outputs: [['OUTPUT', 'FP32', dims]],
  }),
  [`${name}/1/model.onnx`]: identityModel('FP32', []),
});

beforeAll(async () => {
  server = await ChecklistServer.start({
    ...echo('eight', 'FP32', [8]),
    ...echo('dynamic', 'FP32', [-1, 2]),
    ...echo('text', 'BYTES', [1]),
    ...echo('texts', 'BYTES', [2, 2]),
    ...echo('matrix', 'FP32', [-1, -1]),
    ...model('three', {
      inputs: [
        ['INPUT0', 'INT32', [1]],
        ['INPUT1', 'INT32', [1]],
        ['INPUT2', 'INT32', [1]],
      ],
    }),
    ...model('pair', {
      inputs: [
        ['INPUT0', 'INT32', [1, 16]],
        ['INPUT1', 'INT32', [1, 16]],
      ],
    }),
    ...model('optional', {
      inputs: [
        ['INPUT0', 'INT32', [1]],
        ['INPUT1', 'INT32', [1], 'optional: true'],
      ],
    }),
    ...model('stream', { inputs: [['INPUT0', 'INT32', [1]]], backend: 'square', more: DECOUPLED }),
    ...scalar('scalar1', [1]),
    ...scalar('scalar2', [1, 1]),
    ...Object.assign(
      {},
      ...DATA_TYPES.flatMap((datatype) => [
        echo(`empty_${datatype.toLowerCase()}`, datatype, [-1, 4]),
        echo(`empty_batched_${datatype.toLowerCase()}`, datatype, [-1], { maxBatchSize: 4 }),
      ]),
    ),
  });
});
afterAll(() => server.close());

const raw = (name: string, body: Uint8Array) =>
  server.http({ path: `/v2/models/${name}/infer`, body, headers: { 'Inference-Header-Content-Length': 0 } });
const refused = async (name: string, body: Uint8Array): Promise<unknown> => {
  const { status, text } = await raw(name, body);
  return [status, (JSON.parse(text) as { error: string }).error];
};
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const both = (outputs: object, count0 = 16): object => ({
  inputs: ['INPUT0', 'INPUT1'].map((name) => ({
    name,
    datatype: 'INT32',
    shape: [1, 16],
    data: numbers(name === 'INPUT0' ? count0 : 16),
  })),
  ...outputs,
});
const formats = async (change: object): Promise<string[]> => {
  const { json } = splitInferReply(await server.post('pair/infer', both(change)));
  return (json['outputs'] as Record<string, unknown>[]).map((output) =>
    'data' in output ? 'json' : 'binary',
  );
};
const withShape = (shape: string, datatype = 'FP32') =>
  server.post(
    'matrix/infer',
    `{"inputs":[{"name":"INPUT0","datatype":"${datatype}","shape":${shape},"data":[1]}]}`,
  );

checklist('Inference over HTTP', {
  'raw binary, float model [8], 32 bytes': async () => {
    const bytes = Buffer.from(Float32Array.from(numbers(8)).buffer);
    const reply = await raw('eight', bytes);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(splitInferReply(reply).binary.equals(bytes)).toBe(true);
  },
  'raw binary with a dynamic dimension, longer body': async () => {
    const { json } = splitInferReply(await raw('dynamic', Buffer.alloc(80)));
    expect(json['outputs']).toMatchObject([{ shape: [10, 2] }]);
  },
  'raw binary, BYTES model [1]': async () => {
    const { binary } = splitInferReply(await raw('text', Buffer.from('hello')));
    expect(binary.toString('latin1')).toBe('\x05\0\0\0hello');
  },
  'raw binary, BYTES with dims product not 1': async () => {
    expect(await refused('texts', Buffer.from('hello'))).toEqual([
      400,
      "[request id: <id_unknown>] For BYTE datatype raw input 'INPUT0', the model must have input shape [1]",
    ]);
  },
  'raw binary, two variable dims': async () => {
    expect(await refused('matrix', Buffer.alloc(4))).toEqual([
      400,
      "[request id: <id_unknown>] The shape of the raw input 'INPUT0' can not be deduced because there are more than one variable-sized dimension",
    ]);
  },
  'raw binary, model with 3 inputs': async () => {
    expect(await refused('three', Buffer.alloc(4))).toEqual([
      400,
      expect.stringContaining(
        'Raw request must only have 1 input (found 1) to be deduced but got 3 inputs in',
      ),
    ]);
  },
  'outputs: one `binary_data` true, the other false or unset': async () => {
    for (const parameters of [{ binary_data: false }, undefined]) {
      const outputs = [
        { name: 'OUTPUT0', parameters: { binary_data: true } },
        { name: 'OUTPUT1', ...(parameters && { parameters }) },
      ];
      expect(await formats({ outputs })).toEqual(['binary', 'json']);
    }
  },
  '`binary_data_output` true, no outputs': async () => {
    expect(await formats({ parameters: { binary_data_output: true } })).toEqual(['binary', 'binary']);
  },
  '`binary_data_output` true, outputs listed without `binary_data`': async () => {
    const outputs = [{ name: 'OUTPUT0' }, { name: 'OUTPUT1' }];
    expect(await formats({ parameters: { binary_data_output: true }, outputs })).toEqual(['json', 'json']);
  },
  '15 numbers for shape [1,16]': async () => {
    const { status, text } = await server.post('pair/infer', both({}, 15));
    expect([status, text]).toEqual([
      500,
      `{"error":"Failed to parse 'data' field: shape does not match true shape"}`,
    ]);
  },
  '18 numbers for shape [1,16]': async () => {
    const { status, text } = await server.post('pair/infer', both({}, 18));
    expect([status, text]).toEqual([
      500,
      `{"error":"Unable to parse 'data': Shape does not match true shape of 'data' field"}`,
    ]);
  },
  'shape product overflow': async () => {
    const { status, text } = await withShape('[4294967296,4294967296]');
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('causes total element count to exceed maximum size of'),
    ]);
  },
  'bytes overflow': async () => {
    const { status, text } = await withShape('[2305843009213693952,2]');
    expect([status, text]).toEqual([400, expect.stringContaining(`byte size overflow for input 'INPUT0'`)]);
  },
  'shape with -1': async () => {
    const { status, text } = await withShape('[-1,1]');
    expect([status, text]).toEqual([
      500,
      `{"error":"Unable to parse 'shape': attempt to access JSON non-unsigned-integer as unsigned-integer"}`,
    ]);
  },
  'an output listed twice': async () => {
    const outputs = [{ name: 'OUTPUT0' }, { name: 'OUTPUT0' }];
    const { status, text } = await server.post('pair/infer', both({ outputs }));
    expect([status, text]).toEqual([
      400,
      expect.stringContaining(`output 'OUTPUT0' already exists in request`),
    ]);
    const answer = await server.grpc.call('ModelInfer', int32Request('three', [1], { outputs }));
    expect([answer.code, answer.details]).toEqual([
      3,
      expect.stringContaining(`output 'OUTPUT0' already exists in request`),
    ]);
  },
  'an input with no data, or two sources': async () => {
    const input = { name: 'INPUT0', datatype: 'FP32', shape: [8] };
    for (const change of [{}, { data: [1], parameters: { binary_data_size: 4 } }]) {
      const { status, text } = await server.post('eight/infer', { inputs: [{ ...input, ...change }] });
      expect([status, text]).toEqual([
        400,
        expect.stringContaining('Input must set only one of the following fields'),
      ]);
    }
  },
  'NaN, inf and -inf: JSON for a Python reader, binary and gRPC exact': async () => {
    const bytes = Buffer.from(Float32Array.of(NaN, Infinity, -Infinity, 0, 0, 0, 0, 0).buffer);
    const input = { name: 'INPUT0', datatype: 'FP32', shape: [8] };
    const text = await server.post(
      'eight/infer',
      `{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[8],"data":[NaN,Infinity,-Infinity,0,0,0,0,0]}]}`,
    );
    expect([text.status, text.text]).toEqual([
      200,
      expect.stringContaining('"data":[NaN,Infinity,-Infinity,0.0,0.0,0.0,0.0,0.0]'),
    ]);
    expect(splitInferReply(await raw('eight', bytes)).binary.equals(bytes)).toBe(true);
    const { response } = await server.grpc.call('ModelInfer', {
      model_name: 'eight',
      inputs: [input],
      raw_input_contents: [bytes],
    });
    expect(response?.['raw_output_contents']).toEqual([bytes]);
  },
  'a decoupled model through HTTP infer and gRPC ModelInfer': async () => {
    const body = { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }] };
    const { status, text } = await server.post('stream/infer', body);
    expect([status, text]).toEqual([
      501,
      `{"error":"HTTP end point doesn't support models with decoupled transaction policy"}`,
    ]);
    expect(await server.grpc.call('ModelInfer', int32Request('stream', [1]))).toMatchObject({
      code: 12,
      details: "ModelInfer RPC doesn't support models with decoupled transaction policy",
    });
  },
  'a model path with the wrong version 99': async () => {
    const { status, text } = await server.post('eight/versions/99/infer', '{}');
    expect([status, text]).toEqual([
      404,
      `{"error":"Request for unknown model: 'eight' version 99 is not found"}`,
    ]);
  },
  'scalars: dims [1] and [1,1] on a scalar graph': async () => {
    for (const [name, shape] of [
      ['scalar1', [1]],
      ['scalar2', [1, 1]],
    ] as const) {
      const body = { inputs: [{ name: 'INPUT', datatype: 'FP32', shape, data: [7.5] }] };
      const { text } = await server.post(`${name}/infer`, body);
      expect(JSON.parse(text)).toMatchObject({ outputs: [{ shape, data: [7.5] }] });
    }
  },
  'zero-size inner dims, batched and unbatched, all types': async () => {
    for (const datatype of DATA_TYPES) {
      for (const [name, shape] of [
        [`empty_${datatype.toLowerCase()}`, [0, 4]],
        [`empty_batched_${datatype.toLowerCase()}`, [2, 0]],
      ] as const) {
        const inputs = [{ name: 'INPUT0', datatype, shape, parameters: { binary_data_size: 0 } }];
        const json = JSON.stringify({ inputs, parameters: { binary_data_output: true } });
        const reply = await server.post(`${name}/infer`, json, {
          'Inference-Header-Content-Length': json.length,
        });
        expect([name, reply.status]).toEqual([name, 200]);
        expect(splitInferReply(reply).json['outputs']).toEqual([
          { name: 'OUTPUT0', datatype, shape, parameters: { binary_data_size: 0 } },
        ]);
      }
    }
  },
  'optional inputs left out': async () => {
    const outputs = [{ name: 'OUTPUT0' }];
    const body = { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [4] }], outputs };
    expect((await server.post('optional/infer', body)).text).toContain('"data":[4]');
    expect(await server.grpc.call('ModelInfer', int32Request('optional', [4], { outputs }))).toMatchObject({
      code: 0,
      response: { raw_output_contents: [int32Bytes(4)] },
    });
  },
});
