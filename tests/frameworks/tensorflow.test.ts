// TensorFlow models, on a Python that has tensorflow.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';

const FP32 = 'TYPE_FP32';
const GROUP = 'instance_group [ { count: 1 kind: KIND_CPU } ]';
const SAVED = `platform: "tensorflow_savedmodel" ${GROUP}`;
const GRAPH = `platform: "tensorflow_graphdef" ${GROUP}`;
const inputs = (dims: string, names = ['INPUT0', 'INPUT1']): string =>
  `input [ ${names.map((name) => tensor(name, FP32, dims)).join(', ')} ]`;
const outputs = (dims: string, names = ['OUTPUT0', 'OUTPUT1']): string =>
  `output [ ${names.map((name) => tensor(name, FP32, dims)).join(', ')} ]`;
const both = (dims: string): string => `${inputs(dims)} ${outputs(dims)}`;
const parameter = (key: string, value: string): string =>
  `parameters { key: "${key}" value { string_value: "${value}" } }`;

describe.skipIf(testPython('tensorflow') === undefined)(needsPython('tensorflow', 'tensorflow'), () => {
  let world: FrameworkWorld;
  beforeAll(async () => {
    world = await FrameworkWorld.create('tensorflow_models.py', 'tensorflow', ['tensorflow', 'openvino']);
  }, 240_000);
  afterAll(() => world[Symbol.asyncDispose]());

  const saved = (name: string, made: string, config?: string) =>
    world.load(name, { made, at: '1/model.savedmodel', ...(config === undefined ? {} : { config }) });
  const ask = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
    world.infer(name, [floats('INPUT0', [5, 7]), floats('INPUT1', [1, 2])], more);

  it('row 58: a SavedModel without a configuration', async () => {
    expect(await saved('bare', 'addsub')).toBe('');
    expect(await world.config('bare')).toMatchObject({
      platform: 'tensorflow_savedmodel',
      max_batch_size: 4,
      input: [
        { name: 'INPUT0', data_type: FP32, dims: [2] },
        { name: 'INPUT1', data_type: FP32, dims: [2] },
      ],
      output: [{ name: 'OUTPUT0' }, { name: 'OUTPUT1' }],
      dynamic_batching: {},
    });
    expect((await ask('bare')).outputs).toEqual({
      OUTPUT0: { shape: [1, 2], data: [6, 9] },
      OUTPUT1: { shape: [1, 2], data: [4, 5] },
    });
  }, 60_000);

  it('answers in the order of names, whatever the order of the configuration or the request', async () => {
    const text = `${SAVED} max_batch_size: 8 ${inputs('2')} ${outputs('2', ['OUTPUT1', 'OUTPUT0'])}`;
    expect(await saved('reversed', 'addsub', text)).toBe('');
    const metadata = (await world.call('models/reversed')).body as { readonly outputs: readonly object[] };
    expect(metadata.outputs).toMatchObject([{ name: 'OUTPUT1' }, { name: 'OUTPUT0' }]);
    for (const more of [{}, { outputs: [{ name: 'OUTPUT1' }, { name: 'OUTPUT0' }] }]) {
      expect(Object.keys((await ask('reversed', more)).outputs)).toEqual(['OUTPUT0', 'OUTPUT1']);
    }
  });

  it('row 59: missing inputs are appended, missing outputs are not', async () => {
    const text = `${SAVED} max_batch_size: 8 ${inputs('2', ['INPUT0'])} ${outputs('2', ['OUTPUT1'])}`;
    expect(await saved('part', 'addsub', text)).toBe('');
    const config = await world.config('part');
    expect(config).toMatchObject({
      input: [{ name: 'INPUT0' }, { name: 'INPUT1' }],
      output: [{ name: 'OUTPUT1' }],
    });
    expect(config['output']).toHaveLength(1);
  });

  it('row 69: only what is asked for is fetched', async () => {
    const reply = await ask('bare', { outputs: [{ name: 'OUTPUT1' }] });
    expect(reply.outputs).toEqual({ OUTPUT1: { shape: [1, 2], data: [4, 5] } });
    const text = `${GRAPH} max_batch_size: 8 ${inputs('2', ['INPUT0'])} ${outputs('2')}`;
    expect(await world.load('fault', { made: 'fault/model.graphdef', config: text })).toBe('');
    const only = (name: string) => world.infer('fault', [floats('INPUT0', [1, 2])], { outputs: [{ name }] });
    expect((await only('OUTPUT0')).outputs).toEqual({ OUTPUT0: { shape: [1, 2], data: [2, 4] } });
    expect((await only('OUTPUT1')).error).toContain('OUTPUT1 was computed');
  });

  it.each([
    [
      'row 1',
      'addsub',
      `${SAVED} max_batch_size: 8 ${both('2').replace('dims: [ 2 ] ', 'dims: [ 2 ] optional: true ')}`,
      "'optional' is set to true for input 'INPUT0' while the backend model doesn't support optional input",
    ],
    [
      'row 60',
      'fixed',
      `${SAVED} max_batch_size: 8`,
      'configuration specified max-batch 8 but model signature does not support batching',
    ],
    [
      'row 61',
      'addsub',
      `${SAVED} max_batch_size: 8 input [ ${tensor('INPUT0', FP32, '2')}, ${tensor('INPUT1', FP32, '-1, 2')} ]`,
      'contradicting each other in terms of whether batching is supported',
    ],
    [
      'row 62',
      'named',
      `${SAVED} max_batch_size: 8 ${both('2')} ${parameter('TF_SIGNATURE_DEF', 'nothing')}`,
      "expected 'nothing' signature",
    ],
    [
      'row 63',
      'addsub',
      `${SAVED} max_batch_size: 8 ${both('2')} ${parameter('TF_GRAPH_TAG', 'nowhere')}`,
      'nowhere',
    ],
    [
      'row 66 sessions',
      'addsub',
      `${SAVED} max_batch_size: 8 ${both('2')} ${parameter('MAX_SESSION_SHARE_COUNT', '0')}`,
      "parameter 'MAX_SESSION_SHARE_COUNT' must be positive number for TensorFlow model 'refused'",
    ],
    [
      'row 66 threads',
      'addsub',
      `${SAVED} max_batch_size: 8 ${both('2')} ${parameter('TF_NUM_INTRA_THREADS', '-1')}`,
      "parameter 'TF_NUM_INTRA_THREADS' must be non-negative number for TensorFlow model 'refused'",
    ],
    [
      'row 68',
      'addsub',
      `${SAVED} max_batch_size: 8 ${both('2')} optimization { execution_accelerators { cpu_execution_accelerator [ { name: "x" } ] } }`,
      'CPU Execution Accelerator is not supported in TensorFlow backend',
    ],
  ])('%s is refused when loaded', async (_row, made, text, refusal) => {
    expect(await saved('refused', made, text)).toContain(refusal);
  });

  it('row 64: a frozen graph by node names', async () => {
    const made = { made: 'graph/model.graphdef' };
    expect(await world.load('graph', { ...made, config: `${GRAPH} max_batch_size: 8 ${both('2')}` })).toBe(
      '',
    );
    expect((await ask('graph')).outputs['OUTPUT1']?.data).toEqual([4, 5]);
    const text = `${GRAPH} max_batch_size: 8 ${inputs('2')} ${outputs('2', ['NOWHERE'])}`;
    expect(await world.load('refused', { ...made, config: text })).toContain(
      "unexpected inference output 'NOWHERE', allowed outputs are: OUTPUT0, OUTPUT1",
    );
    const other = `${GRAPH} max_batch_size: 8 ${inputs('2', ['INPUT0', 'ELSEWHERE'])} ${outputs('2')}`;
    expect(await world.load('refused', { ...made, config: other })).toContain(
      "unexpected inference input 'ELSEWHERE', allowed inputs are: INPUT0, INPUT1",
    );
  });

  it('row 65: operations that are run once after loading; the file of the version comes first', async () => {
    const one = tensor('INPUT0', FP32, '2');
    const text = `${GRAPH} max_batch_size: 8 input [ ${one} ] ${outputs('2', ['OUTPUT0'])} ${parameter('TF_INIT_OPS_FILE', 'init.json')}`;
    const file = (name: string): string => JSON.stringify({ init_ops: [name] });
    await world.repository.write({ 'state/init.json': file('one') });
    expect(await world.load('state', { made: 'state/model.graphdef', config: text })).toBe('');
    const answer = async () =>
      (await world.infer('state', [floats('INPUT0', [5, 7])])).outputs['OUTPUT0']?.data;
    expect(await answer()).toEqual([6, 8]);
    await world.repository.write({ 'state/1/init.json': file('two') });
    expect(await world.load('state')).toBe('');
    expect(await answer()).toEqual([7, 9]);
  });

  it('instances share a session where MAX_SESSION_SHARE_COUNT says so', async () => {
    const one = tensor('INPUT0', FP32, '2');
    const text = `platform: "tensorflow_graphdef" instance_group [ { count: 2 kind: KIND_CPU } ] max_batch_size: 8
      input [ ${one} ] ${outputs('2', ['OUTPUT0'])} ${parameter('MAX_SESSION_SHARE_COUNT', '2')}
      ${parameter('TF_INIT_OPS_FILE', 'init.json')}`;
    await world.repository.write({ 'counter/init.json': JSON.stringify({ init_ops: ['zero'] }) });
    expect(await world.load('counter', { made: 'counter/model.graphdef', config: text })).toBe('');
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => world.infer('counter', [floats('INPUT0', [0, 0])])),
    );
    const counts = replies.map(({ outputs: { OUTPUT0 } }) => Number(OUTPUT0?.data[0]));
    // Two requests at once may both read the later number, so only the last one's is certain.
    expect(Math.max(...counts)).toBe(8);
  });

  it('row 67: any bytes pass unchanged', async () => {
    expect(await saved('texts', 'texts')).toBe('');
    const data = ['a\u0000b', 'ä', ''];
    const reply = await world.infer('texts', [{ name: 'INPUT0', datatype: 'BYTES', shape: [3, 1], data }]);
    expect(reply.outputs['OUTPUT0']).toEqual({ shape: [3, 1], data });
  });

  it('row 67: bytes that are no text pass unchanged as well', async () => {
    const element = Buffer.from([3, 0, 0, 0, 0xff, 0, 0xfe]);
    const header = JSON.stringify({
      inputs: [
        {
          name: 'INPUT0',
          datatype: 'BYTES',
          shape: [1, 1],
          parameters: { binary_data_size: element.byteLength },
        },
      ],
      outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true } }],
    });
    const reply = await fetch(`http://127.0.0.1:${world.engine.ports.http}/v2/models/texts/infer`, {
      method: 'POST',
      headers: { 'Inference-Header-Content-Length': String(header.length) },
      body: Buffer.concat([Buffer.from(header), element]),
    });
    expect(reply.status).toBe(200);
    const answer = Buffer.from(await reply.arrayBuffer());
    expect(answer.subarray(Number(reply.headers.get('inference-header-content-length')))).toEqual(element);
  });

  it('row 89: as a step of an ensemble', async () => {
    const ensemble = `platform: "ensemble" max_batch_size: 4 input [ ${tensor('A', FP32, '2')} ] output [ ${tensor('B', FP32, '2')} ]
      ensemble_scheduling { step [ { model_name: "bare" model_version: -1
        input_map [ { key: "INPUT0" value: "A" }, { key: "INPUT1" value: "A" } ] output_map { key: "OUTPUT0" value: "B" } } ] }`;
    const before = await world.inferenceCount('bare');
    expect(await world.load('steps', { config: ensemble })).toBe('');
    const { outputs } = await world.infer('steps', [floats('A', [1, 2])]);
    expect(outputs).toEqual({ B: { shape: [1, 2], data: [2, 4] } });
    expect([(await world.inferenceCount('bare')) - before, await world.inferenceCount('steps')]).toEqual([
      1, 1,
    ]);
    await world.unload('steps');
  });

  it.skipIf(testPython('openvino') !== testPython('tensorflow')).each([
    ['model.saved_model', 'addsub', '-1, 2', ['OUTPUT0', 'OUTPUT1']],
    ['model.tflite', 'lite/model.tflite', '1, 2', ['Identity', 'Identity_1']],
  ] as const)(
    'row 56: OpenVINO serves %s by its name',
    async (file, made, dims, [sum, difference]) => {
      const text = `backend: "openvino" default_model_filename: "${file}" ${inputs(dims)} ${outputs(dims, [sum, difference])}`;
      expect(await world.load('by_openvino', { made, at: `1/${file}`, config: text })).toBe('');
      expect((await ask('by_openvino')).outputs).toEqual({
        [sum]: { shape: [1, 2], data: [6, 9] },
        [difference]: { shape: [1, 2], data: [4, 5] },
      });
    },
    60_000,
  );

  it('a missing folder is named', async () => {
    expect(await world.load('nothing', { config: `${SAVED} max_batch_size: 8 ${both('2')}` })).toMatch(
      /unable to find '.*\/nothing\/1\/model\.savedmodel' for model instance 'nothing/,
    );
  });
});
