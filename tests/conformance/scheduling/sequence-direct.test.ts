// The direct sequence strategy as clients meet it: admission, rows of a batch, backlog, idle sequences, ids.
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
import type { Sent, WireWorldOptions } from './wire-world.ts';

const world = (model: SequenceModel = {}, options: WireWorldOptions = {}): Promise<WireWorld> =>
  WireWorld.create(sequenceFiles(model), options);

const mustStart = (id: number | string): string =>
  `inference request for sequence ${id} to model 'S' must specify the START flag on the first request of the sequence`;

describe('admission', () => {
  it('row 30: three sequences one after another', async () => {
    await using server = await world();
    for (const id of [1, 2, 3]) {
      expect(await values(await server.place('S', wholeSequence(id, [1, 2, 3])))).toEqual([1, 3, 6]);
    }
    expect(server.counts('S')).toMatchObject({ batches: { 1: 9 }, I: 9, E: 9 });
  });

  it('row 31: START and END in one request', async () => {
    await using server = await world();
    expect(await values(await server.place('S', wholeSequence(1, [7])))).toEqual([7]);
    expect(await values(await server.place('S', [sequenceRequest(1, 1)]))).toEqual([mustStart(1)]);
  });

  it('rows 32, 33, 34 and 35: batches, missing ids and missing STARTs are refused', async () => {
    await using server = await world();
    const refused = [
      sequenceRequest(1, 1, { start: true, rows: 2 }),
      sequenceRequest(undefined, 1, { start: true }),
      sequenceRequest(0, 1, { start: true }),
      sequenceRequest(9, 1),
    ];
    expect(await values(await server.place('S', refused))).toEqual([
      `inference request to model 'S' must specify batch-size 1 due to requirements of sequence batcher`,
      `inference request to model 'S' must specify a non-zero or non-empty correlation ID`,
      `inference request to model 'S' must specify a non-zero or non-empty correlation ID`,
      mustStart(9),
    ]);
    await Promise.all((await server.place('S', wholeSequence(5, [1, 1]))).map(({ done }) => done));
    const after = await server.place('S', [sequenceRequest(5, 1)]);
    expect(await values(after)).toEqual([mustStart(5)]);
    expect((await after[0]?.done)?.status).toBe(400);
    expect(server.counts('S')).toMatchObject({ success: 2, fail: 0 });
  });

  it('row 36: START again without END resets the state', async () => {
    await using server = await world();
    const sent = await server.place('S', [...wholeSequence(1, [1, 2], true), ...wholeSequence(1, [10, 20])]);
    expect(await values(sent)).toEqual([1, 3, 10, 30]);
  });
});

