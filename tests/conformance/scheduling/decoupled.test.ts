// Decoupled models as clients meet them: streams, several requests on one, and calls that take one answer.

import { describe, expect, it } from 'vitest';
import { repeatConfig, repeatRequest, squareConfig, streamOf } from './wire-streams.ts';
import { models, values, WireWorld } from './wire-world.ts';

describe('decoupled models', () => {
  it.each([0, 1, 5])(
    'row 101: %i responses on a stream, with and without the empty final one',
    async (count) => {
      await using server = await WireWorld.create(models({ M: squareConfig() }));
      const plain = await server.during(streamOf(server, [squareRequestOf(count)]));
      expect(plain.values).toEqual(new Array(count).fill(count));
      expect(plain.finals).toEqual(new Array(count).fill(false));
      const asked = await server.during(
        streamOf(server, [squareRequestOf(count, new Map([['triton_enable_empty_final_response', true]]))]),
      );
      expect(asked.finals).toEqual([...new Array<boolean>(count).fill(false), true]);
      expect(asked.values).toEqual(new Array(count).fill(count));
    },
  );

  it('row 102: several requests on one stream are answered in order of each, told apart by id', async () => {
    await using server = await WireWorld.create(models({ M: repeatConfig() }));
    const found = await server.during(
      streamOf(
        server,
        [3, 5, 2].map((count, at) => ({
          ...repeatRequest(
            'M',
            Array.from({ length: count }, (_, index) => index),
          ),
          id: `r${at}`,
        })),
      ),
    );
    const byId = Map.groupBy(found.messages, ({ id }) => id);
    expect([...byId.keys()].sort()).toEqual(['r0', 'r1', 'r2']);
    for (const [at, count] of [3, 5, 2].entries()) {
      expect(byId.get(`r${at}`)?.map(({ value }) => value)).toEqual(
        Array.from({ length: count }, (_, index) => index),
      );
    }
  });

  it('row 103: calls that give one answer refuse a decoupled model', async () => {
    await using server = await WireWorld.create(models({ M: squareConfig() }));
    const sent = server.send('M', { inputs: [{ name: 'IN', shape: [1], data: [1] }] });
    expect(await sent.done).toMatchObject({
      status: 501,
      error: `HTTP end point doesn't support models with decoupled transaction policy`,
    });
    const unary = await server.grpc.infer(squareRequestOf(1));
    expect([unary.status, unary.error]).toEqual([
      12,
      `ModelInfer RPC doesn't support models with decoupled transaction policy`,
    ]);
    const generate = (count: number) => server.during(server.call('models/M/generate', { IN: count }));
    expect((await generate(1)).body).toMatchObject({ OUT: 1 });
    for (const count of [0, 2]) {
      expect(JSON.stringify((await generate(count)).body)).toContain(
        'generate expects model to produce exactly 1 response',
      );
    }
  });

  it.each([
    [1, ''],
    [0, 'expected a single response, got 0'],
    [2, 'expected a single response, got 2'],
  ])('rows 104 and 105: a model that is not decoupled and sends %i responses', async (count, message) => {
    await using server = await WireWorld.create(
      models({ M: squareConfig().replace('decoupled: true', 'decoupled: false') }),
    );
    const sent = server.send('M', { inputs: [{ name: 'IN', shape: [1], data: [count] }] });
    const reply = await server.during(sent.done);
    expect([reply.error, reply.status]).toEqual([message, message === '' ? 200 : 500]);
    expect(await values([sent])).toEqual([message === '' ? 1 : message]);
  });
});

function squareRequestOf(
  count: number,
  parameters: ReadonlyMap<string, boolean> = new Map(),
): Parameters<WireWorld['grpc']['infer']>[0] {
  const bytes = new Uint8Array(Int32Array.of(count).buffer);
  return {
    model: 'M',
    version: '',
    id: '',
    inputs: [{ name: 'IN', datatype: 'INT32', shape: [1], bytes }],
    outputs: [],
    parameters,
  };
}
