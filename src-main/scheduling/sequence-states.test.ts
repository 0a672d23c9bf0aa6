import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  ModelConfig,
  SequenceInitialState,
  SequenceState,
} from '../../src-shared/config/model-config.ts';
import { implicitStateBackend } from '../backends/sequence/implicit-state-backend.ts';
import {
  oldest,
  results,
  sequenceBatching,
  stateConfig,
  SequenceWorld,
  START,
  type SequenceWorldOptions,
} from '../testing/sequence-world.ts';
import { inputConfig, int32Input, modelConfig, outputConfig, type Answer } from '../testing/tensors.ts';
import { loadInitialStates } from './sequence-initial-states.ts';

let modelDir: string;

beforeEach(async () => {
  modelDir = await mkdtemp(path.join(os.tmpdir(), 'conch-state-'));
  await mkdir(path.join(modelDir, 'initial_state'));
});

afterEach(() => rm(modelDir, { recursive: true, force: true }));

function initial(change: Partial<SequenceInitialState> = {}): SequenceInitialState {
  return {
    name: 'start',
    dataType: 'TYPE_INT32',
    dims: [1],
    zeroData: undefined,
    dataFile: undefined,
    ...change,
  };
}

const withStates = (...states: SequenceState[]): ModelConfig =>
  modelConfig({ sequenceBatching: sequenceBatching({ state: states }) });

async function create(
  states: SequenceState[],
  options: Partial<SequenceWorldOptions> = {},
): Promise<SequenceWorld> {
  return SequenceWorld.create({
    backend: implicitStateBackend,
    ...options,
    batching: { state: states, ...options.batching },
    config: {
      input: [inputConfig({ name: 'INPUT' }), inputConfig({ name: 'TEST_CASE', dims: [1], optional: true })],
      output: [outputConfig({ name: 'OUTPUT' }), outputConfig({ name: 'STATE_OUT' })],
      ...options.config,
    },
    initialStates: await loadInitialStates(withStates(...states), modelDir),
  });
}

/** One request with a test case of the implicit_state backend. */
function send(world: SequenceWorld, id: bigint, value: number, flags: number, testCase?: number): Answer {
  const inputs = [int32Input('INPUT', [1, 1], [value])];
  if (testCase !== undefined) inputs.push(int32Input('TEST_CASE', [1, 1], [testCase]));
  return world.send(id, value, flags, { inputs });
}

const file = (...values: number[]): Promise<void> =>
  writeFile(path.join(modelDir, 'initial_state', 'start.bin'), Buffer.from(Int32Array.from(values).buffer));

