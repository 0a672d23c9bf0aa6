// The response cache as clients and statistics see it.
import { describe, expect, it } from 'vitest';
import { SMALLEST_ROOM } from '../../../src-main/scheduling/cache-room.ts';
import { repeatConfig } from './wire-streams.ts';
import { sequenceModel } from './wire-requests.ts';
import { identity, models, outcomes, rows, WireWorld } from './wire-world.ts';
import type { Reply, WireRequest } from './wire-world.ts';

const ON = 'response_cache { enable: true }';

const world = (configs: Record<string, string>, byteSize = 1_000_000, files = {}): Promise<WireWorld> =>
  WireWorld.create(
    { ...models(configs), ...files },
    {
      options: {
        cache: { name: 'local', settings: [['size', String(byteSize)]] },
        server: { exitOnError: false },
      },
    },
  );

/** One after another, as each must see what the one before left. */
async function ask(
  server: WireWorld,
  model: string,
  requests: readonly WireRequest[],
): Promise<(Reply | undefined)[]> {
  const replies: (Reply | undefined)[] = [];
  for (const request of requests) {
    const [sent] = await server.place(model, [request]);
    replies.push(await sent?.done);
  }
  return replies;
}

const ensemble = (cache: string): string => `platform: "ensemble" max_batch_size: 8
  input [ { name: "IN" data_type: TYPE_INT32 dims: [ -1 ] } ] output [ { name: "OUT" data_type: TYPE_INT32 dims: [ -1 ] } ]
  ensemble_scheduling { step [ { model_name: "M" model_version: -1
    input_map { key: "INPUT0" value: "IN" } output_map { key: "OUTPUT0" value: "OUT" } } ] } ${cache}`;
const IN: WireRequest = { inputs: [{ name: 'IN', shape: [1, 2], data: [4, 5] }] };

