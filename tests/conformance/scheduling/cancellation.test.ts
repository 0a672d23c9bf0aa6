// Clients that go away, over real connections: what is answered, what is counted, and that the server goes on.
import { describe, expect, it } from 'vitest';
import type { ClientRequest } from '../../../src-main/client/infer-client.ts';
import { sequenceFiles, sequenceRequest, wholeSequence } from './wire-requests.ts';
import { repeatConfig, repeatRequest, squareConfig, streamOf } from './wire-streams.ts';
import { identity, models, outcomes, rows, values, WireWorld } from './wire-world.ts';
import type { WireRequest } from './wire-world.ts';

const SLOW = 'parameters { key: "execute_delay_ms" value { string_value: "1000" } }';

/** The same request for the gRPC client. */
function grpcRequest(model: string, { inputs, parameters = {} }: WireRequest, id = ''): ClientRequest {
  return {
    model,
    version: '',
    id,
    inputs: inputs.map(({ name, shape, data }) => ({
      name,
      datatype: 'INT32',
      shape,
      bytes: new Uint8Array(Int32Array.from(data as number[]).buffer),
    })),
    outputs: [],
    parameters: new Map(
      Object.entries(parameters).map(([key, value]) => [
        key,
        typeof value === 'number' ? BigInt(value) : (value as string | boolean),
      ]),
    ),
  };
}

interface Call {
  readonly cancel: () => void;
  readonly ended: Promise<string>;
}

/** A unary gRPC call that can be cancelled; `ended` tells how it went. */
async function call(server: WireWorld, model: string, request: WireRequest): Promise<Call> {
  const before = server.takenCount;
  const controller = new AbortController();
  const ended = server.grpc.infer(grpcRequest(model, request), { signal: controller.signal }).then(
    ({ ok, error }) => (ok ? 'ok' : (error ?? '')),
    () => 'cancelled',
  );
  await server.taken(before + 1);
  return { cancel: () => controller.abort(), ended };
}

async function failed(server: WireWorld, model: string, count: number): Promise<Record<string, number>> {
  await expect
    .poll(async () => {
      await server.advance(0);
      return server.counts(model).fail;
    })
    .toBe(count);
  return await server.failures(model);
}

