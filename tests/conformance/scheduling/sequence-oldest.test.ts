// The oldest strategy, implicit state and iterative sequences as clients meet them.
import { describe, expect, it } from 'vitest';
import {
  interleaved,
  sequenceFiles,
  sequenceModel,
  sequenceRequest,
  wholeSequence,
} from './wire-requests.ts';
import type { SequenceModel } from './wire-requests.ts';
import { models, outcomes, values, WireWorld } from './wire-world.ts';
import type { Sent, WireRequest, WireWorldOptions } from './wire-world.ts';

const OLDEST = `oldest { max_candidate_sequences: 4 preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 10000 }`;
const SLOW = 'parameters { key: "execute_delay_ms" value { string_value: "1" } }';

const world = (model: SequenceModel = {}, options: WireWorldOptions = {}): Promise<WireWorld> =>
  WireWorld.create(sequenceFiles({ strategy: OLDEST, more: SLOW, ...model }), options);

describe('oldest', () => {
  it.each<[string, string, number[], number[], object]>([
    ['row 60: 3, 3, 3 and 2 requests', '', [3, 3, 3, 2], [], { 4: 2, 3: 1 }],
    ['row 61: all of different shapes', '', [3, 3, 3, 2], [1, 2, 3, 4], { 1: 11 }],
    [
      'row 61: of different shapes, ragged',
      'allow_ragged_batch: true',
      [3, 3, 3, 2],
      [1, 2, 3, 4],
      { 4: 2, 3: 1 },
    ],
  ])('%s', async (_name, input, lengths, widths, batches) => {
    await using server = await world({ input }, { hold: 11 });
    const sent = await server.place('S', interleaved(lengths, widths));
    await server.advance(1000);
    const sums = await values(sent);
    expect(sums.slice(8)).toEqual([7, 8, 9]);
    expect(sums.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(server.counts('S')).toMatchObject({ batches, I: 11 });
  });

  it.each<[string, WireRequest[], number, number, object, number]>([
    [
      'row 62: a fifth sequence waits for one to end',
      [
        ...interleaved([3, 3, 3, 3]).slice(0, 11),
        ...wholeSequence(5, [1, 2, 3]),
        ...interleaved([3, 3, 3, 3]).slice(11),
      ],
      12,
      3,
      { 4: 3, 1: 3 },
      15,
    ],
    [
      'row 62: waiting sequences fill the slots of short ones',
      [
        ...interleaved([3, 3, 2, 2]).slice(0, 9),
        ...wholeSequence(5, [50]),
        ...wholeSequence(6, [60]),
        ...interleaved([3, 3, 2, 2]).slice(9),
      ],
      10,
      2,
      { 4: 3 },
      12,
    ],
  ])('%s', async (_name, requests, hold, holdBacklog, batches, count) => {
    await using server = await world({}, { hold, holdBacklog });
    const sent = await server.place('S', requests);
    await server.advance(1000);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect(server.counts('S')).toMatchObject({ batches, I: count });
  });

  it('row 63: an idle sequence frees its slot and is forgotten', async () => {
    await using server = await world({ strategy: 'oldest { max_candidate_sequences: 1 }' });
    const first = await server.place('S', wholeSequence(1, [1], true));
    await server.advance(1);
    expect(await values(first)).toEqual([1]);
    const waiting = await server.place('S', wholeSequence(2, [10, 20], true));
    await server.advance(4000);
    expect(server.counts('S').success).toBe(1);
    await server.advance(1100);
    expect(await values(waiting)).toEqual([10, 30]);
    expect((await outcomes(await server.place('S', [sequenceRequest(1, 1)])))[0]).toContain(
      'must specify the START flag',
    );
  });

  it('row 64: preserve_ordering holds responses of a faster sequence back', async () => {
    const strategy = 'oldest { max_candidate_sequences: 4 preserve_ordering: true }';
    const more = `parameters { key: "execute_delay_ms" value { string_value: "10" } }`;
    await using server = await world({ strategy, more, maxBatchSize: 1 });
    const order: number[] = [];
    const sent = await server.place(
      'S',
      [1, 2, 3].map((id) => sequenceRequest(id, 1, { start: true })),
    );
    for (const [at, { done }] of sent.entries()) {
      await server.advance(10);
      await done;
      order.push(at);
      expect(sent.slice(at + 1).every(({ reply }) => reply === undefined)).toBe(true);
    }
    expect(order).toEqual([0, 1, 2]);
  });
});

describe('implicit state', () => {
  const TEST_CASE = `, { name: "TEST_CASE" data_type: TYPE_INT32 dims: [ 1 ] optional: true }`;
  const state = (more = '', dims = '1'): string =>
    `state [ { input_name: "STATE_IN" output_name: "STATE_OUT" data_type: TYPE_INT32 dims: [ ${dims} ] ${more} } ]`;
  const config = (batching: string, strategy = 'direct { }'): SequenceModel => ({
    backend: 'implicit_state',
    strategy,
    batching,
    output: `, { name: "STATE_OUT" data_type: TYPE_INT32 dims: [ -1 ]  }`,
  });
  const text = (batching: string, strategy?: string): string =>
    sequenceModel(config(batching, strategy)).replace(
      'input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ -1 ]  } ]',
      `input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ -1 ] } ${TEST_CASE} ]`,
    );
  const create = (batching: string, files = {}, strategy?: string): Promise<WireWorld> =>
    WireWorld.create({ ...models({ S: text(batching, strategy) }), ...files });
  const cased = (request: WireRequest, testCase: number): WireRequest => ({
    ...request,
    inputs: [...request.inputs, { name: 'TEST_CASE', shape: [1, 1], data: [testCase] }],
  });
  const start = (more: string): string =>
    state(`initial_state { name: "s" data_type: TYPE_INT32 dims: [ 1 ] ${more} }`);

  it.each(['direct { }', 'oldest { max_candidate_sequences: 4 }'])(
    'rows 65 and 71: without an update the state stays, a restart begins anew (%s)',
    async (strategy) => {
      await using server = await create(state(), {}, strategy);
      const still = await server.place(
        'S',
        wholeSequence(1, [1, 2, 3]).map((each) => cased(each, 1)),
      );
      expect(await values(still)).toEqual([1, 2, 3]);
      const sums = await server.place('S', [...wholeSequence(2, [1, 2, 3]), ...wholeSequence(2, [5, 6])]);
      expect(await values(sums)).toEqual([1, 3, 6, 5, 11]);
    },
  );

  it.each([
    ['zero_data: true', {}, [1, 3]],
    ['zero_data: false', {}, [1, 3]],
    ['data_file: "start.bin"', { 'S/initial_state/start.bin': new Uint8Array([7, 0, 0, 0]) }, [8, 10]],
  ])('row 66: initial_state with %s', async (setting, files, expected) => {
    await using server = await create(start(setting), files);
    expect(await values(await server.place('S', wholeSequence(1, [1, 2])))).toEqual(expected);
  });

  it.each<[string, string, string]>([
    [
      'row 66: a short file',
      start('data_file: "short.bin"'),
      'initial_state setting expects 4 bytes, but the data provided from ',
    ],
    [
      'row 67: two initial states',
      state(
        `initial_state [ { name: "a" data_type: TYPE_INT32 dims: [ 1 ] zero_data: true }, { name: "b" data_type: TYPE_INT32 dims: [ 1 ] zero_data: true } ]`,
      ),
      `initial_state field for state input 'STATE_IN' must contain exactly one or zero element. Found '2' elements.`,
    ],
    [
      'row 67: no name',
      state('initial_state { data_type: TYPE_INT32 dims: [ 1 ] zero_data: true }'),
      `Field 'name' must be set when using initial_state for state input 'STATE_IN'.`,
    ],
    [
      'row 67: one input twice',
      state().replace(/ \]$/, `, ${state().slice('state [ '.length)}`),
      `State input name 'STATE_IN' specified more than once.`,
    ],
    [
      'row 67: another data type',
      state('initial_state { name: "s" data_type: TYPE_FP32 dims: [ 1 ] zero_data: true }'),
      `The data type used for 'initial_state' field of state 'STATE_IN' does not match the state data type.`,
    ],
    [
      'row 67: no data',
      state('initial_state { name: "s" data_type: TYPE_INT32 dims: [ 1 ] }'),
      `initial_state setting expects state'STATE_IN' to have state_data set`,
    ],
  ])('%s is refused at load', async (_name, batching, message) => {
    await using server = await WireWorld.create(
      { ...models({ S: text(batching) }), 'S/initial_state/short.bin': new Uint8Array(3) },
      { options: { server: { exitOnError: false } } },
    );
    expect(await server.load('S')).toContain(
      `load failed for model 'S': version 1 is at UNAVAILABLE state: Invalid argument: ${message}`,
    );
  });

  it('row 67: storing a state that nobody configured fails that request', async () => {
    await using server = await create(state());
    const sent = await server.place('S', [cased(sequenceRequest(1, 1, { start: true }), 0)]);
    expect(await values(sent)).toEqual([`state 'undefined_state' is not a valid state name.`]);
  });

  it('rows 68 and 69: one buffer for both keeps sequences apart; a growing state is seen in its new shape', async () => {
    await using shared = await create(state('use_same_buffer_for_input_output: true'));
    const sent = await shared.place(
      'S',
      interleaved([3, 3]).map((each) => cased(each, 2)),
    );
    expect(await values(sent)).toEqual([1, 1, 3, 3, 6, 6]);
    await using growing = await create(state('', '-1'));
    const [, , third] = await growing.place(
      'S',
      wholeSequence(1, [1, 2, 3]).map((each) => cased(each, 4)),
    );
    const outputs = (await third?.done)?.outputs ?? [];
    expect(outputs.find(({ name }) => name === 'STATE_OUT')).toMatchObject({
      shape: [1, 4],
      data: [0, 1, 3, 6],
    });
  });
});