describe('batches of four slots, held until all requests are there', () => {
  it.each<[string, number[], object, number]>([
    ['row 37: two sequences of four requests', [4, 4], { 2: 4 }, 4],
    ['row 38: long ones first leave no empty rows at the end', [4, 4, 2, 2], { 4: 2, 2: 2 }, 4],
    ['row 39: four sequences of three', [3, 3, 3, 3], { 4: 3 }, 3],
  ])('%s', async (_name, lengths, batches, executions) => {
    const count = lengths.reduce((sum, length) => sum + length, 0);
    await using server = await world({}, { hold: count });
    const sent = await server.place('S', interleaved(lengths));
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect(server.counts('S')).toMatchObject({ batches, E: executions, I: count, success: count });
  });

  it.each<[string, string, object, number]>([
    ['row 40: three shapes make nine executions of four rows', '', { 4: 9 }, 9],
    ['row 41: a ragged input makes three', 'allow_ragged_batch: true', { 4: 3 }, 3],
  ])('%s', async (_name, input, batches, executions) => {
    await using server = await world({ input }, { hold: 12 });
    const sent = await server.place('S', interleaved([3, 3, 3, 3], [2, 2, 1, 3]));
    expect(await values(sent.slice(-4))).toEqual([6, 6, 6, 6]);
    expect(server.counts('S')).toMatchObject({ batches, E: executions, I: 12 });
  });

  it('an execution whose first row is a filler counts, with every backend', async () => {
    for (const backend of ['sequence', 'javascript']) {
      const files = {
        ...sequenceFiles({ backend }),
        'S/1/model.js': `export const execute = (requests) => requests.map(({ inputs }) => ({ outputs: {
          OUTPUT: { shape: inputs.INPUT.shape, data: inputs.INPUT.data } } }));`,
      };
      await using server = await WireWorld.create(files, { hold: 5 });
      const sent = await server.place('S', interleaved([2, 3]));
      expect(await server.during(outcomes(sent))).toEqual(sent.map(() => 'ok'));
      expect(server.counts('S')).toMatchObject({ batches: { 2: 3 }, E: 3, I: 5, success: 5 });
    }
  });

  it('row 42: a fifth sequence waits and runs when one ends', async () => {
    await using server = await world({}, { hold: 12, holdBacklog: 3 });
    const fifth = wholeSequence(5, [1, 2, 3]);
    const sent = await server.place('S', [...interleaved([3, 3, 3, 3]).slice(0, 11), ...fifth]);
    sent.push(...(await server.place('S', interleaved([3, 3, 3, 3]).slice(11))));
    expect(await values(sent.slice(11, 14))).toEqual([1, 3, 6]);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect(server.counts('S')).toMatchObject({ batches: { 4: 3, 1: 3 }, E: 6, I: 15 });
  });

  it('row 43: waiting sequences fill the slots of short ones at once', async () => {
    await using server = await world({}, { hold: 10, holdBacklog: 2 });
    const sent = await server.place('S', [
      ...interleaved([3, 3, 2, 2]).slice(0, 9),
      ...wholeSequence(5, [50]),
      ...wholeSequence(6, [60]),
      ...interleaved([3, 3, 2, 2]).slice(9),
    ]);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect(server.counts('S')).toMatchObject({ batches: { 4: 3 }, I: 12 });
  });

  it('row 44: a waiting sequence whose END comes later', async () => {
    await using server = await world({}, { hold: 10, holdBacklog: 2 });
    const sent = await server.place('S', [
      ...interleaved([3, 3, 2, 2]).slice(0, 9),
      ...wholeSequence(5, [50], true),
      ...wholeSequence(6, [60]),
      ...interleaved([3, 3, 2, 2]).slice(9),
    ]);
    await outcomes(sent);
    const rest = [
      ...(await server.place('S', [sequenceRequest(5, 1)])),
      ...(await server.place('S', [sequenceRequest(5, 2, { end: true })])),
    ];
    expect(await values([...sent.slice(9, 10), ...rest])).toEqual([50, 51, 53]);
    expect(server.counts('S')).toMatchObject({ batches: { 4: 3, 3: 2 }, E: 5, I: 14 });
  });

  it('row 45: the same id started again after END waits as a sequence of its own', async () => {
    await using server = await world({}, { hold: 12, holdBacklog: 2 });
    const first = interleaved([3, 3, 3, 3]);
    const sent = await server.place('S', [
      ...first.slice(0, 9),
      ...first.slice(9, 10),
      ...wholeSequence(1, [7, 8]),
      ...first.slice(10),
    ]);
    expect(await values(sent.slice(10, 12))).toEqual([7, 15]);
    await outcomes(sent);
    expect(server.counts('S')).toMatchObject({ batches: { 4: 3, 1: 2 }, I: 14 });
  });

  it('row 46: the same id started again without END goes on in its slot', async () => {
    await using server = await world({}, { hold: 16 });
    const ids = [1, 2, 3, 4];
    const sent = await server.place('S', [
      ...ids.flatMap((id) => wholeSequence(id, [1, 2], true)),
      ...ids.flatMap((id) => wholeSequence(id, [5, 6])),
    ]);
    expect(await values(sent.slice(8))).toEqual([5, 11, 5, 11, 5, 11, 5, 11]);
    expect(server.counts('S')).toMatchObject({ batches: { 4: 4 }, I: 16 });
  });
});

