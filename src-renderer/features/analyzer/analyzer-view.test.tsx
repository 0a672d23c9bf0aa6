import { afterEach, expect, test } from 'vitest';

import type { AnalyzeRequest, AnalyzeView } from '../../../src-shared/contract/analyze-calls.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderView, until } from '../../testing/render.tsx';
import { AnalyzerScreen } from './analyzer-view.tsx';
import { address } from '../../lib/address.ts';
import { estimateOf } from './analyzer-store.ts';

const REQUEST: AnalyzeRequest = {
  model: 'batch_mlp',
  mode: 'brute',
  maxInstances: 2,
  maxBatchSize: 8,
  maxConcurrency: 4,
  latencyLimitMs: 0,
  seconds: 0,
  windowMs: 1000,
};

const VIEW: AnalyzeView = {
  request: REQUEST,
  state: 'stopped',
  error: undefined,
  said: '',
  measurementCount: 2,
  trials: [
    {
      ...{
        variant: 'batch_mlp_config_0',
        isDefault: false,
        instanceGroup: '2:CPU',
        maxBatchSize: 4,
        load: 2,
      },
      ...{
        inferPerSecond: 300,
        p99Us: 9000,
        isStable: true,
        isPassing: true,
        isPareto: true,
        failure: undefined,
      },
    },
    {
      ...{ variant: 'batch_mlp_config_1', isDefault: false, instanceGroup: '', maxBatchSize: 0, load: 0 },
      ...{ inferPerSecond: 0, p99Us: 0, isStable: false, isPassing: false, isPareto: false },
      failure: 'out of memory',
    },
  ],
  best: 'batch_mlp_config_0',
  sentence: 'batch_mlp_config_0 is 50 % better',
  driftSentence: undefined,
  bestConfigText: 'max_batch_size: 4\n',
};

let page: Rendered | undefined;
afterEach(() => page?.close());

function shown(
  view: AnalyzeView | undefined,
): Promise<{ readonly fake: FakeEngine; readonly page: Rendered }> {
  const fake = new FakeEngine();
  fake.overrides['analyze/view'] = () => ({ view });
  fake.overrides['analyze/start'] = () => undefined;
  fake.overrides['analyze/resume'] = () => undefined;
  return renderView(<AnalyzerScreen address={address('analyzer')} />, fake).then((rendered) => {
    page = rendered;
    return { fake, page: rendered };
  });
}

test('without a search it says what one is, and starts one with what is in the form', async () => {
  const { fake, page: shownPage } = await shown(undefined);
  await until(() => shownPage.get('analyzer-empty'));
  await click(await until(() => shownPage.get('analyzer-start')));
  await until(() => expect(fake.calls.some(({ name }) => name === 'analyze/start')).toBe(true));
  expect(fake.calls.find(({ name }) => name === 'analyze/start')?.args).toMatchObject({
    mode: 'brute',
    maxBatchSize: 128,
    maxConcurrency: 1024,
  });
});

test('a stopped search shows what it found, marks the best, and is gone on with', async () => {
  const { fake, page: shownPage } = await shown(VIEW);
  const table = await until(() => shownPage.get('analyzer-trials'));
  expect(table.textContent).toContain('out of memory');
  expect(shownPage.get('analyzer-best').closest('tr')?.textContent).toContain('batch_mlp_config_0');
  expect(shownPage.get('analyzer-sentence').textContent).toBe(VIEW.sentence);
  expect(shownPage.query('analyzer-apply')).not.toBeNull();
  await click(shownPage.get('analyzer-resume'));
  await until(() => expect(fake.calls.some(({ name }) => name === 'analyze/resume')).toBe(true));
});

test('without a clear winner there is nothing to apply', async () => {
  const { page: shownPage } = await shown({ ...VIEW, state: 'done', bestConfigText: undefined });
  await until(() => shownPage.get('analyzer-outcome'));
  expect(shownPage.query('analyzer-apply')).toBeNull();
  expect(shownPage.query('analyzer-resume')).toBeNull();
});

test('what a search costs at most: configurations x loads x three windows, or its time box', () => {
  // 1 + 2 x 4 configurations, loads 1, 2, 4, 3.6 s and 0.7 s to start.
  expect(estimateOf(REQUEST)).toEqual({ configs: 9, loads: 3, durationMs: 9 * 3 * 4300 });
  expect(estimateOf({ ...REQUEST, seconds: 30 }).durationMs).toBe(30_000);
});