describe('hits and misses', () => {
  it.each(['', 'dynamic_batching { }'])('row 110: the second request is a hit (%s)', async (batching) => {
    await using server = await world({ M: identity({ more: ON, batching }) });
    const [first, second] = await ask(server, 'M', [rows(2), { ...rows(2), id: 'again' }]);
    expect(second?.outputs).toEqual(first?.outputs);
    expect(second?.id).toBe('again');
    expect(server.counts('M')).toEqual({
      batches: { 2: 1 },
      I: 2,
      E: 1,
      success: 2,
      fail: 0,
      hit: 1,
      miss: 1,
    });
    const text = await (await fetch(`http://127.0.0.1:${server.engine.ports.metrics}/metrics`)).text();
    expect(text).toMatch(/nv_cache_num_hits_per_model\{model="M",version="1"\} 1\n/);
    expect(text).toMatch(/nv_cache_num_misses_per_model\{model="M",version="1"\} 1\n/);
  });

  it('row 111: other bytes, another model, another version are misses', async () => {
    const config = identity({ more: `${ON} version_policy { all { } }` });
    await using server = await world({ M: config, N: config }, 1_000_000, { 'M/2/': '' });
    const other: WireRequest = { inputs: [{ name: 'INPUT0', shape: [1, 1], data: [9] }] };
    await ask(server, 'M', [rows(1), other, { ...rows(1), version: '1' }]);
    await ask(server, 'N', [rows(1)]);
    expect([server.counts('M', 2), server.counts('M', 1), server.counts('N')]).toMatchObject([
      { hit: 0, miss: 2 },
      { hit: 0, miss: 1 },
      { hit: 0, miss: 1 },
    ]);
    await ask(server, 'M', [rows(1), { ...rows(1), version: '2' }]);
    expect(server.counts('M', 2)).toMatchObject({ hit: 2, miss: 2, I: 2, success: 4 });
  });

  it('row 112: concurrent identical requests are all right, and one is stored', async () => {
    await using server = await world({ M: identity({ more: ON, delayMs: 10 }) });
    const sent = await server.place('M', new Array(8).fill(rows(3)));
    await server.advance(100);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    const { hit, miss, success, I } = server.counts('M');
    expect([hit, miss, success, I]).toEqual([0, 1, 8, 24]);
    expect(server.engine.cache?.metrics().entryCount).toBe(1);
  });

  it('row 113: an entry larger than the cache: every try is a counted miss and succeeds', async () => {
    await using server = await world({ M: identity({ more: ON }) }, SMALLEST_ROOM);
    const replies = await ask(server, 'M', [rows(8, 8), rows(8, 8)]);
    expect(replies.map((reply) => reply?.status)).toEqual([200, 200]);
    expect(server.counts('M')).toMatchObject({ hit: 0, miss: 2, success: 2, I: 16 });
  });

  it('row 114: sequence and decoupled models with a cache are refused at load', async () => {
    await using server = await world({
      S: sequenceModel({ more: ON }),
      R: repeatConfig(ON),
      M: identity({}),
    });
    for (const [name, why] of [
      [
        'S',
        `Response Cache does not currently support model S with sequence batching scheduler. Please disable the response cache.`,
      ],
      [
        'R',
        `Response Cache does not currently support model R with 'decoupled' transaction policy. Please disable the response cache.`,
      ],
    ] as const) {
      expect(server.engine.repository.problemOf(name)?.message).toBe(why);
      expect(await server.load(name)).toBe(`failed to load '${name}', failed to poll from model repository`);
    }
  });

  it.each<[string, string, string, object, object]>([
    [
      'row 115: at the ensemble only',
      ON,
      '',
      { hit: 2, miss: 1, I: 1, E: 1, success: 3 },
      { hit: 0, miss: 0, I: 1, success: 1 },
    ],
    [
      'row 115: at the composing model only',
      '',
      ON,
      { hit: 0, miss: 0, I: 3, E: 3, success: 3 },
      { hit: 2, miss: 1, I: 1, success: 3 },
    ],
    [
      'row 115: at both',
      ON,
      ON,
      { hit: 2, miss: 1, I: 1, E: 1, success: 3 },
      { hit: 0, miss: 1, I: 1, success: 1 },
    ],
  ])('%s', async (_name, top, composing, expectedTop, expectedModel) => {
    await using server = await world({ M: identity({ more: composing }), E: ensemble(top) });
    const replies = await ask(server, 'E', [IN, IN, IN]);
    expect(replies.map((reply) => reply?.outputs[0]?.data)).toEqual([
      [4, 5],
      [4, 5],
      [4, 5],
    ]);
    expect(server.counts('E')).toMatchObject(expectedTop);
    expect(server.counts('M')).toMatchObject(expectedModel);
  });

  it('row 116: an ensemble whose response does not fit: both tries are misses with right answers', async () => {
    await using server = await world({ M: identity({}), E: ensemble(ON) }, 200);
    const big: WireRequest = {
      inputs: [{ name: 'IN', shape: [1, 100], data: Array.from({ length: 100 }, (_, at) => at) }],
    };
    const replies = await ask(server, 'E', [big, big]);
    expect(replies.map((reply) => reply?.outputs[0]?.data[99])).toEqual([99, 99]);
    expect(server.counts('E')).toMatchObject({ hit: 0, miss: 2, I: 2, E: 2, success: 2 });
    expect(server.counts('M')).toMatchObject({ I: 2, hit: 0, miss: 0 });
  });

  it('row 117: the least recently used entry leaves first', async () => {
    // One entry: 4 + 8 + (4 + 7) + (4 + 5) + (4 + 16) + (8 + 4) bytes, and 8 for its block of whole 16 bytes.
    await using server = await world({ M: identity({ more: ON }) }, 128 + 16 + 2 * 80);
    const of = (value: number): WireRequest => ({
      inputs: [{ name: 'INPUT0', shape: [1, 1], data: [value] }],
    });
    await ask(server, 'M', [of(1), of(2), of(1), of(3), of(1), of(2)]);
    expect(server.counts('M')).toMatchObject({ hit: 2, miss: 4 });
    expect(server.engine.cache?.metrics()).toMatchObject({ entryCount: 2, evictionCount: 2 });
  });
});