describe('iterative sequences', () => {
  const ITERATIVE = (decoupled = true, batching = 'sequence_batching { iterative_sequence: true }'): string =>
    `backend: "iterative_sequence" max_batch_size: 1 parameters { key: "execute_delay_ms" value { string_value: "0" } }
     input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
     output [ { name: "OUTPUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
     model_transaction_policy { decoupled: ${decoupled} }
     instance_group { kind: KIND_CPU count: 1 } ${batching}`;

  it('row 73: four iterative requests share one slot through the backlog', async () => {
    await using server = await WireWorld.create(models({ M: ITERATIVE() }));
    const streams = await server.during(
      Promise.all(
        [2, 2, 2, 2].map(async (count) => {
          const reply = await fetch(`${server.http}/v2/models/M/generate_stream`, {
            method: 'POST',
            body: JSON.stringify({ INPUT: count }),
          });
          return (await reply.text()).split('\n\n').filter((event) => event.startsWith('data: '));
        }),
      ),
    );
    expect(streams.flat()).toHaveLength(8);
    expect(server.model('M').runtime.statistics.pendingCount).toBe(0);
  });

  it.each([
    ['dynamic batching', 'dynamic_batching { }'],
    ['a sequence batcher that is not iterative', 'sequence_batching { }'],
  ])('row 75: rescheduling under %s is an error', async (_name, batching) => {
    await using server = await WireWorld.create(models({ M: ITERATIVE(false, batching) }));
    const sent: Sent = server.send('M', {
      parameters: { sequence_id: 3, sequence_start: true },
      inputs: [{ name: 'INPUT', shape: [1, 1], data: [2] }],
    });
    expect((await server.during(sent.done)).error).toContain(
      'Request is released with TRITONSERVER_REQUEST_RELEASE_RESCHEDULE, while the model is not configured to handle such a flag.',
    );
  });
});
