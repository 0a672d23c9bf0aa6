// Queue policies and priorities as clients meet them: refusals, timeouts, who goes first.
import { describe, expect, it } from 'vitest';
import { identity, models, outcomes, rows, WireWorld } from './wire-world.ts';
import type { WireRequest } from './wire-world.ts';

const world = (config: string, hold = 0): Promise<WireWorld> =>
  WireWorld.create(models({ M: config }), { hold });

const EXPIRED = 'Request timeout expired';
const policy = (text: string, more = ''): string =>
  `dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 10000000
     default_queue_policy { ${text} } ${more} }`;
const with_ = (request: WireRequest, parameters: Record<string, unknown>): WireRequest => ({
  ...request,
  parameters,
});

describe('queue size', () => {
  it('row 20: of 10 requests 8 are queued and 2 refused synchronously', async () => {
    const batching = 'dynamic_batching { default_queue_policy { max_queue_size: 8 } }';
    await using server = await world(identity({ batching, delayMs: 100 }));
    const [busy] = await server.place('M', [rows(8)]);
    const sent = await server.place(
      'M',
      Array.from({ length: 10 }, () => rows(1)),
    );
    await server.advance(300);
    const found = await outcomes(sent);
    expect(found.slice(0, 8)).toEqual(new Array(8).fill('ok'));
    expect(found.slice(8)).toEqual(
      new Array(2).fill('[request id: <id_unknown>] Exceeds maximum queue size'),
    );
    expect((await sent[9]?.done)?.status).toBe(503);
    await busy?.done;
    expect(server.counts('M')).toMatchObject({ success: 9, fail: 0 });
    expect(await server.failures('M')).toEqual({ REJECTED: 0, CANCELED: 0, BACKEND: 0, OTHER: 0 });
  });
});

describe('timeouts', () => {
  it('row 21: DELAY lets later requests overtake; the expired one waits for the queue delay', async () => {
    await using server = await world(
      identity({ batching: policy('timeout_action: DELAY default_timeout_microseconds: 100000') }),
    );
    const [late] = await server.place('M', [rows(1)]);
    await server.advance(1000);
    const pair = await server.place('M', [rows(2), rows(2)]);
    expect(await outcomes(pair)).toEqual(['ok', 'ok']);
    expect(server.counts('M').batches).toEqual({ 4: 1 });
    await server.advance(9001);
    expect(await late?.done).toMatchObject({ status: 200 });
    expect(server.counts('M').batches).toEqual({ 1: 1, 4: 1 });
  });

  it('row 22: REJECT answers each late request and counts it', async () => {
    await using server = await world(identity({ batching: policy('default_timeout_microseconds: 100000') }));
    const sent = await server.place('M', [rows(1), rows(1)]);
    await server.advance(100);
    expect(await outcomes(sent)).toEqual([EXPIRED, EXPIRED]);
    expect(await server.failures('M')).toMatchObject({ REJECTED: 2, OTHER: 0 });
    expect(server.counts('M').fail).toBe(2);
  });

  it('row 22: through an ensemble the rejection counts at the model, and as OTHER twice at the ensemble', async () => {
    const ensemble = `platform: "ensemble" max_batch_size: 8
      input [ { name: "IN" data_type: TYPE_INT32 dims: [ -1 ] } ]
      output [ { name: "OUT" data_type: TYPE_INT32 dims: [ -1 ] } ]
      ensemble_scheduling { step [ { model_name: "M" model_version: -1
        input_map { key: "INPUT0" value: "IN" } output_map { key: "OUTPUT0" value: "OUT" } } ] }`;
    await using server = await WireWorld.create(
      models({ M: identity({ batching: policy('default_timeout_microseconds: 100000') }), E: ensemble }),
    );
    const sent = await server.place('E', [
      { inputs: [{ name: 'IN', shape: [1, 1], data: [1] }] },
      { inputs: [{ name: 'IN', shape: [1, 1], data: [1] }] },
    ]);
    await server.advance(100);
    expect(await outcomes(sent)).toEqual([`in ensemble 'E', ${EXPIRED}`, `in ensemble 'E', ${EXPIRED}`]);
    expect((await sent[0]?.done)?.status).toBe(503);
    expect(await server.failures('M')).toMatchObject({ REJECTED: 2, OTHER: 0 });
    expect(await server.failures('E')).toMatchObject({ REJECTED: 0, OTHER: 4 });
    expect(server.counts('E')).toMatchObject({ success: 0, fail: 4, I: 0, E: 0 });
  });

  it.each([
    ['row 23: an allowed override shortens the timeout', true, 100_000, 100],
    ['row 24: an override above the default has no effect', true, 5_000_000, 1000],
    ['row 24: without permission the default applies', false, 100_000, 1000],
  ])('%s', async (_name, isAllowed, timeoutUs, expiredAfterMs) => {
    const text = `default_timeout_microseconds: 1000000 allow_timeout_override: ${isAllowed}`;
    await using server = await world(identity({ batching: policy(text) }));
    const [sent] = await server.place('M', [with_(rows(1), { timeout: timeoutUs })]);
    await server.advance(expiredAfterMs - 1);
    expect(server.counts('M').fail).toBe(0);
    await server.advance(1);
    expect(await sent?.done).toMatchObject({ status: 503, error: EXPIRED });
  });
});

