// The dynamic batcher as clients meet it: which requests run together, and when.
import { describe, expect, it } from 'vitest';
import { identity, models, outcomes, rows, WireWorld } from './wire-world.ts';

const DELAYED = `dynamic_batching { preferred_batch_size: [ 2, 6 ] max_queue_delay_microseconds: 10000000 }`;

const world = (config: string, hold = 0): Promise<WireWorld> =>
  WireWorld.create(models({ M: config }), { hold });

describe('max_batch_size 8, preferred 2 and 6, delay 10 s', () => {
  it.each<[string, number[], object, object]>([
    ['row 1: batches of 2 and 6 run at once', [2, 6], { 2: 1, 6: 1 }, { 2: 1, 6: 1 }],
    ['row 2: a lone batch of 1 waits for the delay', [1], {}, { 1: 1 }],
    ['row 2: a lone batch of 3 waits for the delay', [3], {}, { 3: 1 }],
    ['row 3: a batch of 7 runs at once', [7], { 7: 1 }, { 7: 1 }],
    ['row 4: 1 then 3 run together after the delay', [1, 3], {}, { 4: 1 }],
    ['row 5: 3 then 7 both run at once', [3, 7], { 3: 1, 7: 1 }, { 3: 1, 7: 1 }],
    ['row 6: 3 then 4: 3 runs at once, 4 after its delay', [3, 4], { 3: 1 }, { 3: 1, 4: 1 }],
    ['row 14: three singles: two at once, the third delayed', [1, 1, 1], { 2: 1 }, { 1: 1, 2: 1 }],
  ])('%s', async (_name, sizes, atOnce, atLast) => {
    await using server = await world(identity({ batching: DELAYED }));
    const sent = await server.place(
      'M',
      sizes.map((size) => rows(size)),
    );
    await server.advance(9999);
    expect(server.counts('M').batches).toEqual(atOnce);
    await server.advance(2);
    expect(await outcomes(sent)).toEqual(sizes.map(() => 'ok'));
    expect(server.counts('M')).toMatchObject({
      batches: atLast,
      I: sizes.reduce((sum, size) => sum + size, 0),
      E: Object.values(atLast).reduce((sum: number, count: number) => sum + count, 0),
      success: sizes.length,
    });
  });

  it('row 6b: past the delay 3, 4 and 1 run as one batch of 8', async () => {
    await using server = await world(identity({ batching: DELAYED }), 3);
    const held = await server.place('M', [rows(3), rows(4)]);
    await server.advance(11_000);
    expect(server.counts('M').E).toBe(0);
    const last = await server.place('M', [rows(1)]);
    expect(await outcomes([...held, ...last])).toEqual(['ok', 'ok', 'ok']);
    expect(server.counts('M').batches).toEqual({ 8: 1 });
  });

  it.each<[string, string, [number, number][], object, object]>([
    ['row 7: 1 and 1 of different shapes', '', [[1, 1], [1, 2]], { 1: 1 }, { 1: 2 }], // prettier-ignore
    ['row 8: 1 and 3 alike, then 1 of another shape', '', [[1, 1], [3, 1], [1, 2]], { 4: 1 }, { 4: 1, 1: 1 }], // prettier-ignore
    ['row 9: 1 and 3 alike, then 1 and 5 alike', '', [[1, 1], [3, 1], [1, 2], [5, 2]], { 4: 1, 6: 1 }, { 4: 1, 6: 1 }], // prettier-ignore
    ['row 10: different shapes of a ragged input', 'allow_ragged_batch: true', [[1, 1], [1, 2]], { 2: 1 }, { 2: 1 }], // prettier-ignore
  ])('%s', async (_name, input, sizes, atOnce, atLast) => {
    await using server = await world(identity({ batching: DELAYED, input }));
    const sent = await server.place(
      'M',
      sizes.map(([count, width]) => rows(count, width)),
    );
    expect(server.counts('M').batches).toEqual(atOnce);
    await server.advance(10_001);
    expect(await outcomes(sent)).toEqual(sizes.map(() => 'ok'));
    expect(server.counts('M').batches).toEqual(atLast);
  });

  it('row 11: requested outputs never split a batch, and each request gets exactly its own', async () => {
    const two = `backend: "identity" max_batch_size: 8
      input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "INPUT1" data_type: TYPE_INT32 dims: [ 1 ] } ]
      output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "OUTPUT1" data_type: TYPE_INT32 dims: [ 1 ] } ]
      ${DELAYED}`;
    const request = (outputs?: string[]) => ({
      inputs: ['INPUT0', 'INPUT1'].map((name, at) => ({ name, shape: [1, 1], data: [at] })),
      ...(outputs === undefined ? {} : { outputs }),
    });
    await using server = await world(two);
    const wanted = [undefined, ['OUTPUT0'], ['OUTPUT1'], ['OUTPUT1', 'OUTPUT0']];
    const sent = await server.place('M', wanted.map(request));
    const replies = await Promise.all(sent.map(({ done }) => done));
    expect(replies.map(({ outputs }) => outputs.map(({ name }) => name).sort())).toEqual([
      ['OUTPUT0', 'OUTPUT1'],
      ['OUTPUT0'],
      ['OUTPUT1'],
      ['OUTPUT0', 'OUTPUT1'],
    ]);
    expect(server.counts('M').batches).toEqual({ 2: 2 });
  });
});