describe('queues', () => {
  it('row 140: a request queued in the dynamic batcher', async () => {
    const batching = 'dynamic_batching { default_queue_policy { max_queue_size: 10 } }';
    await using server = await WireWorld.create(models({ M: identity({ batching, delayMs: 1000 }) }));
    const busy = await call(server, 'M', rows(8));
    const queued = [await call(server, 'M', rows(1)), await call(server, 'M', rows(1))];
    queued[0]?.cancel();
    expect(await queued[0]?.ended).toBe('cancelled');
    expect(await failed(server, 'M', 1)).toEqual({ CANCELED: 1, REJECTED: 0, BACKEND: 0, OTHER: 0 });
    await server.advance(2000);
    expect([await busy.ended, await queued[1]?.ended]).toEqual(['ok', 'ok']);
    expect(server.counts('M')).toMatchObject({ batches: { 8: 1, 1: 1 }, success: 2, fail: 1 });
  });

  it('row 141: one of two requests in a sequence backlog cancels both', async () => {
    await using server = await WireWorld.create(sequenceFiles({ maxBatchSize: 1, more: SLOW }));
    const first = await call(server, 'S', sequenceRequest(1, 1, { start: true }));
    const [a, b] = [
      await call(server, 'S', sequenceRequest(2, 1, { start: true })),
      await call(server, 'S', sequenceRequest(2, 2)),
    ];
    b.cancel();
    expect(await b.ended).toBe('cancelled');
    expect(await failed(server, 'S', 2)).toMatchObject({ CANCELED: 2 });
    // The client that did not cancel is told CANCELLED, with an empty message.
    expect(await a.ended).toBe('');
    await server.advance(1000);
    expect(await first.ended).toBe('ok');
  });

  it.each(['direct { }', 'oldest { max_candidate_sequences: 1 }'])(
    'rows 142 and 143: the front queued request of a slot cancels the queued rest (%s)',
    async (strategy) => {
      await using server = await WireWorld.create(sequenceFiles({ strategy, maxBatchSize: 1, more: SLOW }));
      const running = await call(server, 'S', sequenceRequest(1, 1, { start: true }));
      const front = await call(server, 'S', sequenceRequest(1, 2));
      const behind = await call(server, 'S', sequenceRequest(1, 3));
      front.cancel();
      expect(await front.ended).toBe('cancelled');
      await server.advance(1000);
      expect(await running.ended).toBe('ok');
      expect(await behind.ended).toBe('');
      expect(await failed(server, 'S', 2)).toMatchObject({ CANCELED: 2 });
      expect(server.counts('S').success).toBe(1);
    },
  );

  it('row 144: a stream of two sequences that is stopped ends with one CANCELLED; the server drains', async () => {
    await using server = await WireWorld.create(sequenceFiles({ maxBatchSize: 2, more: SLOW }));
    const requests = Array.from({ length: 16 }, (_, step) =>
      [1, 2].map((id) =>
        grpcRequest('S', sequenceRequest(id, 1, { start: step === 0, end: step === 15 }), `${id}-${step}`),
      ),
    ).flat();
    const found = streamOf(server, requests, {
      keepOpen: true,
      onMessage: (count, cancel) => {
        if (count === 2) cancel();
      },
    });
    const { errors, values: sums, code } = await server.during(found);
    expect(code).toBe(1);
    expect(errors).toEqual([]);
    expect(sums).toEqual([1, 1]);
    const { runtime } = server.model('S');
    const answered = (): number => server.counts('S').success + server.counts('S').fail;
    await server.during(expect.poll(answered).toBe(32));
    expect([runtime.inflightCount, runtime.statistics.pendingCount]).toEqual([0, 0]);
    expect(await server.failures('S')).toMatchObject({ CANCELED: server.counts('S').fail });
    const again = await server.place('S', wholeSequence(3, [5]));
    expect(await server.during(values(again))).toEqual([5]);
  });

  it('row 148: after a cancelled sequence has gone idle, new ones start clean', async () => {
    await using server = await WireWorld.create(sequenceFiles({ maxBatchSize: 2, idleUs: 500_000 }));
    const open = [
      await call(server, 'S', sequenceRequest(1, 100, { start: true })),
      await call(server, 'S', sequenceRequest(2, 200, { start: true })),
    ];
    expect(await Promise.all(open.map(({ ended }) => ended))).toEqual(['ok', 'ok']);
    const next = await call(server, 'S', sequenceRequest(1, 1));
    next.cancel();
    await next.ended;
    await server.advance(600);
    expect((await outcomes(await server.place('S', [sequenceRequest(1, 1)])))[0]).toContain(
      'must specify the START flag',
    );
    const fresh = await server.place('S', [...wholeSequence(3, [1, 2]), ...wholeSequence(4, [10, 20])]);
    expect(await values(fresh)).toEqual([1, 3, 10, 30]);
    expect(server.model('S').runtime.inflightCount).toBe(0);
  });
});

describe('running requests', () => {
  it('row 145: an ensemble cancelled during its first step ends after it; the second does not run', async () => {
    const pass = (from: string, to: string, model: string): string =>
      `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "${from}" } output_map { key: "OUTPUT0" value: "${to}" } }`;
    const files = models({
      first: identity({ delayMs: 1000 }),
      second: identity({}),
      E: `platform: "ensemble" max_batch_size: 8
        input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ -1 ] } ] output [ { name: "OUT" data_type: TYPE_INT32 dims: [ -1 ] } ]
        ensemble_scheduling { step [ ${pass('INPUT0', 'mid', 'first')}, ${pass('mid', 'OUT', 'second')} ] }`,
    });
    await using server = await WireWorld.create(files);
    const running = await call(server, 'E', rows(1));
    running.cancel();
    expect(await running.ended).toBe('cancelled');
    await server.advance(1000);
    expect([server.counts('first').E, server.counts('second').E]).toEqual([1, 0]);
    expect(await failed(server, 'E', 2)).toMatchObject({ OTHER: 2 });
  });

  it('rows 96 and 146: a decoupled request cancelled while it runs stops, and is answered once', async () => {
    await using server = await WireWorld.create(models({ M: repeatConfig() }));
    const request = repeatRequest(
      'M',
      Array.from({ length: 50 }, (_, at) => at),
      10,
    );
    const found = await server.during(
      streamOf(server, [request], {
        keepOpen: true,
        onMessage: (count, cancel) => {
          if (count === 3) cancel();
        },
      }),
    );
    expect(found.code).toBe(1);
    expect(found.values.length).toBeLessThan(50);
    await server.advance(1000);
    expect(server.model('M').runtime.inflightCount).toBe(0);
    const again = await server.during(streamOf(server, [repeatRequest('M', [1])]));
    expect(again.values).toEqual([1]);
  });

  it('row 147: cancelling after the answer has no effect', async () => {
    await using server = await WireWorld.create(models({ M: identity({}) }));
    const done = await call(server, 'M', rows(1));
    expect(await done.ended).toBe('ok');
    done.cancel();
    expect((await server.send('M', rows(1)).done).status).toBe(200);
    expect(server.counts('M')).toMatchObject({ success: 2, fail: 0 });
  });

  it('row 149: a client that gives up over HTTP leaves a server that goes on', async () => {
    await using server = await WireWorld.create(models({ M: identity({ delayMs: 2000 }) }));
    const controller = new AbortController();
    const request = fetch(`${server.http}/v2/models/M/infer`, {
      method: 'POST',
      signal: controller.signal,
      body: JSON.stringify({ inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1, 1], data: [1] }] }),
    });
    await server.taken(1);
    controller.abort();
    await expect(request).rejects.toThrow();
    await server.advance(2000);
    const later = await server.place('M', [rows(1)]);
    await server.advance(2000);
    expect((await later[0]?.done)?.status).toBe(200);
    expect(server.model('M').runtime.statistics.pendingCount).toBe(0);
  });
});