describe('time', () => {
  it('row 47: an idle sequence is ended, the waiting one completes', async () => {
    await using server = await world({ maxBatchSize: 1 });
    const [first] = await server.place('S', wholeSequence(1, [1], true));
    expect((await first?.done)?.status).toBe(200);
    const waiting = await server.place('S', wholeSequence(2, [10, 20]));
    await server.advance(4999);
    expect(server.counts('S').success).toBe(1);
    await server.advance(1);
    expect(await values(waiting)).toEqual([10, 30]);
    expect(await values(await server.place('S', [sequenceRequest(1, 2, { end: true })]))).toEqual([
      mustStart(1),
    ]);
  });

  it('row 48: a queue delay alone holds nothing back', async () => {
    await using server = await world(
      { strategy: 'direct { max_queue_delay_microseconds: 3000000 }' },
      { hold: 2 },
    );
    const pair = await server.place('S', [...wholeSequence(1, [1], true), ...wholeSequence(2, [1], true)]);
    await outcomes(pair);
    await outcomes(await server.place('S', [sequenceRequest(1, 1, { end: true })]));
    expect(server.counts('S')).toMatchObject({ I: 3 });
    expect(server.counts('S').batches).toEqual({ 2: 1, 1: 1 });
  });

  it.each<[string, number, boolean]>([
    ['row 49: half of the slots ready run at once, a lone request waits', 0.5, false],
    ['row 50: with full utilization both steps wait', 1, true],
  ])('%s', async (_name, utilization, waitsAtFirst) => {
    const strategy = `direct { max_queue_delay_microseconds: 3000000 minimum_slot_utilization: ${utilization} }`;
    await using server = await world({ strategy });
    const pair = await server.place('S', [...wholeSequence(1, [1], true), ...wholeSequence(2, [1], true)]);
    expect(server.counts('S').E).toBe(waitsAtFirst ? 0 : 1);
    await server.advance(waitsAtFirst ? 3000 : 0);
    expect(await outcomes(pair)).toEqual(['ok', 'ok']);
    const lone = await server.place('S', [sequenceRequest(1, 1)]);
    await server.advance(2999);
    expect(server.counts('S').E).toBe(1);
    await server.advance(1);
    expect(await values(lone)).toEqual([2]);
  });

  it('row 51: a waiting sequence times out whole, one in a slot never', async () => {
    const more = 'parameters { key: "execute_delay_ms" value { string_value: "5000" } }';
    await using server = await world({ maxBatchSize: 1, more, idleUs: 60_000_000 });
    const timed = { timeoutUs: 3_000_000 };
    const first = await server.place('S', [
      sequenceRequest(1, 1, { start: true, ...timed }),
      sequenceRequest(1, 2, { end: true, ...timed }),
    ]);
    const second = await server.place('S', [
      sequenceRequest(2, 1, { start: true, ...timed }),
      sequenceRequest(2, 2, timed),
    ]);
    await server.advance(3000);
    const expired = 'timeout of the corresponding sequence has been expired';
    expect(await values(second)).toEqual([expired, expired]);
    expect((await second[0]?.done)?.status).toBe(503);
    expect(await values(await server.place('S', [sequenceRequest(2, 3, { end: true })]))).toEqual([
      mustStart(2),
    ]);
    await server.advance(10_000);
    expect(await values(first)).toEqual([1, 3]);
    expect(await server.failures('S')).toMatchObject({ REJECTED: 2 });
  });
});