describe('delay 0', () => {
  const PREFERRED = 'dynamic_batching { preferred_batch_size: [ 4, 6 ] }';

  it.each<[string, string, number, object]>([
    ['row 12: a total of 4', PREFERRED, 4, { 4: 1 }],
    ['row 12: a total of 5', PREFERRED, 5, { 4: 1, 1: 1 }],
    ['row 12: a total of 7', PREFERRED, 7, { 6: 1, 1: 1 }],
    ['row 12: a total of 3', PREFERRED, 3, { 3: 1 }],
    ['row 13: six singles with the default preferred size', 'dynamic_batching { }', 6, { 6: 1 }],
  ])('%s', async (_name, batching, count, batches) => {
    await using server = await world(identity({ batching, delayMs: 10 }), count);
    const sent = await server.place(
      'M',
      Array.from({ length: count }, () => rows(1)),
    );
    await server.advance(100);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect(server.counts('M')).toMatchObject({ batches, I: count });
  });

  it.each<[string, number, number]>([
    ['row 16: 12 requests behind one execution of 100 ms run as two', 0, 2],
    ['row 16: the same with a delay of 20 ms', 20_000, 2],
  ])('%s', async (_name, delayUs, most) => {
    const batching = `dynamic_batching { max_queue_delay_microseconds: ${delayUs} }`;
    await using server = await world(identity({ batching, maxBatchSize: 100, delayMs: 100 }));
    const sent = await server.place(
      'M',
      Array.from({ length: 12 }, () => rows(1)),
    );
    await server.advance(400);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    const { E, I } = server.counts('M');
    expect(I).toBe(12);
    expect(E).toBeLessThanOrEqual(most);
    if (delayUs === 0) expect(E).toBe(2);
  });
});

describe('order and limits', () => {
  it('row 15: a batch above the maximum is refused and counted nowhere', async () => {
    await using server = await world(identity({ batching: DELAYED }));
    const [sent] = await server.place('M', [{ ...rows(9), id: 'big' }]);
    expect(await sent?.done).toMatchObject({
      status: 400,
      error: `[request id: big] inference request batch-size must be <= 8 for 'M'`,
    });
    expect(server.counts('M')).toMatchObject({ success: 0, fail: 0, E: 0 });
  });

  it.each([
    ['row 17: with preserve_ordering the third batch waits for the slower second', true],
    ['row 18: without it the third batch overtakes the second', false],
  ])('%s', async (_name, preserves) => {
    const batching = `dynamic_batching { preferred_batch_size: [ 4 ] preserve_ordering: ${preserves}
      max_queue_delay_microseconds: 1000000 }`;
    const more = `instance_group { kind: KIND_CPU count: 2 }
      parameters { key: "instance_wise_delay_multiplier" value { string_value: "4" } }`;
    await using server = await world(identity({ batching, more, delayMs: 100 }), 12);
    const sent = await server.place(
      'M',
      Array.from({ length: 12 }, () => rows(1)),
    );
    await server.advance(200);
    expect(server.counts('M').success).toBe(8);
    if (preserves) {
      await sent[0]?.done;
      await server.call('health/live');
      expect(sent.slice(4).map(({ reply }) => reply)).toEqual(new Array(8).fill(undefined));
    } else {
      expect(await outcomes([...sent.slice(0, 4), ...sent.slice(8)])).toEqual(new Array(8).fill('ok'));
    }
    await server.advance(200);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect(server.counts('M').batches).toEqual({ 4: 3 });
  });

  it('row 19: a rejected request is answered while the only instance is busy', async () => {
    const batching = 'dynamic_batching { default_queue_policy { default_timeout_microseconds: 1000000 } }';
    await using server = await world(identity({ batching, delayMs: 8000 }));
    const [busy, late] = await server.place('M', [rows(8), rows(1)]);
    await server.advance(1000);
    expect(await late?.done).toMatchObject({ status: 503, error: 'Request timeout expired' });
    expect(busy?.reply).toBeUndefined();
    expect(await server.failures('M')).toMatchObject({ REJECTED: 1, CANCELED: 0, BACKEND: 0, OTHER: 0 });
    await server.advance(7000);
    expect(await busy?.done).toMatchObject({ status: 200 });
  });
});
