// DALI pipelines that give several answers for one input, on a Python that has nvidia-dali, without a GPU.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientRequest } from '../../src-main/client/infer-client.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { FrameworkWorld, tensor } from './framework-world.ts';

const DECOUPLED = 'backend: "dali" max_batch_size: 0 model_transaction_policy { decoupled: true }';

describe.skipIf(testPython('nvidia.dali') === undefined)(needsPython('dali', 'nvidia.dali'), () => {
  let world: FrameworkWorld;
  const films = new Map<string, Buffer>();
  beforeAll(async () => {
    world = await FrameworkWorld.create('dali_models.py', 'nvidia.dali', 'dali');
    for (const name of ['five.avi', 'four.avi']) films.set(name, await world.madeBytes(`${name}/film`));
  }, 240_000);
  afterAll(() => world[Symbol.asyncDispose]());

  /** What a request with this input is answered with, response by response: the output, or the text of an error. */
  const answers = (
    model: string,
    input: ClientRequest['inputs'][number],
  ): Promise<readonly (Buffer | string)[]> => {
    const seen: (Buffer | string)[] = [];
    const { promise, resolve } = Promise.withResolvers<readonly (Buffer | string)[]>();
    const stream = world.grpc.stream({
      onMessage: ({ errorMessage, response }) => {
        const bytes = response.outputs[0]?.bytes;
        if (errorMessage !== '') seen.push(errorMessage);
        else if (bytes !== undefined) seen.push(Buffer.from(bytes));
      },
      onEnd: () => resolve(seen),
    });
    stream.send({ model, version: '', id: '', inputs: [input], outputs: [], parameters: new Map() });
    stream.halfClose();
    return promise;
  };

  /** The brightness of each frame of 16 x 16 pixels. */
  const watch = async (model: string, bytes: Buffer): Promise<readonly unknown[]> => {
    const input = { name: 'INPUT', datatype: 'UINT8' as const, shape: [1, bytes.byteLength], bytes };
    const seen = await answers(model, input);
    return seen.map((each) =>
      typeof each === 'string' ? each : [...each].filter((_, index) => index % (16 * 16 * 3) === 0),
    );
  };

  it('a film is answered run by run until its input is used up', async () => {
    const made = { made: 'frames/model.dali' };
    expect(await world.load('films', { ...made, config: DECOUPLED })).toBe('');
    expect(await world.config('films')).toMatchObject({
      max_batch_size: 0,
      input: [{ name: 'INPUT', data_type: 'TYPE_UINT8', dims: [-1, -1] }],
      output: [{ data_type: 'TYPE_UINT8', dims: [-1, -1, -1, -1, -1] }],
    });
    // The last run of the first is not full; that of the second is, which only another run can tell.
    const five = films.get('five.avi') ?? Buffer.alloc(0);
    const four = films.get('four.avi') ?? Buffer.alloc(0);
    expect(await watch('films', five)).toEqual([
      [0, 20, 128, 255],
      [100, 0],
    ]);
    expect(await watch('films', four)).toEqual([[1, 2, 3, 4]]);
    expect(await watch('films', five)).toHaveLength(2);
    const [refusal] = await watch('films', Buffer.from('this is no film'));
    expect(refusal).toMatch(/^Runtime error: /);
    expect(await watch('films', four)).toEqual([[1, 2, 3, 4]]);
    expect((await world.call('models/films/stats')).body).toMatchObject({
      model_stats: [{ execution_count: 0 }],
    });
  });

  it('without the policy one output is an answer, and several are refused in words', async () => {
    const config = 'backend: "dali" max_batch_size: 0';
    expect(await world.load('one', { made: 'frames/model.dali', config })).toBe('');
    const ask = (name: string) => {
      const data = [...(films.get(name) ?? [])];
      return world.infer('one', [{ name: 'INPUT', datatype: 'UINT8', shape: [1, data.length], data }]);
    };
    expect((await ask('four.avi')).status).toBe(200);
    const { status, error } = await ask('five.avi');
    expect([status, error]).toEqual([400, expect.stringContaining('gave 2 outputs for one input')]);
  });

  it('with batching such an input is refused when it is loaded', async () => {
    const config = `backend: "dali" max_batch_size: 2 input [ ${tensor('INPUT', 'TYPE_UINT8', '-1')} ]`;
    expect(await world.load('batched', { made: 'frames/model.dali', config })).toContain(
      'needs `max_batch_size: 0`',
    );
  });

  it.each(['max_batch_size: 0', 'max_batch_size: 8'])('any pipeline may be decoupled, %s', async (size) => {
    const name = `plain_${size.at(-1)}`;
    const dims = size.endsWith('0') ? '-1, -1' : '-1';
    const config = `${DECOUPLED.replace('max_batch_size: 0', size)} output [ ${tensor('OUT', 'TYPE_FP32', dims)} ]`;
    expect(await world.load(name, { made: 'typed/model.dali', config })).toBe('');
    const bytes = new Uint8Array(Float32Array.of(3).buffer);
    const [answer, ...others] = await answers(name, {
      name: 'INPUT',
      datatype: 'FP32',
      shape: [1, 1],
      bytes,
    });
    expect(others).toEqual([]);
    expect(answer).toEqual(Buffer.from(Float32Array.of(6).buffer));
  });
});