describe('what a sequence carries', () => {
  test.each([
    ['direct', {}],
    ['oldest', oldest()],
  ])('%s: each sequence its own state, from zero', async (_name, batching) => {
    const world = await create([stateConfig()], { batching });
    const answers = [world.sequence(1n, [1, 2, 3]), world.sequence(2n, [10, 20, 30])];
    await world.advance(1);
    expect(answers.map(results)).toEqual([
      [1, 3, 6],
      [10, 30, 60],
    ]);
  });

  test('a model that never updates keeps the initial value', async () => {
    await file(1);
    const world = await create([stateConfig({ initialState: [initial({ dataFile: 'start.bin' })] })]);
    const answers = [send(world, 1n, 5, START, 1), send(world, 1n, 5, 0, 1)];
    await world.advance(1);
    expect(results(answers)).toEqual([6, 6]);
  });

  test.each<[string, Partial<SequenceInitialState>, number]>([
    ['zero_data', { zeroData: true }, 5],
    ['data_file', { dataFile: 'start.bin' }, 105],
  ])('starts from %s', async (_name, change, expected) => {
    await file(100);
    const world = await create([stateConfig({ initialState: [initial(change)] })]);
    const answers = world.sequence(1n, [5]);
    await world.advance(1);
    expect(results(answers)).toEqual([expected]);
  });

  test('one buffer for input and output keeps sequences independent', async () => {
    const world = await create([stateConfig({ useSameBufferForInputOutput: true })]);
    const answers = [1n, 2n].flatMap((id) => [send(world, id, 5, START, 2), send(world, id, 7, 0, 2)]);
    await world.advance(1);
    expect(results(answers)).toEqual([5, 12, 5, 12]);
  });

  test('one buffer keeps its shape when more is written: the beginning is seen', async () => {
    const world = await create([stateConfig({ dims: [-1], useSameBufferForInputOutput: true })]);
    const answers = [send(world, 1n, 5, START, 4), send(world, 1n, 6, 0, 4), send(world, 1n, 7, 0, 4)];
    await world.advance(1);
    expect(results(answers)).toEqual([5, 6, 7]);
    expect(answers.map(({ responses }) => responses[0]?.outputs[1]?.shape)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  test('each request finds the first value where outputs of the model renew none', async () => {
    const world = await create([stateConfig()], { keepsStates: false });
    const answers = world.sequence(1n, [1, 2, 3]);
    await world.advance(1);
    expect(results(answers)).toEqual([1, 2, 3]);
  });

  test('a state that grows is seen in its new shape; null rows leave it alone', async () => {
    const world = await create([stateConfig({ dims: [-1] })]);
    const quiet = world.sequence(1n, [1], { isOpen: true });
    const growing = [send(world, 2n, 5, START, 4)];
    await world.advance(1);
    growing.push(send(world, 2n, 6, 0, 4));
    await world.advance(1);
    growing.push(send(world, 2n, 7, 0, 4));
    await world.advance(1);
    const quietAgain = world.send(1n, 1);
    await world.advance(1);
    expect(results(growing)).toEqual([5, 11, 18]);
    expect(growing.map(({ responses }) => responses[0]?.outputs[1]?.shape)).toEqual([
      [1, 2],
      [1, 3],
      [1, 4],
    ]);
    expect(results([...quiet, quietAgain])).toEqual([1, 2]);
  });

  test('growable memory is refused, since there is none without a GPU', async () => {
    const world = await create([stateConfig()]);
    const answer = send(world, 1n, 5, START, 3);
    await world.advance(1);
    expect(answer.error).toMatchObject({
      code: 'UNSUPPORTED',
      message: 'growable memory should always provide memory in GPU',
    });
  });

  test('a sequence started again in the same slot begins anew', async () => {
    const world = await create([stateConfig()], { config: { maxBatchSize: 1 } });
    const answers = [...world.sequence(1n, [1, 2], { isOpen: true }), ...world.sequence(1n, [10, 20])];
    await world.advance(1);
    expect(results(answers)).toEqual([1, 3, 10, 30]);
  });

  test('storing a state nobody configured fails that request', async () => {
    const world = await create([stateConfig()]);
    const known = send(world, 1n, 1, START, 0);
    const none = await create([]);
    const unknown = send(none, 1n, 1, START, 0);
    await world.advance(1);
    await none.advance(1);
    expect(known.error?.message).toBe(`state 'undefined_state' is not a valid state name.`);
    expect(unknown.error?.message).toBe(
      `unable to add state 'undefined_state'. State configuration is missing for model 'M'.`,
    );
  });
});

describe('initial values', () => {
  test('strings start empty, or as the file has them', async () => {
    const text = { dataType: 'TYPE_STRING', dims: [2] } as const;
    const bytes = Buffer.from('\u0001\0\0\0a\u0002\0\0\0bc\u0001\0\0\0d');
    await writeFile(path.join(modelDir, 'initial_state', 'text.bin'), bytes);
    const [empty] = await loadInitialStates(withStates(stateConfig(text)), modelDir);
    expect([...(empty?.initialBytes ?? [])]).toEqual(new Array(8).fill(0));
    const filled = stateConfig({ ...text, initialState: [initial({ ...text, dataFile: 'text.bin' })] });
    const [spec] = await loadInitialStates(withStates(filled), modelDir);
    expect(Buffer.from(spec?.initialBytes ?? []).toString()).toBe('\u0001\0\0\0a\u0002\0\0\0bc');
  });

  test('a variable state starts with ones in its shape', async () => {
    const [spec] = await loadInitialStates(withStates(stateConfig({ dims: [-1, 3] })), modelDir);
    expect(spec?.initialShape).toEqual([1, 3]);
    expect(spec?.initialBytes.byteLength).toBe(12);
  });

  test.each<[string, SequenceState[], string]>([
    [
      'two initial states',
      [stateConfig({ initialState: [initial(), initial()] })],
      `initial_state field for state input 'STATE_IN' must contain exactly one or zero element. Found '2' elements.`,
    ],
    [
      'no name',
      [stateConfig({ initialState: [initial({ name: '' })] })],
      `Field 'name' must be set when using initial_state for state input 'STATE_IN'.`,
    ],
    [
      'one state input twice',
      [stateConfig(), stateConfig()],
      `State input name 'STATE_IN' specified more than once.`,
    ],
    [
      'a short file',
      [stateConfig({ dims: [3], initialState: [initial({ dims: [3], dataFile: 'start.bin' })] })],
      `initial_state setting expects 12 bytes, but the data provided from `,
    ],
    [
      'a missing file',
      [stateConfig({ initialState: [initial({ dataFile: 'none.bin' })] })],
      'failed to open text file for read ',
    ],
    [
      'a file outside of the folder',
      [stateConfig({ initialState: [initial({ dataFile: '../../secret' })] })],
      'leads out of',
    ],
    [
      'a variable dimension',
      [stateConfig({ dims: [-1], initialState: [initial({ dims: [-1] })] })],
      `'initial_state' field for state input name 'STATE_IN' contains variable dimensions.`,
    ],
    [
      'another data type',
      [stateConfig({ initialState: [initial({ dataType: 'TYPE_FP32' })] })],
      `The data type used for 'initial_state' field of state 'STATE_IN' does not match the state data type.`,
    ],
    [
      'another rank',
      [stateConfig({ initialState: [initial({ dims: [1, 1] })] })],
      `Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input 'STATE_IN'. 2 != 1`,
    ],
    [
      'another dimension',
      [stateConfig({ initialState: [initial({ dims: [2] })] })],
      `'initial_state' dim for input name 'STATE_IN' doesn't match 'state' dim description. 2 != 1`,
    ],
    [
      'neither zeros nor a file',
      [stateConfig({ initialState: [{ ...initial(), zeroData: undefined, dataFile: undefined }] })],
      `initial_state setting expects state'STATE_IN' to have state_data set`,
    ],
  ])('%s cannot load', async (_name, states, message) => {
    await file(1);
    await expect(loadInitialStates(withStates(...states), modelDir)).rejects.toThrow(message);
  });

  test('the message of a short file has no blank after its name', async () => {
    await file(1);
    const short = stateConfig({ dims: [3], initialState: [initial({ dims: [3], dataFile: 'start.bin' })] });
    await expect(loadInitialStates(withStates(short), modelDir)).rejects.toThrow(
      'the data provided from start.binonly has 4 bytes.',
    );
  });
});