describe('instances, ensembles and ids', () => {
  it.each<[number, number, number[], object]>([
    [2, 2, [4, 4], { 1: 8 }],
    [2, 2, [4, 4, 2, 2], { 2: 4, 1: 4 }],
    [2, 2, [3, 3, 3, 3], { 2: 6 }],
    [4, 1, [4, 4], { 1: 8 }],
    [4, 1, [4, 4, 2, 2], { 1: 12 }],
    [4, 1, [3, 3, 3, 3], { 1: 12 }],
  ])('row 52: %i instances with batches of %i, sequences of %j', async (count, size, lengths, batches) => {
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const more = `instance_group { kind: KIND_CPU count: ${count} }`;
    await using server = await world({ maxBatchSize: size, more }, { hold: total });
    const sent = await server.place('S', interleaved(lengths));
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect(server.counts('S').batches).toEqual(batches);
  });

  it('row 53: through an ensemble, with its prefix before errors', async () => {
    const ensemble = `platform: "ensemble" max_batch_size: 4
      input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ -1 ] } ]
      output [ { name: "OUTPUT" data_type: TYPE_INT32 dims: [ -1 ] } ]
      ensemble_scheduling { step [ { model_name: "S" model_version: -1
        input_map { key: "INPUT" value: "INPUT" } output_map { key: "OUTPUT" value: "OUTPUT" } } ] }`;
    await using server = await WireWorld.create(models({ S: sequenceModel({}), E: ensemble }));
    for (const id of [1, 2]) {
      const sent: Sent[] = [];
      for (const request of wholeSequence(id, [1, 2, 3])) {
        sent.push(...(await server.place('E', [request])));
        await sent.at(-1)?.done;
      }
      expect(await values(sent)).toEqual([1, 3, 6]);
    }
    expect(await values(await server.place('E', [sequenceRequest(7, 1)]))).toEqual([
      `in ensemble 'E', ${mustStart(7)}`,
    ]);
    expect(server.counts('E')).toMatchObject({ batches: { 1: 6 }, I: 6, E: 6 });
  });

  it('row 54: text ids reach a STRING control, up to 128 bytes', async () => {
    await using server = await world({ backend: 'dyna_sequence', corrid: 'TYPE_STRING' });
    expect(await values(await server.place('S', wholeSequence('100', [1, 2])))).toEqual([1, 103]);
    const long = 'x'.repeat(128);
    expect(await values(await server.place('S', wholeSequence(long, [1, 2])))).toEqual([1, 3]);
    expect(await values(await server.place('S', wholeSequence('ä'.repeat(64), [1, 2])))).toEqual([1, 3]);
    for (const refused of [`${long}x`, 'ä'.repeat(65), '€'.repeat(43)]) {
      const [sent] = await server.place('S', wholeSequence(refused, [1]));
      expect(await sent?.done).toMatchObject({
        error: 'string correlation ID cannot be longer than 128 characters',
      });
    }
  });

  it.each<[string, number | string, string | undefined]>([
    ['TYPE_INT32', 'text', 'INT32'],
    ['TYPE_UINT32', 'text', 'UINT32'],
    ['TYPE_INT64', 'text', 'INT64'],
    ['TYPE_UINT64', 'text', 'UINT64'],
    ['TYPE_STRING', 5, 'BYTES'],
    ['TYPE_STRING', 'text', undefined],
    ['TYPE_INT32', 5, undefined],
    ['TYPE_UINT32', 5, undefined],
    ['TYPE_INT64', 5, undefined],
    ['TYPE_UINT64', 5, undefined],
  ])('rows 55 and 56: a control of %s with the id %j', async (corrid, id, wanted) => {
    await using server = await world({ backend: 'dyna_sequence', corrid });
    const sent = await server.place('S', [sequenceRequest(id, 1, { start: true, end: true })]);
    const given = typeof id === 'string' ? 'BYTES' : 'UINT64';
    expect(await values(sent)).toEqual([
      wanted === undefined
        ? 1 + (typeof id === 'number' ? id : 0)
        : `[request id: <id_unknown>] sequence batching control 'CORRID' data-type is '${given}', but model 'S' expects '${wanted}'`,
    ]);
  });

  it.each<number | string>([5, 'text'])('row 55: without a CORRID control the id %j passes', async (id) => {
    await using server = await world();
    expect(await values(await server.place('S', wholeSequence(id, [1, 2])))).toEqual([1, 3]);
  });
});
