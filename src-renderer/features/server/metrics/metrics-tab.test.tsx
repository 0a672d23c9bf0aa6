// The Metrics tab: every family with its meaning, value and kind; one in full, with what is copied of it.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../../../src-shared/errors.ts';
import { address } from '../../../lib/address.ts';
import { INITIAL_WORKSPACE, workspace } from '../../../lib/workspace-store.ts';
import { FakeEngine } from '../../../testing/fake-engine.ts';
import { fakeMetrics } from '../../../testing/fake-metrics.ts';
import { fakeSample } from '../../../testing/fake-views.ts';
import type { Rendered } from '../../../testing/render.tsx';
import { accessibilityFaults, click, renderView, settled, type, until } from '../../../testing/render.tsx';
import { ServerScreen } from '../server-view.tsx';
import { metricsStore, NO_METRICS } from './metric-history.ts';

let page: Rendered | undefined;

beforeEach(() => metricsStore.setState(NO_METRICS));
afterEach(async () => {
  await page?.close();
  workspace.setState(INITIAL_WORKSPACE);
});

async function start(fake = new FakeEngine()): Promise<Rendered> {
  page = await renderView(<ServerScreen address={address('server', { tab: 'metrics' })} />, fake);
  return page;
}

test('families stand under what they are about, with values in their units, and a filter finds them by meaning', async () => {
  const { get, query } = await start();
  const list = await until(() => get('metrics-families'));
  await until(() => expect(list.textContent).toContain('nv_cpu_memory_used_bytes'));
  for (const heading of ['Models', 'Machine and process', 'Made by models and backends']) {
    expect(list.textContent).toContain(heading);
  }
  expect(get('metric-nv_cpu_memory_used_bytes').textContent).toContain('1.0 GiB');
  expect(get('metric-nv_cpu_memory_used_bytes').textContent?.split('1.0 GiB')).toHaveLength(2);
  expect(get('metric-nv_inference_request_success').textContent).toMatch(/counter2?42/);
  expect(await accessibilityFaults()).toEqual([]);
  await type(get('metrics-filter'), 'RAM');
  await until(() => expect(query('metric-tokens_made')).toBeNull());
  expect(query('metric-nv_cpu_memory_used_bytes')).not.toBeNull();
  await type(get('metrics-filter'), 'nothing like it');
  await until(() => expect(get('metrics-none').textContent).toContain('4 families are hidden'));
});

test('a family tells its meaning, its query, its command, and its lines; a model in them leads to its page', async () => {
  const { get, fake } = await start();
  await until(() => get('metric-nv_inference_request_success'));
  await click(get('metric-nv_inference_request_success'));
  await until(() => expect(get('metric-help').textContent).toContain('successful inference requests'));
  expect(get('metric-promql').textContent).toBe('rate(nv_inference_request_success[1m])');
  expect(get('metric-curl').textContent).toMatch(
    /^curl -s http:\/\/\S+\/metrics \| grep nv_inference_request_success$/,
  );
  const lines = await until(() => {
    expect(get('metric-lines').textContent).toContain('gone');
    return get('metric-lines');
  });
  expect(get('metric-line-count').textContent).toBe('2 lines');
  expect(await accessibilityFaults()).toEqual([]);
  // A model that is not there any more is a word, not a link.
  const links = [...lines.querySelectorAll('button')].filter(({ textContent }) => textContent === 'simple');
  expect([...lines.querySelectorAll('button')].some(({ textContent }) => textContent === 'gone')).toBe(false);
  await click(links[0] as HTMLElement);
  expect(workspace.getState().activeId).toBe('model:simple');
  await type(get('metric-match'), 'gone');
  await until(() => expect(fake.argsOf('metrics/read').at(-1)).toMatchObject({ match: 'gone' }));
  await until(() => expect(get('metric-line-count').textContent).toBe('1 line'));
});

test('a histogram shows its buckets and counts beside their labels', async () => {
  const { get } = await start();
  await until(() => get('metric-nv_inference_first_response_histogram_ms'));
  await click(get('metric-nv_inference_first_response_histogram_ms'));
  await until(() => expect(get('metric-lines').textContent).toContain('_bucket'));
  expect(get('metric-lines').textContent).toContain('le=+Inf');
  expect(get('metric-promql').textContent).toContain('histogram_quantile(0.99');
});

test('the server is asked again only when two seconds have passed, later where a reading takes it long', async () => {
  const fake = new FakeEngine();
  fake.overrides['metrics/read'] = () => ({ ...fakeMetrics(undefined), tookMs: 200 });
  await start(fake);
  const readings = (): number => fake.argsOf('metrics/read').length;
  await until(() => expect(readings()).toBe(1));
  const sampleAt = async (atMs: number, count: number): Promise<void> => {
    fake.publish('observe/sample', fakeSample(atMs));
    await until(() => expect(readings()).toBe(count));
    // One too many would come now.
    await settled();
    expect(readings()).toBe(count);
  };
  const first = Date.now() + 60_000;
  await sampleAt(first, 2);
  await sampleAt(first + 3000, 2);
  await sampleAt(first + 11_000, 3);
});

test('without metrics, and where they cannot be read, the tab says so', async () => {
  const off = new FakeEngine();
  off.overrides['metrics/read'] = () => ({ ...fakeMetrics(undefined), isOn: false, families: [] });
  const first = await start(off);
  await until(() => expect(first.get('metrics-off').textContent).toContain('--allow-metrics=false'));
  await page?.close();
  metricsStore.setState(NO_METRICS);
  const failing = new FakeEngine();
  failing.overrides['metrics/read'] = () => {
    throw internal('a reader threw');
  };
  const second = await start(failing);
  await until(() => expect(second.get('metrics-failed').textContent).toContain('a reader threw'));
});

test('a metrics port that does not listen is said, and nothing is offered that would ask it', async () => {
  const fake = new FakeEngine();
  fake.changeServer({
    endpoints: fake.server.endpoints.map((endpoint) =>
      endpoint.kind === 'metrics' ? { ...endpoint, isListening: false, address: undefined } : endpoint,
    ),
  });
  const { get, query } = await start(fake);
  await until(() => expect(get('metrics-closed').textContent).toContain('does not listen'));
  await click(await until(() => get('metric-tokens_made')));
  await until(() => expect(get('metric-help').textContent).toContain('no description'));
  expect(query('metric-curl')).toBeNull();
});
