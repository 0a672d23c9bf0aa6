// Instance groups that change while their model serves: only the difference is made anew.

import { describe, expect, it } from 'vitest';
import { adder, ask, CONFIG, explicit } from './adder-models.ts';

describe('instance groups in place', () => {
  const text = (group: string, more = ''): string =>
    CONFIG.replace('instance_group { kind: KIND_CPU count: 1 }', `instance_group ${group} ${more}`);

  it('count, name and split of groups change only the difference, and the statistics go on', async () => {
    await using server = await explicit(
      {
        'M/config.pbtxt': text('{ kind: KIND_CPU count: 2 }'),
        'M/1/model.onnx': adder(1),
      },
      ['M'],
    );
    const model = server.model('M');
    const set = async (group: string): Promise<number> => {
      const before = new Set(server.model('M').instances);
      await server.repository.write({ 'M/config.pbtxt': text(group) });
      await server.repository.touch('M/config.pbtxt');
      expect(await server.load('M')).toBe('');
      expect(server.model('M')).toBe(model);
      return server.model('M').instances.filter((instance) => before.has(instance)).length;
    };
    await ask(server, 'M');
    expect(await set('{ kind: KIND_CPU count: 4 }')).toBe(2);
    expect(server.model('M').instances).toHaveLength(4);
    expect(
      await set('[ { name: "a" kind: KIND_CPU count: 1 }, { name: "b" kind: KIND_CPU count: 3 } ]'),
    ).toBe(4);
    expect((await server.call('models/M/config')).body).toMatchObject({
      instance_group: [
        { name: 'a', count: 1 },
        { name: 'b', count: 3 },
      ],
    });
    expect(await set('{ kind: KIND_CPU count: 0 }')).toBe(2);
    expect(server.model('M').instances).toHaveLength(2);
    expect(await set('{ kind: KIND_CPU count: 2 host_policy: "other" }')).toBe(0);
    await ask(server, 'M');
    expect(server.counts('M')).toMatchObject({ success: 2, I: 2 });
  });

  it('garbage leaves all instances as they were', async () => {
    await using server = await explicit(
      {
        'M/config.pbtxt': text('{ kind: KIND_CPU count: 3 }'),
        'M/1/model.onnx': adder(1),
      },
      ['M'],
    );
    await server.repository.write({ 'M/config.pbtxt': text('--- what ---') });
    await server.repository.touch('M/config.pbtxt');
    expect(await server.load('M')).toBe(`failed to load 'M', failed to poll from model repository`);
    expect(server.model('M').instances).toHaveLength(3);
    expect(await ask(server, 'M')).toBe(11);
  });

  it('the configuration a server shows, sent back with another count, adds one instance', async () => {
    await using server = await explicit(
      {
        'M/config.pbtxt': text('{ kind: KIND_CPU count: 1 }', 'dynamic_batching { }'),
        'M/1/model.onnx': adder(1),
      },
      ['M'],
    );
    const model = server.model('M');
    const [kept] = model.instances;
    const { body } = await server.call('models/M/config');
    const shown = body as { instance_group: { count: number }[] };
    const [group] = shown.instance_group;
    if (group !== undefined) group.count = 2;
    expect(await server.load('M', { config: JSON.stringify(shown) })).toBe('');
    expect(server.model('M')).toBe(model);
    expect([model.instances.length, model.instances.includes(kept as never)]).toEqual([2, true]);
  });
});
