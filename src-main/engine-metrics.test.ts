// When a version of a model has series: from the making of its instances on, until its last request is over.
import { describe, expect, it } from 'vitest';
import { ModelMetricsPublisher } from './engine-metrics.ts';
import { systemClock } from './base/clock.ts';
import { parseMetricsConfig } from './metrics/metrics-config.ts';
import { ServerMetrics } from './metrics/server-metrics.ts';
import { echoWorld, model } from './testing/echo-world.ts';
import { inferFloats } from './testing/repository-fixture.ts';

const world = echoWorld();

const FAILURES = ['BACKEND', 'CANCELED', 'OTHER', 'REJECTED'].map(
  (reason) => `nv_inference_request_failure{model="m",reason="${reason}",version="1"} 0`,
);

async function started() {
  const { repository } = await world.start({ files: model('m') });
  const { config } = parseMetricsConfig([]);
  const metrics = new ServerMetrics({ config, clock: systemClock, cpu: false, gpu: false, intervalMs: 2000 });
  const publisher = new ModelMetricsPublisher({ repository, metrics });
  const lines = async (): Promise<readonly string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.includes('model="m"'));
  const families = (text: readonly string[]): number =>
    new Set(text.map((line) => line.slice(0, line.indexOf('{')))).size;
  return { repository, publisher, lines, families };
}

describe('series of a version', () => {
  it('are there, all 0, while its instances are made', async () => {
    const { repository, lines, families } = await started();
    const during: Promise<readonly string[]>[] = [];
    world.backend.scripts.set('m', { createError: () => void during.push(lines()) });
    expect(await lines()).toEqual([]);
    await repository.load('m');
    const seen = (await Promise.all(during))[0] ?? [];
    expect(seen.filter((line) => !line.endsWith(' 0'))).toEqual([]);
    expect(families(seen)).toBe(families(await lines()));
    expect(seen).toEqual(expect.arrayContaining(FAILURES));
  });

  it('go with a load that fails, but for those of failures', async () => {
    const { repository, lines } = await started();
    world.backend.scripts.set('m', { createError: () => new Error('no') });
    for (let times = 0; times < 2; times += 1) {
      await expect(repository.load('m')).rejects.toThrow('no');
      expect([...(await lines())].sort()).toEqual(FAILURES);
    }
  });

  it('go on over a load that takes the place of another, and leave with the last', async () => {
    const { repository, lines } = await started();
    const success = async (): Promise<string | undefined> =>
      (await lines()).find((line) => line.startsWith('nv_inference_request_success'));
    await repository.load('m');
    await inferFloats(repository.use('m', -1), [1, 2, 3, 4]);
    await repository.load('m', { isForced: true });
    expect(await success()).toMatch(/ 1$/);
    await repository.unload('m', { unloadDependents: false });
    await repository.settled();
    expect([...(await lines())].sort()).toEqual(FAILURES);
    await repository.load('m');
    expect(await success()).toMatch(/ 0$/);
  });
});