describe('response statistics', () => {
  const square = (count: number): ClientRequest => ({
    ...repeatRequest('M', []),
    inputs: [
      { name: 'IN', datatype: 'INT32', shape: [1], bytes: new Uint8Array(Int32Array.of(count).buffer) },
    ],
  });
  const parameter = (key: string, value: number): string =>
    `parameters { key: "${key}" value { string_value: "${value}" } }`;

  it('rows 150 and 152: 4, 6 and 3 responses add up per index, alike over HTTP and gRPC', async () => {
    const more = parameter('CUSTOM_EMPTY_COUNT', 1) + parameter('CUSTOM_FAIL_COUNT', 2);
    await using server = await WireWorld.create(models({ M: squareConfig(more) }));
    for (const count of [4, 6, 3]) await server.during(streamOf(server, [square(count)]));
    const { body } = await server.call('models/M/stats');
    const [model] = (
      body as { model_stats: { response_stats: Record<string, Record<string, { count: number }>> }[] }
    ).model_stats;
    const found = Object.fromEntries(
      Object.entries(model?.response_stats ?? {}).map(([index, each]) => [
        index,
        ['success', 'fail', 'empty_response', 'cancel'].map((key) => each[key]?.count),
      ]),
    );
    // 4 = ok fail fail empty; 6 = ok ok ok fail fail empty; 3 = fail fail empty.
    expect(found).toMatchObject({
      0: [2, 1, 0, 0],
      1: [1, 2, 0, 0],
      2: [1, 1, 1, 0],
      3: [0, 1, 1, 0],
      4: [0, 1, 0, 0],
      5: [0, 0, 1, 0],
    });
    const reply = await server.grpc.manage('ModelStatistics', { name: 'M', version: '' });
    const [same] = reply['model_stats'] as {
      response_stats: Record<string, Record<string, { count: bigint }>>;
    }[];
    const overGrpc = Object.fromEntries(
      Object.entries(same?.response_stats ?? {}).map(([index, each]) => [
        index,
        ['success', 'fail', 'empty_response', 'cancel'].map((key) => Number(each[key]?.count ?? 0)),
      ]),
    );
    expect(overGrpc).toEqual(found);
  });

  it('row 151: cancelled at the third response: two successes and one cancel', async () => {
    const more =
      parameter('CUSTOM_OUTPUT_DELAY_NS', 1_000_000) + parameter('CUSTOM_CANCEL_DELAY_NS', 50_000_000);
    await using server = await WireWorld.create(models({ M: squareConfig(more) }));
    await server.during(
      streamOf(server, [square(5)], {
        keepOpen: true,
        onMessage: (count, cancel) => {
          if (count === 2) cancel();
        },
      }),
    );
    const stats = (): unknown => server.model('M').runtime.statistics.snapshot().responses;
    await server.during(expect.poll(() => Object.keys(stats() as object).length).toBeGreaterThan(2));
    expect(stats()).toMatchObject({
      0: { success: { count: 1 }, cancel: { count: 0 } },
      1: { success: { count: 1 }, cancel: { count: 0 } },
    });
  });
});
