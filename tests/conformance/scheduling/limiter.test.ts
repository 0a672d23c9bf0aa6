// The rate limiter and instance groups as a server has them: resources, priorities, passive groups.
import { describe, expect, it } from 'vitest';
import { sequenceFiles, sequenceRequest } from './wire-requests.ts';
import { identity, models, outcomes, rows, WireWorld } from './wire-world.ts';
import type { Sent, WireWorldOptions } from './wire-world.ts';

type Resources = readonly { readonly name: string; readonly count: number; readonly deviceId: undefined }[];

const limited = (resources: Resources = []): WireWorldOptions => ({
  options: { rateLimit: { mode: 'execution_count', resources }, server: { exitOnError: false } },
});
const only = (count: number, name = 'R'): Resources => [{ name, count, deviceId: undefined }];
const group = (text: string, count = 1): string =>
  `instance_group { kind: KIND_CPU count: ${count} rate_limiter { ${text} } }`;
const needing = (count: number, priority = 1, isGlobal = false): string =>
  group(`resources { name: "R" count: ${count} global: ${isGlobal} } priority: ${priority}`);

/** Keeps `depth` requests under way at each model for `ms`; gives executions per model. */
async function race(world: WireWorld, names: readonly string[], steps: number): Promise<number[]> {
  const sent: Sent[] = [];
  for (const name of names) sent.push(...(await world.place(name, new Array(60).fill(rows(1)))));
  await world.advance(steps * 10);
  const counts = names.map((name) => world.counts(name).E);
  await world.advance(200 * 10);
  expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
  return counts;
}

describe('resources', () => {
  it('row 80: a resource that is too small refuses the model by name', async () => {
    await using server = await WireWorld.create(
      models({ M: identity({ more: needing(4) }) }),
      limited(only(3)),
    );
    expect(await server.load('M')).toBe(
      `load failed for model 'M': version 1 is at UNAVAILABLE state: Invalid argument: Resource count for "R" is limited to 3 which will prevent scheduling of one or more model instances, the minimum required count is 4;\n`,
    );
  });

  it('row 80: so does an entry for the device alone', async () => {
    await using server = await WireWorld.create(models({ M: identity({ more: needing(4) }) }), {
      options: {
        rateLimit: { mode: 'execution_count', resources: [{ name: 'R', count: 3, deviceId: 0 }] },
        server: { exitOnError: false },
      },
    });
    expect(await server.load('M')).toContain('Resource count for "R" is limited to 3');
  });

  it('row 81: one name both global and per device is refused', async () => {
    await using server = await WireWorld.create(
      models({ A: identity({ more: needing(1, 1, true) }), B: identity({ more: needing(1) }) }),
      { options: { ...limited().options, repository: { startupModels: ['A'] } } },
    );
    expect(await server.load('B')).toContain(
      'Resource "R" is present as both global and device-specific resource in the model configuration.',
    );
    expect((await server.send('A', rows(1)).done).status).toBe(200);
  });

  it('row 82: with the limiter off, resources are ignored', async () => {
    await using server = await WireWorld.create(
      models({
        A: identity({ more: needing(10), delayMs: 10 }),
        B: identity({ more: needing(10), delayMs: 10 }),
      }),
    );
    expect(await race(server, ['A', 'B'], 30)).toEqual([30, 30]);
  });

  it.each([
    ['row 83: one shared resource is used 2:1 by priorities 1 and 2', only(1), 20, 10],
    ['row 84: with plenty of resources priorities do not matter', only(2), 30, 30],
    ['row 85: without explicit amounts they take turns', [], 20, 10],
  ])('%s', async (_name, resources, first, second) => {
    const [a, b] = [needing(1, 1), needing(1, 2)].map((more) => identity({ more, delayMs: 10 }));
    await using server = await WireWorld.create(models({ A: a ?? '', B: b ?? '' }), limited(resources));
    const [countA = 0, countB = 0] = await race(server, ['A', 'B'], 30);
    expect(Math.abs(countA - first)).toBeLessThanOrEqual(1);
    expect(Math.abs(countB - second)).toBeLessThanOrEqual(1);
  });

  it('row 86: batches stay full under a limit', async () => {
    const batching = 'dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 1000000 }';
    const config = identity({ batching, more: needing(1), delayMs: 10, maxBatchSize: 4 });
    await using server = await WireWorld.create(models({ A: config, B: config }), limited(only(1)));
    const sent = [
      ...(await server.place('A', new Array(24).fill(rows(1)))),
      ...(await server.place('B', new Array(24).fill(rows(1)))),
    ];
    await server.advance(500);
    expect(await outcomes(sent)).toEqual(sent.map(() => 'ok'));
    expect([server.counts('A').batches, server.counts('B').batches]).toEqual([{ 4: 6 }, { 4: 6 }]);
  });

  it.each([
    ['direct { }', 0],
    ['oldest { max_candidate_sequences: 4 }', 1],
  ])('row 87: sequences complete in order under the limiter (%s)', async (strategy, idFactor) => {
    const files = sequenceFiles({
      strategy,
      more: `${needing(1)} parameters { key: "execute_delay_ms" value { string_value: "5" } }`,
    });
    await using server = await WireWorld.create(
      { ...files, ...models({ other: identity({ more: needing(1), delayMs: 5 }) }) },
      limited(only(1)),
    );
    const others = await server.place('other', new Array(20).fill(rows(1)));
    const sent: Sent[] = [];
    for (let step = 0; step < 4; step += 1) {
      sent.push(
        ...(await server.place(
          'S',
          [1, 2, 3].map((id) => sequenceRequest(id, step + 1, { start: step === 0, end: step === 3 })),
        )),
      );
    }
    await server.advance(2000);
    expect(await outcomes(others)).toEqual(others.map(() => 'ok'));
    const replies = await Promise.all(sent.map(({ done }) => done));
    expect(replies.map(({ outputs }) => outputs[0]?.data[0])).toEqual(
      [1, 3, 6, 10].flatMap((sum, step) => [1, 2, 3].map((id) => sum + (step === 3 ? idFactor * id : 0))),
    );
    expect(server.counts('S')).toMatchObject({ I: 12, success: 12, fail: 0 });
  });
});

describe('instance groups', () => {
  it('row 88: a passive group beside an active one gets no work and does not disturb it', async () => {
    const more = `instance_group [ { name: "passive" kind: KIND_CPU count: 2 passive: true }, { name: "active" kind: KIND_CPU count: 1 } ]`;
    await using server = await WireWorld.create(models({ M: identity({ more, delayMs: 5 }) }));
    const sent = await server.place('M', new Array(4).fill(rows(1)));
    await server.advance(10);
    expect(server.counts('M').E).toBe(2);
    await server.advance(10);
    expect(await outcomes(sent)).toEqual(['ok', 'ok', 'ok', 'ok']);
    const ran = new Set(
      server
        .model('M')
        .runtime.recentExecutions()
        .map(({ instanceName }) => instanceName),
    );
    expect([...ran]).toEqual(['active_0']);
    const { body } = await server.call('models/M/config');
    expect(body).toMatchObject({ instance_group: [{ passive: true, count: 2 }, { passive: false }] });
  });

  it('row 153: optimization priority has no effect on who is served', async () => {
    const more = 'optimization { priority: PRIORITY_MAX }';
    await using server = await WireWorld.create(
      models({ A: identity({ more, delayMs: 10 }), B: identity({ delayMs: 10 }) }),
    );
    expect(await race(server, ['A', 'B'], 20)).toEqual([20, 20]);
  });
});
