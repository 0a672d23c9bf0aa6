// A search while it runs, after it failed, and what is done with what it found.

import { afterEach, expect, test } from 'vitest';

import type { AnalyzeTrial, AnalyzeView } from '../../../src-shared/contract/analyze-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { address } from '../../lib/address.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { installShell } from '../../testing/fake-shell.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { AnalyzerScreen } from './analyzer-view.tsx';

function trial(variant: string, changes: Partial<AnalyzeTrial> = {}): AnalyzeTrial {
  return {
    variant,
    isDefault: false,
    instanceGroup: '1:CPU',
    maxBatchSize: 8,
    load: 4,
    inferPerSecond: 200,
    p99Us: 12_000,
    isStable: true,
    isPassing: true,
    isPareto: false,
    failure: undefined,
    ...changes,
  };
}

const RUNNING: AnalyzeView = {
  request: {
    model: 'batch_mlp',
    mode: 'brute',
    maxInstances: 2,
    maxBatchSize: 8,
    maxConcurrency: 4,
    latencyLimitMs: 10,
    seconds: 0,
    windowMs: 1000,
  },
  state: 'running',
  error: undefined,
  said: 'batch_mlp_config_1, concurrency 4',
  measurementCount: 1,
  trials: [],
  best: undefined,
  sentence: '',
  driftSentence: undefined,
  bestConfigText: undefined,
};

const DONE: AnalyzeView = {
  ...RUNNING,
  state: 'done',
  measurementCount: 3,
  trials: [
    trial('batch_mlp_config_1', { isPareto: true, inferPerSecond: 412 }),
    trial('batch_mlp_config_default', { isDefault: true }),
    trial('batch_mlp_config_2', { isStable: false, isPassing: false, p99Us: 30_000 }),
  ],
  best: 'batch_mlp_config_1',
  sentence: 'batch_mlp_config_1 is 106 % better',
  bestConfigText: 'max_batch_size: 8\n',
};

let page: Rendered;
let fake: FakeEngine;
let takeShell: (() => void) | undefined;
afterEach(async () => {
  await page.close();
  takeShell?.();
  takeShell = undefined;
});

async function show(view: AnalyzeView): Promise<void> {
  fake = new FakeEngine();
  fake.overrides['analyze/view'] = () => ({ view });
  fake.overrides['analyze/stop'] = () => undefined;
  fake.overrides['analyze/resume'] = () => undefined;
  page = await renderWithHosts(<AnalyzerScreen address={address('analyzer')} />, fake);
  await until(() => page.get('analyzer-result'));
}

/** Marks of a configuration in the table. */
function marks(variant: string): string {
  const row = [...page.get('analyzer-trials').querySelectorAll('tr')].find(({ textContent }) =>
    textContent?.startsWith(variant),
  );
  return row?.children[1]?.textContent ?? '';
}

test('while it runs it tells what it does now and how far it is, and can be stopped', async () => {
  await show(RUNNING);
  const banner = page.get('analyzer-running');
  expect(banner.textContent).toContain('batch_mlp');
  expect(banner.textContent).toContain('concurrency 4');
  expect(page.query('analyzer-trials')).toBeNull();
  expect(page.get('analyzer-start').getAttribute('aria-disabled')).toBe('true');
  await click(page.get('analyzer-stop'));
  await until(() => expect(fake.argsOf('analyze/stop')).toHaveLength(1));
});

test('what the engine tells meanwhile is shown at once, up to the end', async () => {
  await show(RUNNING);
  fake.publish('analyze/changed', { ...RUNNING, trials: [trial('batch_mlp_config_0')], measurementCount: 2 });
  await until(() => expect(page.get('analyzer-trials').textContent).toContain('batch_mlp_config_0'));
  fake.publish('analyze/changed', DONE);
  await until(() => expect(page.get('analyzer-result').dataset['state']).toBe('done'));
  expect(page.query('analyzer-running')).toBeNull();
  expect(page.get('analyzer-sentence').textContent).toBe(DONE.sentence);
});

test('each configuration says what it is: the present one, unbeaten, best, unsteady, too slow', async () => {
  await show(DONE);
  expect(marks('batch_mlp_config_default')).toBe('as it is');
  expect(marks('batch_mlp_config_1')).toContain('best');
  expect(marks('batch_mlp_config_2')).toContain('over the limit');
  expect(marks('batch_mlp_config_2')).not.toContain('as it is');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a configuration that was never measured has no numbers', async () => {
  await show({ ...DONE, trials: [trial('batch_mlp_config_3', { load: 0, failure: 'out of memory' })] });
  const row = page.get('analyzer-trials').querySelector('tbody tr');
  const cells = [...(row?.children ?? [])].map(({ textContent }) => textContent ?? '');
  expect(cells[0]).toContain('out of memory');
  expect(cells.slice(4)).toEqual(['–', '–', '–']);
});

test('a search that failed says why, and is gone on with', async () => {
  await show({ ...RUNNING, state: 'failed', error: 'the model is gone' });
  expect(page.get('analyzer-failed').textContent).toContain('the model is gone');
  await click(page.get('analyzer-resume'));
  await until(() => expect(fake.argsOf('analyze/resume')).toHaveLength(1));
});

test('that the machine became slower meanwhile is told', async () => {
  await show({ ...DONE, driftSentence: 'the last measurement of the first configuration was 30 % slower' });
  expect(page.get('analyzer-result').textContent).toContain('30 % slower');
});

test('the best configuration is read before it is written, and can be left alone', async () => {
  await show(DONE);
  fake.overrides['config/read'] = () => ({ text: 'max_batch_size: 1\n', hash: 'h1', exists: true }) as never;
  fake.overrides['config/write'] = () => ({ hash: 'h2' }) as never;
  fake.overrides['repository/load'] = () => undefined as never;
  await click(page.get('analyzer-apply'));
  await until(() => expect(document.body.textContent).toContain('max_batch_size: 8'));
  expect(fake.argsOf('config/write')).toEqual([]);
});

test('reports are saved as files, in the form that was asked for', async () => {
  const saved: unknown[] = [];
  takeShell = installShell({
    'shell/saveText': (options) => {
      saved.push(options);
      return { path: '/home/ada/report' };
    },
  }).remove;
  await show(DONE);
  fake.overrides['analyze/export'] = ({ format }) => ({ fileName: `batch_mlp.${format}`, text: format });
  await click(page.get('analyzer-csv'));
  await until(() => expect(saved).toMatchObject([{ defaultName: 'batch_mlp.csv', text: 'csv' }]));
  await click(page.get('analyzer-html'));
  await until(() => expect(saved).toHaveLength(2));
});

test('a report that cannot be made is told', async () => {
  await show(DONE);
  fake.overrides['analyze/export'] = () => {
    throw internal('there is no search to report');
  };
  await click(page.get('analyzer-html'));
  await until(() => expect(document.body.textContent).toContain('there is no search to report'));
});

test('a search that cannot be read is told instead of an empty screen', async () => {
  fake = new FakeEngine();
  fake.overrides['analyze/view'] = () => {
    throw internal('the results on the disk are damaged');
  };
  page = await renderWithHosts(<AnalyzerScreen address={address('analyzer')} />, fake);
  await until(() => expect(document.body.textContent).toContain('the results on the disk are damaged'));
  expect(page.query('analyzer-empty')).toBeNull();
});
