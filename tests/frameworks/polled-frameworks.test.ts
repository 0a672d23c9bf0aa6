// Models of frameworks in a repository that is polled.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld } from './framework-world.ts';
import { pair } from './torch-config.ts';

it.skipIf(testPython('torch') === undefined)(
  needsPython('row 90: an artefact that is replaced is served by polling, and no request fails', 'torch'),
  async () => {
    await using world = await FrameworkWorld.create('torch_models.py', 'torch', 'pytorch', {
      isPolled: true,
    });
    await world.write('replaced', { made: 'Branching/model.pt', config: pair(['x'], ['y']) });
    await world.write('keep', { made: 'Linear/model.pt', at: '../keep.pt' });
    const ask = () => world.infer('replaced', [floats('x', [1, 2])]);
    await expect.poll(async () => (await ask()).outputs['y']?.data, { timeout: 60_000 }).toEqual([2, 4]);
    const linear = await readFile(path.join(world.repository.path, 'keep.pt'));
    await writeFile(path.join(world.repository.path, 'replaced/1/model.pt'), linear);
    const statuses = new Set<number>();
    await expect
      .poll(
        async () => {
          const reply = await ask();
          statuses.add(reply.status);
          return reply.outputs['y']?.data;
        },
        { timeout: 60_000, interval: 5 },
      )
      .toEqual([3, 6]);
    expect(statuses).toEqual(new Set([200]));
  },
  180_000,
);