describe('priorities', () => {
  it('row 25: a priority request goes into the first batch, the lower one waits', async () => {
    const batching = policy('', 'priority_levels: 2 default_priority_level: 2');
    await using server = await world(identity({ batching }), 3);
    const sent = await server.place('M', [rows(2), rows(1), with_(rows(2), { priority: 1 })]);
    expect(await outcomes([sent[0], sent[2]].filter((one) => one !== undefined))).toEqual(['ok', 'ok']);
    expect(server.counts('M').batches).toEqual({ 4: 1 });
    await server.advance(10_001);
    expect(await sent[1]?.done).toMatchObject({ status: 200 });
  });

  it('row 26: 2^64-1 levels work; a priority above them is the default level', async () => {
    const batching = `dynamic_batching { preferred_batch_size: [ 1 ]
      priority_levels: 18446744073709551615 default_priority_level: 4294967296 }`;
    await using server = await world(identity({ batching, maxBatchSize: 1 }), 2);
    const sent = await server.place('M', [rows(1), with_(rows(1), { priority: 1 })]);
    expect(await outcomes(sent)).toEqual(['ok', 'ok']);
    const config = await fetch(`${server.http}/v2/models/M/config`);
    expect(await config.text()).toContain('"priority_levels":18446744073709551615');
  });

  it('row 27: each level follows its own policy', async () => {
    const batching = policy(
      '',
      `priority_levels: 2 default_priority_level: 2
       priority_queue_policy { key: 1 value { timeout_action: DELAY default_timeout_microseconds: 100000 } }
       priority_queue_policy { key: 2 value { timeout_action: REJECT default_timeout_microseconds: 200000 } }`,
    );
    await using server = await world(identity({ batching }));
    const [delayed, rejected] = await server.place('M', [with_(rows(1), { priority: 1 }), rows(1)]);
    await server.advance(200);
    expect(await rejected?.done).toMatchObject({ status: 503, error: EXPIRED });
    expect(server.counts('M').E).toBe(0);
    await server.advance(9801);
    expect(await delayed?.done).toMatchObject({ status: 200 });
  });
});

describe('bad configurations', () => {
  const batching = (text: string): string => identity({ batching: `dynamic_batching { ${text} }` });

  it.each([
    ['preferred_batch_size: [ 0 ]', `dynamic batching preferred size must be positive for M`],
    ['preferred_batch_size: [ 9 ]', `dynamic batching preferred size must be <= max batch size for M`],
    ['priority_levels: 3', `default priority level must be in range [1, 3] for M`],
    [
      'priority_levels: 3 default_priority_level: 1 priority_queue_policy { key: 4 value { } }',
      `priority queue policy must have priority level in range [1, 3] for M`,
    ],
    [
      'preserve_ordering: true priority_levels: 2 default_priority_level: 1',
      `Only one priority level is allowed when 'preserve_ordering' is true for M`,
    ],
    [
      'preserve_ordering: true default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 1 }',
      `Queue policy can not have DELAY as timeout action when 'preserve_ordering' is true for M`,
    ],
  ])('row 28: %s is refused', async (text, message) => {
    await using server = await WireWorld.create(models({ good: identity({}), M: batching(text) }), {
      options: { server: { exitOnError: false } },
    });
    expect(server.engine.repository.problemOf('M')?.message).toBe(message);
    expect(await server.load('M')).toBe(`failed to load 'M', failed to poll from model repository`);
    expect((await server.send('good', rows(1)).done).status).toBe(200);
  });
});
